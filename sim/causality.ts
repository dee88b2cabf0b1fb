/**
 * What is kept of the promises of one execution that is told in full, and how it is read afterwards. V8's promises are seen
 * by async hooks, ours tell of themselves; the graph of who waits for whom is made of either.
 */
import type { ReadyJob } from "./jobs.ts";
import type { Delivery } from "./native/delivery.ts";
import type { Rejecter, SourceLocation, WaitLink, WaitRoot } from "./result.ts";
import type { Stack } from "./stack.ts";

/** A promise, and where it comes from. */
export interface Promised {
  readonly id: number;
  /** The line that made it; null where it is nobody's that we can name. */
  readonly at: SourceLocation | null;
  /** The frames of one's own code below that line, as a person reads them. */
  readonly callers: readonly string[];
  /** The delivery in whose drain it was made; null: the scenario's body. */
  readonly within: Delivery | null;
  /** The actor or events source on whose behalf. */
  readonly flow: string;
}

/** From a promise to the one that it waits for. */
export type Step<P extends Promised> = {
  readonly how: WaitLink["how"];
  readonly at: SourceLocation | null;
  readonly to: P | "foreign";
  readonly beside: number;
};

/** An unsettled actor or registered promise. */
export type Waiting = { readonly name: string; readonly promise: object };

export interface Reading<P extends Promised> {
  of(promise: object): P | null;
  /** What the promise waits for; null where nothing is known, or it is a root. `passed`: by id, whatever led here. */
  step(promised: P, passed: ReadonlySet<number>): Step<P> | null;
  root(promised: P): WaitRoot;
}

export interface Reader<T> {
  read<P extends Promised>(reading: Reading<P>): T;
}

/** The part of a log that the engine sees. */
export interface CausalLog {
  /** Wanted for the next execution. */
  wanted: boolean;
  on: boolean;
  /** More promises were made than are kept. */
  readonly overflown: boolean;
  /** No promise was seen. */
  readonly empty: boolean;
  /** The flow to which whatever runs outside of any job belongs. */
  base: string;
  /** I/O that was made to hang. */
  readonly hung: Set<Delivery>;
  /** What is delivered next: the flow goes on that asked for it. */
  place(delivery: Delivery): void;
  ask(delivery: Delivery): void;
  /** The world gives out a promise for a delivery. */
  give(promise: object, delivery: Delivery): void;
  /** Lets `by` read what was kept; `open` are the names of the deliveries that are left. */
  read<T>(open: ReadonlySet<string>, by: Reader<T>): T;
  /** Who rejected the promise; null: not seen. */
  rejecterOf(promise: object): Rejecter | null;
}

/** `callers`: the awaits of those who wait for it, where it is an async function that goes on. */
export type AskedJob = { readonly by: Stack; readonly callers?: readonly Stack[] };

/** Of promises that tell of themselves. */
export interface TellingLog extends CausalLog {
  begin(on: boolean): void;
  /** A job runs that belongs to the drain of this delivery, which may not be the last one. */
  goesOn(within: Delivery | null): void;
  /** Whoever registered a job: at the `await`, at the `then()`, at the resolve(). Null: not known. */
  askedAt(job: ReadyJob): AskedJob | null;
  /** The awaits of those who wait for the job that runs, the nearest first. */
  callers(): readonly Stack[];
}
