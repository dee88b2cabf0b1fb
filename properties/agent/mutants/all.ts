/** One-rule mutants of the agent's reducer: what the model must refute, and what it must not see for a reason. */
import { commandMutants } from "./commands.ts";
import { driverMutants } from "./drivers.ts";
import type { Mutant } from "./mutant.ts";
import { reportMutants } from "./reports.ts";
import { stopMutants } from "./stops.ts";

export type { Mutant } from "./mutant.ts";

export const agentMutants: readonly Mutant[] = [...commandMutants, ...stopMutants, ...reportMutants, ...driverMutants];
