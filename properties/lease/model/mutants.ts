/**
 * The lease's reducer with one rule changed each. The model has to refute them, or it sees less than it says; `survives` is
 * the reason of those that no run can tell from the original.
 */
import { closeMutants } from "./mutants/close.ts";
import { endsMutants } from "./mutants/ends.ts";
import { familyMutants } from "./mutants/family.ts";
import { fencesMutants } from "./mutants/fences.ts";
import type { LeaseMutant } from "./mutants/mutant.ts";
import { queueingMutants } from "./mutants/queue.ts";
import { timeMutants } from "./mutants/time.ts";

export type { LeaseMutant } from "./mutants/mutant.ts";

export const leaseMutants: readonly LeaseMutant[] = [
  ...queueingMutants,
  ...familyMutants,
  ...endsMutants,
  ...timeMutants,
  ...closeMutants,
  ...fencesMutants,
];
