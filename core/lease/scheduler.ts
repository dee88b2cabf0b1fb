/** What an application holds: the scheduler of a workspace, and the leases it gets from it. */
import type { Footprint, LeaseState } from "./state.ts";

export type AcquireOptions = {
  readonly call: string;
  readonly owner: string;
  readonly footprint: Footprint;
  readonly needsApproval?: boolean;
  readonly signal: AbortSignal;
};
export type SpawnOptions = { readonly child: string; readonly owner: string; readonly paths: readonly string[] };

export type LeaseScheduler = {
  /** Resolves when the call may run. Rejects with AbortError, LeaseTimeoutError or LeaseRefusedError. */
  acquire(options: AcquireOptions): Promise<Grant>;
  /** Claims the child's files. Throws LeaseRefusedError. */
  spawn(options: SpawnOptions): Claim;
  /** Ends the claim that the child has now; without one it does nothing. */
  finish(child: string): void;
  close(owner: string): void;
  /** The check right before the irreversible act. */
  canWrite(lease: Pick<Grant, "holder" | "fence">, path: string): boolean;
  /** For displays and for persisting `nextFence`; a value, never changed in place. */
  readonly state: LeaseState;
};

/** A root call that may run now. Releasing twice, or after it was fenced off, does nothing. */
export type Grant = { readonly holder: string; readonly fence: number; release(): void } & Disposable & AsyncDisposable;

/** A child's files, until it finishes. Finishing twice does nothing, also when another child has taken the id since. */
export type Claim = { readonly holder: string; readonly fence: number; finish(): void };
