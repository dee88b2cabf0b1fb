/**
 * The two sides of a lease scheduler as the kit sees them: what it must offer, and what it is given. Subjects and other
 * people's schedulers are written against these types only. Time is the virtual setTimeout.
 */
import type { Footprint } from "../../core/lease/state.ts";

export type LeaseRequest = {
  readonly call: string;
  readonly owner: string;
  readonly footprint: Footprint;
  readonly needsApproval?: boolean;
  readonly signal: AbortSignal;
};

export type LeaseSpawn = { readonly child: string; readonly owner: string; readonly paths: readonly string[] };

export type LeaseSchedulerUnderTest = {
  acquire(call: LeaseRequest): Promise<{ release(): void; readonly fence?: number }>;
  /** Throws or rejects when refused. */
  spawn(child: LeaseSpawn): unknown;
  finish(child: string): unknown;
  close?(owner: string): unknown;
};

export type LeasePorts = { approve(call: string): Promise<boolean> };
