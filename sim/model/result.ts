/** What an exploration is asked, tells on its way, and says in the end. */
import type { Violation } from "./judge.ts";
import type { Trace } from "./trace.ts";

export type RunOptions = {
  /** For states and table. 1 GiB by default. */
  readonly memoryBytes?: number;
  readonly stateLimit?: number;
  readonly signal?: AbortSignal;
  readonly onProgress?: (progress: Progress) => void;
};
export type Progress = {
  readonly states: number;
  /** Found and not yet visited. */
  readonly waiting: number;
  readonly edges: number;
  readonly depth: number;
  readonly bytes: number;
};

export type ModelResult<State, Input, Effect> = {
  readonly model: string;
  readonly bounds: Readonly<Record<string, number>>;
  /** `proved`: nothing is broken in any state within the bounds. Goals that nobody reached do not change it. */
  readonly outcome: "proved" | "violated" | "incomplete";
  /** Why it is incomplete. */
  readonly why: string | null;
  readonly states: number;
  readonly edges: number;
  /** Of the last level that was entered; 0 is the initial state. */
  readonly depth: number;
  /** The depth at which each goal was first reached. */
  readonly goals: Readonly<Record<string, number | null>>;
  readonly bytesPerState: number;
  readonly violation: Violation | null;
  readonly counterexample: Trace<State, Input, Effect> | null;
};
