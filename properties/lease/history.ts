/** What can be seen of a lease scheduler from outside, in the order in which it was seen. */
import type { Footprint } from "../../core/lease/state.ts";

export type LeaseSighting =
  | { readonly seen: "requested"; readonly call: string; readonly footprint: Footprint }
  | { readonly seen: "granted"; readonly call: string }
  | { readonly seen: "refused"; readonly call: string; readonly reason: string }
  | { readonly seen: "expired"; readonly call: string }
  | { readonly seen: "released"; readonly call: string };

export type LeaseHistory = { readonly sightings: readonly LeaseSighting[] };

export class LeaseRecording implements LeaseHistory {
  readonly sightings: LeaseSighting[] = [];

  saw(sighting: LeaseSighting): void {
    this.sightings.push(sighting);
  }
}
