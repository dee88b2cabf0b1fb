/** What can be seen of a lease scheduler from outside, in the order in which it was seen. */

import { defaultPolicy, type Footprint, type LeasePolicy } from "../../core/lease/state.ts";
import { own, touch } from "../../sim/owned.ts";
import { ordersOf } from "./readings.ts";

/**
 * Of one delivery the ends come before the grants: a scheduler hands a grant over a job later than it says no. `reason`,
 * `path` and `holder` are null where it does not tell them, and so is a fence.
 */
export type LeaseSighting =
  | {
      readonly seen: "requested";
      readonly call: string;
      readonly owner: string;
      readonly footprint: Footprint;
      readonly needsApproval: boolean;
      readonly aborted: boolean;
      readonly atMs: number;
    }
  /** The user is asked for approval, and says something. */
  | { readonly seen: "asked"; readonly call: string }
  | { readonly seen: "answered"; readonly call: string; readonly yes: boolean; readonly atMs: number }
  /** `onItsWay`: its promise had settled when the call was stopped, and only its caller had not heard of it. */
  | { readonly seen: "granted"; readonly call: string; readonly fence: number | null; readonly onItsWay?: boolean }
  | { readonly seen: "cancelled"; readonly call: string }
  | { readonly seen: "expired"; readonly call: string; readonly path: string | null; readonly atMs: number }
  | ({ readonly seen: "refused"; readonly call: string } & Refusal)
  | { readonly seen: "released"; readonly call: string; readonly fence: number | null }
  | { readonly seen: "aborted"; readonly call: string }
  | { readonly seen: "closed"; readonly owner: string; readonly atMs: number }
  | ({ readonly seen: "spawning"; readonly owner: string; readonly paths: readonly string[] } & SpawnName)
  | ({ readonly seen: "spawned"; readonly fence: number | null } & SpawnName)
  | ({ readonly seen: "spawn-refused" } & SpawnName & Refusal)
  | { readonly seen: "finished"; readonly child: string; readonly fence: number | null }
  /** The drain is over in which everything from the sighting number `from` on was seen; told where its order is in question. */
  | { readonly seen: "drained"; readonly from: number }
  /**
   * The timer came that the scheduler had set. With `overMs` its timers may come one by one: what was due by then has been
   * dealt with, what is due at `atMs` may be about to.
   */
  | { readonly seen: "woken"; readonly atMs: number; readonly overMs?: number }
  /** Until when it sleeps, once a delivery has been dealt with; told when it changes. */
  | { readonly seen: "sleeps"; readonly untilMs: number | null; readonly atMs: number }
  /** What it answers to the check right before the irreversible act; told when it changes. */
  | {
      readonly seen: "may-write";
      readonly holder: string;
      readonly fence: number;
      readonly path: string;
      readonly may: boolean;
    };

/** `attempt`: tells it from others of the same child that are under way; the first one needs none. */
export type SpawnName = { readonly child: string; readonly attempt?: number };

/** `inOwnWords`: it tells no reason of the contract, only a text. */
export type Refusal = {
  readonly reason: string;
  readonly path: string | null;
  readonly holder: string | null;
  readonly inOwnWords?: boolean;
};

export type LeaseHistory = { readonly policy: LeasePolicy; readonly sightings: readonly LeaseSighting[] };

export class LeaseRecording implements LeaseHistory {
  readonly policy: LeasePolicy;
  readonly sightings: LeaseSighting[] = [];
  /** Told what was seen, as it is seen. */
  onSeen: ((sighting: LeaseSighting) => void) | null = null;
  /** What was seen before belongs to an earlier delivery. */
  #from = 0;

  constructor(policy: Partial<LeasePolicy> = {}) {
    this.policy = { ...defaultPolicy, ...policy };
    own(this);
  }

  saw(sighting: LeaseSighting): void {
    touch(this);
    this.sightings.push(sighting);
    this.onSeen?.(sighting);
  }

  /** After each delivery and its drain, however many others came within it. */
  drained(): void {
    const from = this.#from;
    if (ordersOf(this.sightings.slice(from)).length > 1) this.sightings.push({ seen: "drained", from });
    this.#from = this.sightings.length;
  }
}

/** Puts one sighting into a line of text. */
export function describeSighting(sighting: LeaseSighting): string {
  const { seen, ...rest } = sighting;
  const told = Object.entries(rest).filter(([, value]) => value !== null && value !== false);
  return [seen, ...told.map(([name, value]) => `${name}=${JSON.stringify(value)}`)].join(" ");
}
