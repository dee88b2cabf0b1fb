/** One promise of an execution that is told in full, as it has told of itself. */
import type { Promised } from "../causality.ts";
import type { Delivery } from "../native/delivery.ts";
import { callersOf, placeOf } from "../native/place.ts";
import type { Rejecter, SourceLocation } from "../result.ts";
import { type Stack, type StackLine, stackLines } from "../stack.ts";
import type { Job } from "./job.ts";
import type { Combining } from "./told.ts";

export class PromiseEntry implements Promised {
  readonly id: number;
  readonly within: Delivery | null;
  readonly flow: string;
  /** The promise whose executor was running. */
  readonly executor: PromiseEntry | null;
  readonly where: Error;
  #lines: readonly StackLine[] | null = null;

  settled = false;
  rejected: Rejecting | null = null;
  /** Code under test holds what settles it. */
  handedOut = false;
  /** It stands around a thenable that is awaited, and that line made it, whatever the stack says. */
  around = false;
  awaitedAt: Error | null = null;
  /** The delivery that settles it. */
  asked: Delivery | null = null;
  /** The first timer that its executor has armed. */
  timer: Delivery | null = null;
  /** It was resolved with this one. */
  follows: object | null = null;
  /** `then()` returned it: it comes after this one, by that job. */
  after: { readonly promise: object; readonly job: Job } | null = null;
  combines: { readonly how: Combining; readonly promises: unknown[] } | null = null;
  /** What `then()` returned while its executor was running. */
  readonly executed: PromiseEntry[] = [];

  constructor(id: number, within: Delivery | null, flow: string, executor: PromiseEntry | null, where: Error) {
    this.id = id;
    this.within = within;
    this.flow = flow;
    this.executor = executor;
    this.where = where;
  }

  /** Read only for a result, because to write a stack out costs more than to keep it. */
  get lines(): readonly StackLine[] {
    this.#lines ??= linesOf(this.where);
    return this.#lines;
  }

  get at(): SourceLocation | null {
    return placeOf(this.#made());
  }

  get callers(): readonly string[] {
    return callersOf(this.#made());
  }

  /** Of the line that made it: for one that an await has made around its value, that of the await. */
  #made(): readonly StackLine[] {
    if (!this.around) return this.lines;
    return this.awaitedAt === null ? [] : linesOf(this.awaitedAt);
  }

  /** The innermost line of code that is not ours, to the column. */
  get line(): string | null {
    return this.lines.find(({ frame }) => frame !== null)?.text ?? null;
  }
}

/** Whoever has rejected it: the stack, and that of the `await` or `then()` whose job has done it. */
export type Rejecting = {
  readonly by: string;
  readonly within: string | null;
  readonly where: Error;
  readonly after: Stack | null;
};

export function rejecterOf({ by, within, where, after }: Rejecting): Rejecter {
  return { by, within, at: placeOf(linesOf(where)), after: after === null ? null : placeOf(linesOf(after)) };
}

export function linesOf({ stack }: Stack): readonly StackLine[] {
  return stackLines(stack ?? "");
}
