/**
 * Where generators are hoisted to. A generator that is made anew for each call costs forty times one that is kept, so
 * each is kept in a variable of the scope around its function: of exactly that scope, because a generator holds the
 * variables that it was made among. Where text runs again within one scope (heads of loops, defaults of parameters)
 * there is no scope to keep it in, and it is made anew.
 */
import type { BlockStatement, Program, StaticBlock } from "acorn";

export class Scope {
  readonly #slots: string[] = [];
  readonly #keyword: "var" | "let";

  /** `var` for functions and modules: functions of those may be called before any statement has run. */
  constructor(keyword: "var" | "let") {
    this.#keyword = keyword;
  }

  keep(slot: string): string {
    this.#slots.push(slot);
    return slot;
  }

  /** What declares the variables, or nothing. */
  get declaration(): string {
    return this.#slots.length === 0 ? "" : `${this.#keyword} ${this.#slots.join(", ")};`;
  }
}

/** Where the first statement after the directives may stand; `guard` ends a directive that has no semicolon. */
export function afterDirectives(code: string, block: BlockStatement | Program | StaticBlock, start: number): Opening {
  let at = start;
  let guard = "";
  for (const statement of block.body) {
    if (statement.type !== "ExpressionStatement" || statement.directive === undefined) break;
    at = statement.end;
    guard = code.charAt(at - 1) === ";" ? "" : ";";
  }
  return { at, guard };
}

export type Opening = { readonly at: number; readonly guard: string };
