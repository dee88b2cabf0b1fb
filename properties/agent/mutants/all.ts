/** One-rule mutants of the agent's reducer: what the model must refute, and what it must not see for a reason. */
import { commandMutants } from "./mutants/commands.ts";
import { driverMutants } from "./mutants/drivers.ts";
import type { Mutant } from "./mutants/mutant.ts";
import { reportMutants } from "./mutants/reports.ts";
import { stopMutants } from "./mutants/stops.ts";

export type { Mutant } from "./mutants/mutant.ts";

export const agentMutants: readonly Mutant[] = [...commandMutants, ...stopMutants, ...reportMutants, ...driverMutants];
