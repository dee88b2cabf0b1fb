/**
 * The lease's reducer with one rule changed each. Every suite judges them: the model, the second reading, the reducer's own
 * invariants, and the host seen from outside. What none of them sees is either a hole in all of them, or `survives` says
 * why no run can tell it from the original.
 */
import { closeMutants } from "./close.ts";
import { endsMutants } from "./ends.ts";
import { familyMutants } from "./family.ts";
import { fencesMutants } from "./fences.ts";
import type { LeaseMutant } from "./mutant.ts";
import { queueingMutants } from "./queue.ts";
import { timeMutants } from "./time.ts";

export type { LeaseMutant } from "./mutant.ts";

export const leaseMutants: readonly LeaseMutant[] = [
  ...queueingMutants,
  ...familyMutants,
  ...endsMutants,
  ...timeMutants,
  ...closeMutants,
  ...fencesMutants,
];

/** Throws for a name that the list does not have. */
export function leaseMutant(name: string): LeaseMutant {
  const found = leaseMutants.find((mutant) => mutant.name === name);
  if (found === undefined) throw new Error(`There is no mutant ${name}`);
  return found;
}
