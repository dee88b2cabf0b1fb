import { RunnerProject } from "./runner-project.ts";

/** What the built package needs to lower, and packages to be lowered: one in ESM, one in CommonJS. */
const needed = ["acorn", "magic-string", "@jridgewell/remapping", "esbuild", "tsx", "tslib"];
const dependencies = ["p-queue", "eventemitter3", "p-timeout", "async-mutex"];

/** A user's project whose code is lowered. */
export async function loweringProject(files: Readonly<Record<string, string>>): Promise<RunnerProject> {
  const project = await RunnerProject.make();
  for (const name of [...needed, ...dependencies]) await project.link(name);
  for (const [path, content] of Object.entries(files)) await project.write(path, content);
  return project;
}

/** Where a text has these words, as a stack says it. */
export function placeOf(text: string, words: string): string {
  const before = text.slice(0, text.indexOf(words)).split("\n");
  return `${before.length}:${(before.at(-1)?.length ?? 0) + 1}`;
}
