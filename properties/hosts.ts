/**
 * The hosts of the core under every policy, by the names that repros of counterexamples use. They are not among the scenarios
 * that are explored unasked: under other policies there is nothing new to see for somebody who has no counterexample.
 */
import type { Scenario } from "../sim/scenario.ts";
import { coreAgents } from "./agent/scenarios.ts";
import { coreLeaseScript } from "./lease/script-scenario.ts";

export const hostScenarios: ReadonlyMap<string, Scenario> = new Map(
  [...coreAgents, coreLeaseScript].map((scenario) => [scenario.name, scenario]),
);
