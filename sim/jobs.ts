/**
 * The queue of microtasks that an execution runs on: V8's own, whose order nobody can change, or ours, whose every job is
 * in our hands. Everything else of an execution is the same on both.
 */

import type { TellingLog } from "./causality.ts";
import type { LeakKind } from "./native/leaks/kinds.ts";

/** Told of what happens in the queue. */
export interface JobHost {
  /** A callback of queueMicrotask or nextTick threw: the drain goes on. */
  uncaught(error: unknown): void;
  /** A rejection that nobody has handled by the end of the drain. */
  unhandled(reason: unknown, promise: unknown): void;
  /** Told before each job, while jobs are counted. */
  jobRan(): void;
  /** Something escaped at the line that is running. */
  leaked(kind: LeakKind): void;
}

/** What runs on behalf of whom: the actor or events source, and what AsyncLocalStorage holds. Null: nothing is known. */
export type Context = { readonly owner: unknown; readonly stores: unknown } | null;

export interface Jobs {
  readonly engine: "native" | "microtask";
  /** What promises tell of themselves; null: V8's do not, and async hooks tell of them. */
  readonly promises: TellingLog | null;
  /** An execution begins: nothing is queued. */
  begin(host: JobHost): void;
  /** It has ended, or was cut off: what is still queued never runs. */
  end(): void;
  /** Runs everything that is queued, and what that queues, to the end, in the order of ECMAScript and Node. */
  drain(): void;
  /** Queues a job of the engine's own: it runs one tick from now. */
  tick(act: () => void): void;
  /** Starts or stops telling the host of each job. */
  count(on: boolean): void;
  /** The context of what is running, to be given back to `enter`. */
  context(): Context;
  /** What runs from here on runs for `owner`, with the stores of `context`. */
  enter(owner: object, context: Context): void;
  /** What runs from here on runs in this context again. */
  back(context: Context): void;
}

/** The jobs of our own queue, for level free: which one runs next is a choice. */
export interface ChosenJobs extends Jobs {
  readonly engine: "microtask";
  /** Tells of every job that becomes ready from here on. */
  tell(onReady: (job: ReadyJob) => void): void;
  /** Writes those that could run now into a list, in the order of ECMAScript and Node, and gives their number. */
  fill(into: (ReadyJob | null)[]): number;
  /** Runs the one at this index. */
  run(index: number): void;
}

export type ReadyJob = {
  /** What kind of job it is, in words that survive edits: `await drive`, `then`, `microtask`. */
  readonly label: string;
  /** Of whoever registered it, which it runs in. */
  readonly frame: Context;
  /** A place for the engine's own. An async function goes on as one job again and again. */
  delivery: unknown;
};
