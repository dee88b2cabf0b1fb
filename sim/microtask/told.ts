/**
 * Causality: who made a promise, who waits for it, who settled it. Nobody is told while searching (null, and the cost of
 * asking is a comparison); a failing schedule is run again and told in full.
 */
import type { Job } from "./job.ts";

export type Told = {
  made(promise: object, where: Error): void;
  /** An async function or generator waits; `promise` is null when what it awaits is no promise. */
  awaiting(job: Job, promise: object | null, where: Error | null): void;
  /** `then()` was called; `derived` is what it returned, null when nobody can see that. */
  reacting(job: Job, promise: object, derived: object | null): void;
  /** A promise was resolved with another one or a thenable, and has its fate from now on. */
  following(promise: object, followed: object): void;
  /** A promise was settled, by the job that `running()` gives (null: by a delivery). */
  settled(promise: object): void;
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

export function takeSite(): Error | null {
  const taken = site;
  site = null;
  return taken;
}
