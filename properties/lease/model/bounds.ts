/** How large the modelled world is. Every number is one of things that are there at the same time; runs are as long as they like. */
export type LeaseBounds = {
  /** Live calls. */
  readonly calls: number;
  /** Of these, how many may wait for approval. */
  readonly approvals: number;
  readonly children: number;
  /** Calls and children together. */
  readonly together: number;
  /** Inputs that fit nothing are tried beside at most so many calls and children: the reducer turns them away by their id. */
  readonly misfits: number;
  /** Closed owners that still have something, or whose stuck limit has not passed. */
  readonly closes: number;
  /** How many of the ground's paths, in its order. */
  readonly paths: number;
  readonly waitLimitMs: number;
  readonly stuckLimitMs: number;
};

/**
 * One millisecond is enough for both limits. Time matters only where something is due, and whether it is: everything that
 * comes before time passes is due together, what comes between that and the tick is not, and either limit may be passed
 * first, because a close may come before or after.
 */
export const defaultBounds: LeaseBounds = {
  calls: 4,
  approvals: 1,
  children: 2,
  together: 4,
  misfits: 3,
  closes: 1,
  paths: 3,
  waitLimitMs: 1,
  stuckLimitMs: 1,
};

/** All rules and most goals, in a second or two. */
export const smallBounds: LeaseBounds = { ...defaultBounds, calls: 3, together: 3, misfits: 2 };

/** For a night: one lease more at the same time, two questions, a fourth path. */
export const nightlyBounds: LeaseBounds = { ...defaultBounds, approvals: 2, together: 5, misfits: 4, paths: 4 };
