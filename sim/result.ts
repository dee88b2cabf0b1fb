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
  /** Why the promise matters, where whoever declared the condition said so. */
  readonly why?: string;
  /** The line that declared the condition, where the failure was told in full. */
  readonly declaredAt?: SourceLocation;
  /** Who waits for whom; where somebody is left waiting (`stuck`, `liveness`, `livelock`) and the failure was told in full. */
  readonly waits?: WaitGraph;
  /** Where a rejection that nobody has handled comes from, where the failure was told in full. */
  readonly rejection?: Rejection;
};

/** A promise that was rejected, and who rejected it; null where that is not known. */
export type Rejection = { readonly made: MadePromise | null; readonly rejected: Rejecter | null };

export type Rejecter = {
  /** The actor or events source on whose behalf. */
  readonly by: string;
  /** The delivery in whose drain; null: the scenario's body. */
  readonly within: string | null;
  /** The line that called what rejects it; null: an async function threw, as the stack of the reason tells, or it is not known. */
  readonly at: SourceLocation | null;
  /** The line of the `await` or `then()` that went on to reject it; null: none did, or it is not known. */
  readonly after: SourceLocation | null;
};

/** The wait-for graph of an execution that did not come to its end. Plain data. */
export type WaitGraph = {
  /**
   * `all`: the hooks saw every promise. `part`: there were more than are kept, or the hooks were given up. `none`: async
   * hooks cannot be used in this process, so only the names are known.
   */
  readonly seen: "all" | "part" | "none";
  readonly waits: readonly Wait[];
  /** How many more are unsettled that `waits` does not tell. */
  readonly more: number;
  /** Each waits for the next, or for a promise that the next one made, and the last for the first; empty: none is known. */
  readonly cycle: readonly string[];
  /** Where it never comes to rest (`liveness`, `livelock`). */
  readonly kept?: KeptGoing;
};

/** What keeps an execution from its end, and what never gets its turn because of it. */
export type KeptGoing = {
  /** `drain`: the microtasks of one delivery, or of the scenario's body. `deliveries`: those that come over and over. */
  readonly by: "drain" | "deliveries";
  /** In the order of their coming, by source and label; each with the line that goes on or that asked for the first. */
  readonly what: readonly { readonly name: string; readonly at: SourceLocation | null }[];
  /** Deliveries that are open and are never due, or never reached. */
  readonly starved: readonly string[];
};

/** One unsettled actor or registered promise, and how far the way from it to what it waits for is known. */
export type Wait = {
  readonly who: string;
  /** How many more wait at the same lines for the same kind of thing. */
  readonly alike: number;
  /** Its own promise; null: not known. */
  readonly made: MadePromise | null;
  /** From the outside in: at `at` there waits, for the promise `made`, whatever the link before it waits for. */
  readonly links: readonly WaitLink[];
  /** Why the last of these promises is not settled. */
  readonly root: WaitRoot;
};

export type WaitLink = {
  readonly how: "await" | "then" | "resolved with" | "executor" | "all" | "race" | "any" | "allSettled";
  /** The line that waits; null where it is nobody's that we can name. */
  readonly at: SourceLocation | null;
  readonly made: MadePromise;
  /** How many promises beside this one are waited for there. */
  readonly beside: number;
};

export type MadePromise = {
  readonly at: SourceLocation | null;
  /** Who called that line, innermost first, one frame each (`at name (file:line:column)`); absent where nobody else did. */
  readonly calledBy?: readonly string[];
  /** The delivery in whose drain it was made; null: the scenario's body. */
  readonly within: string | null;
  /** The actor or events source on whose behalf. */
  readonly by: string;
};

/**
 * `hung`: I/O that was made to hang. `open`: a delivery that has not come. `cancelled`: a timer that was cleared. `other`:
 * another actor or registered promise that is unsettled. `code`: the code under test holds what settles it (a list of
 * waiters, an emitter), and nothing that came has called it. `foreign`: it is older than the execution. `unknown`: the
 * way is lost here.
 */
export type WaitRoot =
  | { readonly kind: "hung" | "open" | "cancelled"; readonly delivery: string }
  | { readonly kind: "other"; readonly who: string }
  | { readonly kind: "code" | "foreign" | "unknown" };

export type Reached = { readonly goals: Record<string, number>; readonly missing: readonly string[] };

export type Certificate = {
  readonly classes: number;
  readonly of: "classes" | "orders";
  readonly level: Level;
  readonly blocked: number;
  readonly bounds: Record<string, number>;
  readonly assumes: readonly string[];
};

/** Two deliveries that were declared independent, and are not. */
export type Mistaken = { readonly first: string; readonly then: string; readonly differs: string };

export type Estimate = {
  readonly classes: number;
  /** Orders, where nothing was declared to be touched. */
  readonly of: "classes" | "orders";
  readonly relativeError: number;
  readonly probes: number;
};

/**
 * Pairs of conflicting deliveries (by source and label) that were open at once: how many there are, and how many went
 * first either way. Of those that were seen in one order only, the first twenty by name.
 */
export type RaceCoverage = {
  readonly pairs: number;
  readonly bothOrders: number;
  readonly oneOrder: readonly RacePair[];
  /** Where precision was lost; absent where everything is declared, or nothing. */
  readonly undeclared?: Undeclared;
};

/**
 * Deliveries (by source and label) that were taken to touch everything because nothing was declared for them, and the first
 * twenty of them with the lines that ask for them. A timer is one of them wherever there is one.
 */
export type Undeclared = {
  readonly families: number;
  readonly told: readonly { readonly name: string; readonly at: SourceLocation | null }[];
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
