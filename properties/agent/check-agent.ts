/** Judges anybody's agent by the promises of the contract that can be seen from outside. */

import type { Scenario } from "../../sim/scenario.ts";
import { check } from "../kit/check.ts";
import { type CheckOptions, type CheckPlan, checkPlanOf } from "../kit/check-options.ts";
import type { CheckReport } from "../kit/check-report.ts";
import type { Family } from "../kit/family.ts";
import { Fixture } from "../kit/fixture.ts";
import { agentFamily } from "./family.ts";
import { lateAgentPorts } from "./late-ports.ts";
import type { AgentPorts, AgentUnderTest } from "./ports.ts";

export type MakeAgent = (ports: AgentPorts) => AgentUnderTest | Promise<AgentUnderTest>;

/**
 * Gives the agent that `make` returns scripts of commands (the kept ones, then drawn ones), explores the schedules of
 * each, and says which promises held and which were broken, each with a repro of one script. A promise that `make` returns
 * is awaited before the first command, and what it does is not explored. Throws ExploreOptionsError.
 */
export async function checkAgent(make: MakeAgent, options: CheckOptions = {}): Promise<CheckReport> {
  const plan = checkPlanOf(options);
  return check(...agentCheck(make, plan), plan);
}

/** What a check needs of an agent. */
export function agentCheck(make: MakeAgent, plan: CheckPlan, name?: string): readonly [Family, Fixture<AgentPorts>] {
  const fixture = new Fixture<AgentPorts>({ make, unmake: plan.unmake, latePorts: lateAgentPorts });
  return [agentFamily(fixture, plan, name), fixture];
}

/**
 * The scenario that the repros of `checkAgent` are about, to replay them: the script is in the repro. Throws
 * ExploreOptionsError.
 */
export function agentUnderTest(
  make: MakeAgent,
  options: Pick<CheckOptions, "policy" | "unmake" | "without"> & { readonly name?: string } = {},
): Scenario {
  const { name, ...asked } = options;
  const plan = checkPlanOf(asked);
  const [family, fixture] = agentCheck(make, plan, name);
  fixture.foresee();
  return family.scenario({ without: plan.without, muted: new Set(), noted: true });
}
