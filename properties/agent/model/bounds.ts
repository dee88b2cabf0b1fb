/** The sizes of the agent's world: how often each thing may happen before it is used up. */

/** A type and not an interface: a model takes its bounds as a plain record. */
export type Bounds = {
  /** Messages, each by any preset. */
  readonly sends: number;
  /** Cancels, each keeping or clearing the inbox. */
  readonly cancels: number;
  readonly retracts: number;
  readonly disposes: number;
  readonly maintenances: number;
  /** Turn records that storage refuses. */
  readonly writeFaults: number;
  /** Restarts from the log. */
  readonly crashes: number;
  /** Steps of a turn up to which tools may run; a steer may add further ones. */
  readonly steps: number;
};

export const defaultBounds: Bounds = {
  sends: 3,
  cancels: 2,
  retracts: 1,
  disposes: 1,
  maintenances: 1,
  writeFaults: 1,
  crashes: 0,
  steps: 2,
};

/** Everything once, two messages: what a test can visit. */
export const smallBounds: Bounds = { ...defaultBounds, sends: 2, cancels: 1 };
