/** What `microloom/properties` offers: promises to check an agent against, ports to build one on, scenarios that run. */
import type { Scenario } from "../sim/scenario.ts";
import { coreAgent, looksThenLeaves, parksLateWakes } from "./agent/scenarios.ts";
import { coreLease, refusesSiblings } from "./lease/scenarios.ts";

export { always as agentAlways, atQuiescence as agentAtQuiescence } from "./agent/contract.ts";
export type { History, Observation } from "./agent/history.ts";
export type { Labels, StepPlan } from "./agent/outside.ts";
export type { AgentPorts, AgentUnderTest } from "./agent/ports.ts";
export {
  type AgentScenarioOptions,
  agentScenario,
  coreAgent,
  looksThenLeaves,
  parksLateWakes,
} from "./agent/scenarios.ts";
export type { Script, ScriptStep } from "./agent/script.ts";
export type { Goal, Invariant } from "./invariant.ts";
export type { LeasePorts, LeaseSchedulerUnderTest } from "./lease/ports.ts";
export { coreLease, type LeaseScenarioOptions, leaseScenario, refusesSiblings } from "./lease/scenarios.ts";

/** Scenarios that come with the package, by the name that repro files use. */
export const builtInScenarios: ReadonlyMap<string, Scenario> = new Map(
  [parksLateWakes, looksThenLeaves, coreAgent, refusesSiblings, coreLease].map((scenario) => [scenario.name, scenario]),
);
