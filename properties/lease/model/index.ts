/** The lease contract, proved within bounds: for `microloom prove lease`. */
export { defaultBounds, type LeaseBounds, nightlyBounds, smallBounds } from "./bounds.ts";
export { unreachable } from "./goals.ts";
export { type LeaseModel, type LeaseModelOptions, leaseModel } from "./lease-model.ts";
export { type Duties, type LeaseLiveness, leaseLiveness, livenessBounds } from "./liveness.ts";
export { type LeaseScript, play, scriptOf } from "./script.ts";
export { tell } from "./words.ts";
export type { Deed, LeaseReducer, LeaseWorld } from "./world.ts";
