/**
 * Reads in the source whether a line of a stack only hands on to its caller what it calls: `fetch: () => world.io(…)`,
 * `return world.delay()`. Such a line is a port, and nobody waits there; whoever calls it does. A stack alone does not
 * tell the two apart. A method that returns what a port gives is no port: it decides that the port is called, and when.
 * Where the source cannot be read, a line counts as one that waits.
 */
import { readFileSync, statSync } from "node:fs";
import type { Frame } from "../sim/stack.ts";

const sourceLimit = 2_000_000;
const lineLimit = 2_000;
/** Lines above that are looked at where a call begins its own. */
const linesAbove = 3;
/** `this.#ports.storage.` before the name of what is called, which is where V8 puts a call. */
const receiver = /(?:(?:[\w$#]+|\))(?:\?\.|!?\.))*$/;
const arrow = /=>(?:\s*await)?[\s(]*$/;
const returning = /\breturn[\s(]*$/;
/** V8 puts a call at the name of what is called. */
const callsWorld = /^(?:io|delay)\b/;
const executing = /^\s+at new Promise \(<anonymous>\)$/;

/** Reads each file once; made anew for each failure, because the code may change in between. */
export class Sources {
  readonly #files = new Map<string, readonly string[]>();

  /** `below` is the line that follows in the stack. */
  handsOn({ path, at }: Pick<Frame, "path" | "at">, below: string): boolean {
    // The executor of a promise waits for nothing itself.
    if (executing.test(below)) return true;
    const lines = this.#lines(path);
    const called = (lines[at.line - 1] ?? "").slice(at.column - 1, at.column + lineLimit);
    let before = (lines[at.line - 1] ?? "").slice(0, Math.min(at.column - 1, lineLimit)).replace(receiver, "");
    for (let above = 1; above <= linesAbove && before.trim() === ""; above++) {
      before = (lines[at.line - 1 - above] ?? "").slice(0, lineLimit).replace(/\/\/.*$/, "");
    }
    return arrow.test(before) || (returning.test(before) && callsWorld.test(called));
  }

  #lines(path: string): readonly string[] {
    const known = this.#files.get(path);
    if (known !== undefined) return known;
    const lines = linesOf(path);
    this.#files.set(path, lines);
    return lines;
  }
}

function linesOf(path: string): readonly string[] {
  try {
    return statSync(path).size > sourceLimit ? [] : readFileSync(path, "utf8").split(/\r?\n/);
  } catch {
    return [];
  }
}
