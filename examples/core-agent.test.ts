import { createAgent } from "microloom/core";
import { describeAgent } from "microloom/vitest";

describeAgent("the agent of the core", (ports) => createAgent(ports), { executions: 1_200 });
