/** What `microloom/properties` offers: promises to check an agent or a lease scheduler against, ports to build one on, scenarios that run. */
import type { Scenario } from "../sim/scenario.ts";
import { coreAgent, looksThenLeaves, parksLateWakes } from "./agent/scenarios.ts";
import { subjects } from "./agent/subjects/scenarios.ts";
import { coreLease, refusesSiblings, wrongLeases } from "./lease/scenarios.ts";

export type { AgentPolicy, Decision, Message, Note, StepOutcome, TurnRecord } from "../core/agent/state.ts";
export { agentUnderTest, checkAgent, type MakeAgent } from "./agent/check-agent.ts";
export { always as agentAlways, atQuiescence as agentAtQuiescence } from "./agent/contract.ts";
export type { History, Observation, Sighting } from "./agent/history.ts";
export type { Labels, OutsideOptions, StepPlan } from "./agent/outside.ts";
export type { AgentPorts, AgentUnderTest, RemovalOutcome, StepCall } from "./agent/ports.ts";
export {
  type AgentScenarioOptions,
  agentScenario,
  coreAgent,
  looksThenLeaves,
  parksLateWakes,
} from "./agent/scenarios.ts";
export type { InsidePlace, InsideStep, OutsideStep, Script, ScriptStep, UserStep } from "./agent/script.ts";
export type { Goal, Invariant } from "./invariant.ts";
export type { CheckOptions, Word } from "./kit/check-options.ts";
export type { Broken, CheckReport, Problem, ProblemKind, Skipped } from "./kit/check-report.ts";
export {
  checkLeaseScheduler,
  leaseSchedulerUnderTest,
  type MakeLeaseScheduler,
} from "./lease/check-lease-scheduler.ts";
export type { LeasePorts, LeaseRequest, LeaseSchedulerUnderTest, LeaseSpawn } from "./lease/ports.ts";
export {
  coreLease,
  type LeaseScenarioOptions,
  leaseScenario,
  refusesSiblings,
  type ToolCall,
} from "./lease/scenarios.ts";

/** Scenarios that come with the package, by the name that repro files use. */
export const builtInScenarios: ReadonlyMap<string, Scenario> = new Map(
  [parksLateWakes, looksThenLeaves, ...subjects, coreAgent, refusesSiblings, ...wrongLeases, coreLease].map(
    (scenario) => [scenario.name, scenario],
  ),
);
