/** Compiles programs, as they stand and lowered for the microtask engine, with the tools of the prelude compiled alike. */
import { lower } from "../lowering/lower.ts";
import { prelude } from "./prelude.ts";
import type { Program } from "./program.ts";

/** Given its surroundings it returns `{ body, steps }`. */
export type Compiled = (given: object) => unknown;

/** Each once, because a program that may have been too slow runs again. */
const standing = new WeakMap<Program, Compiled>();
const lowerings = new WeakMap<Program, Compiled>();
const preludes = new Map<string, Compiled>();

export function asItStands(program: Program): Compiled {
  return (
    standing.get(program) ??
    keptIn(
      standing,
      program,
      withTools(
        preludeAs("", (text) => text),
        bodyOf(program.source),
      ),
    )
  );
}

/** `file`: the lowered text says that it is of this file. */
export function lowered(program: Program, file: string): Compiled {
  const lowerText = (text: string): string => lower(text, { file, sourceType: "script" }).code;
  return (
    lowerings.get(program) ??
    keptIn(lowerings, program, withTools(preludeAs(file, lowerText), bodyOf(lowerText(program.source))))
  );
}

function preludeAs(key: string, made: (text: string) => string): Compiled {
  const found = preludes.get(key) ?? bodyOf(made(prelude));
  preludes.set(key, found);
  return found;
}

function withTools(tools: Compiled, run: Compiled): Compiled {
  return (given) => {
    const made = tools(given);
    if (typeof made !== "object" || made === null) throw new TypeError("The prelude returns no tools");
    return run(made);
  };
}

function bodyOf(text: string): Compiled {
  const body = new Function("given", text);
  return (given) => Reflect.apply(body, undefined, [given]);
}

function keptIn(all: WeakMap<Program, Compiled>, program: Program, compiled: Compiled): Compiled {
  all.set(program, compiled);
  return compiled;
}
