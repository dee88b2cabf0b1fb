/** What a made-up step or delivery of a test says of dependence: nothing was declared, nothing seen. */
import type { PossibleDelivery, TraceStep } from "../execution.ts";

export const untouchedStep: Pick<TraceStep, "source" | "touches" | "observed" | "cancelled"> = {
  source: "",
  touches: null,
  observed: { reads: [], writes: [] },
  cancelled: [],
};

export const untouchedDelivery: Pick<PossibleDelivery, "family" | "touches" | "observed"> = {
  family: { id: 0, label: "" },
  touches: null,
  observed: null,
};
