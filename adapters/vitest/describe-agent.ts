import { checkAgent, type MakeAgent } from "../../properties/agent/check-agent.ts";
import { agentPromises } from "../../properties/agent/family.ts";
import type { CheckOptions } from "../../properties/kit/check-options.ts";
import { type DescribeCheckOptions, describeCheck } from "./describe-check.ts";

/** Declares a test for each promise that an agent of this kind has to keep, and judges it once for all of them. */
export function describeAgent(name: string, make: MakeAgent, options: DescribeCheckOptions = {}): void {
  const run = (asked: CheckOptions) => checkAgent(make, asked);
  describeCheck(name, { promises: agentPromises, run, underTest: "agentUnderTest" }, options);
}
