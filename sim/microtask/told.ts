/**
 * Causality: who made a promise, who waits for it, who settled it. Nobody is told while searching (null, and the cost of
 * asking is a comparison); a failing schedule is run again and told in full.
 */
import type { Continuation } from "./continuation.ts";
import type { Job } from "./job.ts";

export type Combining = "all" | "allSettled" | "any" | "race";

export type Told = {
  made(promise: object, where: Error): void;
  /** It stands around a thenable that is awaited: the line of that await made it. */
  around(promise: object): void;
  /** Code has the functions that settle it: an executor that is called now, or whoever called withResolvers(). */
  handedOut(promise: object, to: "executor" | "caller"): void;
  /** The executor has returned. */
  executed(promise: object): void;
  /**
   * An async function or generator waits; `promise` is null when what it awaits is no promise, and may be a native one.
   * `where` is null when the line is not known.
   */
  awaiting(job: Continuation, promise: object | null, where: Error | null): void;
  /** `then()` was called; `derived` is what it returned, null when nobody can see that. */
  reacting(job: Job, promise: object, derived: object | null): void;
  /** Promise.all() and the like: `result` waits for `promise`. */
  combining(how: Combining, result: object, promise: unknown): void;
  /** A job of another kind will run; `where` is null when the job under way hands on its own. */
  queued(job: Job, where: Error | null): void;
  /** A promise was resolved with another one or a thenable, and has its fate from now on. */
  following(promise: object, followed: object): void;
  /** A promise was settled, by the job that `running()` gives (null: by a delivery). */
  settled(promise: object, how: "fulfilled" | "rejected"): void;
};

let told: Told | null = null;
let site: Error | null = null;

/** Whoever is told; null: nobody. */
export function listener(): Told | null {
  return told;
}

export function tell(next: Told | null): void {
  told = next;
  site = null;
}

/** Keeps the line of an await until the one who drives the generator comes to it. */
export function keepSite(): void {
  site = new Error("awaited here");
}

export function currentSite(): Error | null {
  return site;
}

export function takeSite(): Error | null {
  const taken = site;
  site = null;
  return taken;
}
