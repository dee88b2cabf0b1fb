/**
 * Reads who waits for which promise from what they have told: an async function stands at its last await, and what
 * `then()` returned comes after what it was called on. Who is going to call a resolve function is not known here either.
 */
import { types } from "node:util";
import type { Reading, Step } from "../causality.ts";
import type { Delivery } from "../native/delivery.ts";
import { rootOf } from "../native/delivery-root.ts";
import { placeOf } from "../native/place.ts";
import type { SourceLocation, WaitRoot } from "../result.ts";
import type { Continuation } from "./continuation.ts";
import { isOwn } from "./promise.ts";
import { linesOf, type PromiseEntry } from "./promise-entry.ts";
import type { Awaiting, OwnPromiseLog } from "./promise-log.ts";

type Way = Step<PromiseEntry>;
type Kept = Pick<OwnPromiseLog, "entries" | "awaited" | "during" | "hung" | "overflown">;

export class TellingReading implements Reading<PromiseEntry> {
  readonly #log: Kept;
  readonly #open: ReadonlySet<string>;
  /** By the promise that it will settle, where each continuation stands. */
  readonly #standing = new Map<PromiseEntry, Awaiting>();

  constructor(log: Kept, open: ReadonlySet<string>) {
    this.#log = log;
    this.#open = open;
    for (const [job, awaiting] of log.awaited) for (const own of this.#ofJob(job)) this.#standing.set(own, awaiting);
  }

  of(promise: object): PromiseEntry | null {
    return this.#log.entries.get(promise) ?? null;
  }

  step(made: PromiseEntry): Way | null {
    if (made.settled) return null;
    if (made.follows !== null) return this.#wait("resolved with", null, made.follows);
    if (made.after !== null) return this.#wait("then", made.at, made.after.promise);
    if (made.combines !== null) return this.#combined(made, made.combines);
    const standing = this.#standing.get(made);
    if (standing === undefined) return this.#executed(made);
    const { promise, where } = standing;
    return promise === null ? null : this.#wait("await", where === null ? null : placeOf(linesOf(where)), promise);
  }

  root(made: PromiseEntry): WaitRoot {
    if (made.settled) return { kind: "unknown" };
    if (made.asked !== null) return this.#delivery(made.asked) ?? { kind: "unknown" };
    if (!made.handedOut) return { kind: "unknown" };
    return (made.timer === null ? null : this.#delivery(made.timer)) ?? { kind: "code" };
  }

  #ofJob(job: Continuation): readonly PromiseEntry[] {
    return job.settles().flatMap((own) => this.of(own) ?? []);
  }

  #wait(how: Way["how"], at: SourceLocation | null, promise: unknown, beside = 0): Way | null {
    if (typeof promise !== "object" || promise === null) return null;
    const to = this.of(promise);
    if (to !== null) return to.settled ? null : { how, at, to, beside };
    // One of ours that did not tell that it was made is older, unless more were made than are kept.
    const foreign = types.isPromise(promise) || (isOwn(promise) && !this.#log.overflown);
    return foreign ? { how, at, to: "foreign", beside } : null;
  }

  #combined({ at }: PromiseEntry, { how, promises }: NonNullable<PromiseEntry["combines"]>): Way | null {
    const steps = promises.flatMap((promise) => this.#wait(how, at, promise) ?? []);
    const [first] = steps;
    return first === undefined ? null : { ...first, beside: steps.length - 1 };
  }

  /**
   * What the executor of a promise follows itself, and goes on to follow from the same line: so an async function that was
   * compiled for an older target drives its generator.
   */
  #executed(made: PromiseEntry): Way | null {
    for (const each of made.executed) {
      const last = this.#again(each);
      const step = last.settled || last.after === null ? null : this.#wait("executor", last.at, last.after.promise);
      if (step !== null) return step;
    }
    return null;
  }

  /** The last of the reactions of which each puts the next one on another promise, at the same line. */
  #again(reaction: PromiseEntry): PromiseEntry {
    let last = reaction;
    for (let next: PromiseEntry | undefined = reaction; next !== undefined; ) {
      last = next;
      const { line, after } = last;
      next = after === null ? undefined : this.#log.during.get(after.job)?.find((each) => each.line === line);
    }
    return last;
  }

  #delivery(delivery: Delivery): WaitRoot | null {
    return rootOf(delivery, this.#log.hung, this.#open);
  }
}
