/** What an invariant of the model may look at, and the two shapes that it may have. */
import type { LeaseEffect, LeasePolicy } from "../../../core/lease/state.ts";
import type { StateInvariant, StepInvariant } from "../../../sim/model/model.ts";
import type { LeaseBounds } from "./bounds.ts";
import type { Ground } from "./ground.ts";
import type { Deed, LeaseReducer, LeaseWorld } from "./world.ts";

export type Setting = {
  readonly policy: LeasePolicy;
  readonly bounds: LeaseBounds;
  readonly ground: Ground;
  readonly reducer: LeaseReducer;
};

export type InState = StateInvariant<LeaseWorld>;
export type InStep = StepInvariant<LeaseWorld, Deed, LeaseEffect>;
