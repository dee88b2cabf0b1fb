import { createRequire } from "node:module";
import { dirname, resolve } from "node:path";
import type { Plugin, Rollup } from "vite";
import { LoweringError } from "../../sim/lowering/error.ts";
import { type LoweredText, lower } from "../../sim/lowering/lower.ts";
import type { InputMap } from "../../sim/lowering/origin.ts";
import type { SourceType } from "../../sim/lowering/parse.ts";
import { isToBeLowered } from "../lowering/what-is-lowered.ts";

export type LoweringOptions = {
  /**
   * Packages that Vite is to transform as well, those that they depend on named too, or all of them. Without, only the
   * files of the project are lowered.
   */
  readonly dependencies?: readonly string[] | true;
};

const scripts = /\.(?:[cm]?[jt]sx?|vue|svelte)$/;
const virtual = "\0";

/** Makes the plugin. It changes nothing in what is built or sent to a browser. */
export function microloom({ dependencies = [] }: LoweringOptions = {}): Plugin {
  const inline = dependencies === true ? dependencies : [...dependencies];
  const runtime = createRequire(import.meta.url).resolve("microloom/runtime");
  return {
    name: "microloom",
    apply: "serve",
    enforce: "post",
    config: () => ({ test: { server: { deps: { inline } } }, ssr: { noExternal: inline } }),
    transform: {
      // After Vitest, which moves calls of vi.mock() before everything else: what they are given is lowered, too.
      order: "post",
      handler(code, id, options) {
        const file = id.replace(/[?#].*$/s, "");
        const forNode = options?.ssr === true || process.env.VITEST !== undefined;
        if (!forNode || id.startsWith(virtual) || !scripts.test(file) || !isToBeLowered(file)) return null;
        const lowered = loweredIn(code, file, () => this.getCombinedSourcemap());
        if (lowered.map === null) return null;
        // An import comes first wherever it stands, and at the end it moves no line and no column. A script has none:
        // whoever loads it is a module.
        const first = lowered.sourceType === "module" ? `\n;import ${JSON.stringify(runtime)};\n` : "";
        return { code: lowered.code + first, map: lowered.map };
      },
    },
  };
}

type Lowered = LoweredText & { readonly sourceType: SourceType };

/** Vite chains the maps by itself; what came before is only asked for where it is to be said what is wrong. */
function loweredIn(code: string, file: string, before: () => Rollup.SourceMap): Lowered {
  try {
    return loweredAsEither(code, file, null);
  } catch (error) {
    if (!(error instanceof LoweringError)) throw error;
    const { names, mappings, sources } = before();
    const paths = sources.map((source) => resolve(dirname(file), source ?? file));
    return loweredAsEither(code, file, { version: 3, names, mappings, sources: paths });
  }
}

/** What Vite runs is a module, but it runs CommonJS, too. */
function loweredAsEither(code: string, file: string, inputMap: InputMap | null): Lowered {
  try {
    return { ...lower(code, { file, inputMap, sourceType: "module" }), sourceType: "module" };
  } catch (error) {
    if (!(error instanceof LoweringError) || /\b(?:import|export)\b/.test(code)) throw error;
    return { ...lower(code, { file, inputMap, sourceType: "script" }), sourceType: "script" };
  }
}
