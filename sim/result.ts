/** The words in which a search speaks of what it found. Plain data, the same bytes on every machine. */

export type Level = "spec" | "jitter" | "free";
export type Verdict = "bug" | "fragile" | "unordered";
export type EngineName = "native" | "microtask" | "auto";
export type StrategyName =
  | "portfolio"
  | "first-come"
  | "placement"
  | "starve"
  | "random"
  | "pct"
  | "pos"
  | "urw"
  | "surw"
  | "orderings"
  | "delay-bounded"
  | "depth-first"
  | "dpor";

export type ExploreOptions = {
  readonly level?: Level;
  readonly engine?: EngineName;
  readonly strategy?: StrategyName;
  readonly executions?: number;
  readonly timeMs?: number;
  readonly seed?: string;
  readonly stepLimit?: number;
  readonly jitterTicks?: number | "measured";
  readonly overtakes?: number;
  readonly script?: readonly unknown[];
  readonly signal?: AbortSignal;
  /** `flat` ends before the budget is spent: all goals reached and nothing new to be expected. */
  readonly until?: Until;
};

export type Until = "spent" | "flat";

/** What ended a search that held: its budget, nothing left to try, nothing new to be expected, or the caller. */
export type HowEnded = "spent" | "exhausted" | "flat" | "stopped";

export type ViolationKind = "always" | "quiescence" | "error" | "stuck" | "livelock" | "liveness";

export type Violation = {
  readonly kind: ViolationKind;
  readonly name: string;
  readonly detail: string;
  /** The delivery after which it was seen; null before the first. */
  readonly at: string | null;
  readonly stack?: string;
};

export type Reached = { readonly goals: Record<string, number>; readonly missing: readonly string[] };

export type Certificate = {
  readonly classes: number;
  readonly of: "classes" | "orders";
  readonly level: Level;
  readonly blocked: number;
  readonly bounds: Record<string, number>;
  readonly assumes: readonly string[];
};

export type Estimate = { readonly classes: number; readonly relativeError: number; readonly probes: number };

/**
 * Pairs of conflicting deliveries (by source and label) that were open at once: how many there are, and how many went
 * first either way. Of those that were seen in one order only, the first twenty by name.
 */
export type RaceCoverage = {
  readonly pairs: number;
  readonly bothOrders: number;
  readonly oneOrder: readonly RacePair[];
};

/** `first` has always gone first; the locations are where the two are asked for. */
export type RacePair = {
  readonly first: string;
  readonly then: string;
  readonly firstAt: SourceLocation | null;
  readonly thenAt: SourceLocation | null;
};

export type SourceLocation = { readonly file: string; readonly line: number; readonly column: number };

/** Strikes the delivery it names. `late` lets it arrive at tick `arg` (1 …) of the drain of the delivery before it. */
export type Fault = {
  readonly at: string;
  readonly kind: "fail" | "late" | "hang" | "partial" | "crash";
  readonly arg?: number;
};

/** Hold `then` until `first` has run. */
export type Ordering = { readonly first: string; readonly then: string };
