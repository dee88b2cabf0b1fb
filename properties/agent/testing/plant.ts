/** Makes an agent by the book with lines of its source planted: everything else in it is what everybody uses. */
import { readFileSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import { build } from "esbuild";
import type { AgentPorts, AgentUnderTest } from "../ports.ts";
import type { ByTheBook } from "../subjects/by-the-book.ts";

export type Line = {
  /** Of the folder of the subjects. */
  readonly file: string;
  /** Stands there once; with its indentation where that tells two equal ones apart. */
  readonly line: string;
  readonly becomes: string;
};

const folder = resolve(import.meta.dirname, "../subjects");

/** Throws where a line does not stand there exactly once. */
export async function agentWith(planted: readonly Line[]): Promise<(ports: AgentPorts) => AgentUnderTest> {
  const built = await build({
    entryPoints: [join(folder, "by-the-book.ts")],
    ...{ bundle: true, write: false, format: "esm", platform: "node", target: "node20", logLevel: "silent" },
    plugins: [
      {
        name: "plant",
        setup: ({ onLoad }) =>
          onLoad({ filter: /subjects[\\/][a-z-]+\.ts$/ }, ({ path }) => {
            const there = planted.filter(({ file }) => file === basename(path));
            return { contents: there.reduce(replaced, readFileSync(path, "utf8")), loader: "ts" };
          }),
      },
    ],
  });
  const [{ text } = { text: "" }] = built.outputFiles;
  const url = `data:text/javascript;base64,${Buffer.from(text).toString("base64")}`;
  const loaded: Readonly<Record<string, unknown>> = await import(/* @vite-ignore */ url);
  const Made = loaded.ByTheBook;
  if (!isByTheBook(Made)) throw new Error(`Cannot load by-the-book.ts: expected the class ByTheBook, found ${Made}`);
  return (ports) => new Made(ports);
}

function replaced(source: string, { file, line, becomes }: Line): string {
  const lines = source.split("\n");
  const places = lines.flatMap((text, at) => ((line.startsWith(" ") ? text : text.trim()) === line ? [at] : []));
  const [at] = places;
  if (at === undefined || places.length > 1) {
    throw new Error(`Cannot plant in ${file}: expected the line once, found it ${places.length} times: ${line}`);
  }
  return lines.with(at, becomes).join("\n");
}

function isByTheBook(value: unknown): value is typeof ByTheBook {
  return typeof value === "function";
}
