import type { LeakKind } from "../leaks/kinds.ts";

/** What the realm needs of the engine. */
export type RealmHost = {
  /** Virtual time in milliseconds; every read is counted, because a loop on a frozen clock never ends. */
  readClock(): number;
  /** A number in [0, 1) from the execution's own stream. */
  random(): number;
  /** 32 bits, as a signed integer, from the execution's stream for cryptography. */
  randomBits(): number;
  /** Told when a job is asked for. */
  jobAsked(): void;
  /** Told before a callback of queueMicrotask runs: the promise hooks do not see it. */
  jobRan(): void;
  /** Runs a nextTick callback; errors go to the execution. */
  runTick(execution: number, callback: (...args: unknown[]) => unknown, args: readonly unknown[]): void;
  readonly execution: number;
  /** An execution is under way. */
  readonly live: boolean;
  /** Others run in this process while the realm is in place: real macrotasks lie between the deliveries. */
  readonly shared: boolean;
  unhandled(reason: unknown, promise: unknown): void;
  /** Something escaped at the line that is running. */
  leaked(kind: LeakKind): void;
  uncaught(error: unknown): void;
};
