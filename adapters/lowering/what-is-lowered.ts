/** Which files are lowered: everybody's code, except for what loads and drives it. */
import { existsSync } from "node:fs";
import { dirname, join, relative, sep } from "node:path";
import { fileURLToPath } from "node:url";

/** They read, build and run code, and no execution is about them. */
const tools = ["acorn", "magic-string", "@jridgewell", "esbuild", "tsx", "vite", "vitest", "@vitest", "rolldown"];
const ofTools = new RegExp(`/node_modules/(?:${tools.join("|")})/`);

const ownRoot = rootOf(dirname(fileURLToPath(import.meta.url)));
const installedCopy = /^.*\/node_modules\/microloom\//;
/** The engine and all that is around it: lowered, it would wait for itself. */
const ownAlwaysNative = /^(?:sim|repro|reports|adapters|cli)\/|^index\.ts$/;
/** The core, the contracts and the subjects that they judge are code under test; in the built package, their chunks. */
const ownBuilt = /^dist\//;
const ownBuiltJudged = /^dist\/(?:judged|core|properties)\//;
const ownJudged = /(?:^|\/)testing\/|\.(?:test|scenario)\.[cm]?[jt]s$/;

/** `path`: absolute, without a query. */
export function isToBeLowered(path: string): boolean {
  const shown = path.split(sep).join("/");
  if (ofTools.test(shown)) return false;
  const own = pathInThisPackage(path, shown);
  if (own === null) return true;
  if (ownBuilt.test(own)) return ownBuiltJudged.test(own);
  return !ownAlwaysNative.test(own) || ownJudged.test(own);
}

/** A project may bring another copy of this package: its engine stays native, too. */
function pathInThisPackage(path: string, shown: string): string | null {
  const installed = installedCopy.exec(shown);
  if (installed !== null) return shown.slice(installed[0].length);
  const inside = relative(ownRoot, path).split(sep).join("/");
  return inside.startsWith("../") || inside.includes("node_modules/") ? null : inside;
}

function rootOf(folder: string): string {
  const parent = dirname(folder);
  return parent === folder || existsSync(join(folder, "package.json")) ? folder : rootOf(parent);
}
