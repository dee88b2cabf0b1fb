/** What a check has to say of its subject. Plain data; equal seeds give equal bytes. */
import type { Repro } from "../../repro/repro.ts";
import type { Verdict, Violation } from "../../sim/result.ts";

/** One invariant broken in one way: by a shrunk script of one shape (the types of its commands). */
export type Broken = {
  readonly invariant: string;
  readonly verdict: Verdict;
  readonly violation: Violation;
  readonly repro: Repro;
};

/**
 * What is wrong with the subject or its factory before any promise is judged. `unsettled`: something that was promised to
 * settle has not, with nothing left to happen. `threw`: a command that must be taken was not, or an error escaped.
 */
export type ProblemKind =
  | "factory-threw"
  | "bad-shape"
  | "unsettled"
  | "after-dispose"
  | "threw"
  | "leaked"
  | "diverged";
export type Problem = { readonly kind: ProblemKind; readonly detail: string; readonly repro?: Repro };

export type Skipped = { readonly invariant: string; readonly because: string };

export type CheckReport = {
  readonly held: readonly string[];
  /** At most five for each invariant. */
  readonly broken: readonly Broken[];
  readonly skipped: readonly Skipped[];
  /** Goals that no execution has reached, of those that the subject can be asked for. */
  readonly notReached: readonly string[];
  readonly executions: number;
  readonly problems: readonly Problem[];
};
