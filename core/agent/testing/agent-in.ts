import { expect } from "vitest";
import { createAgent } from "../host.ts";
import type { Message } from "../state.ts";
import { deferredPorts, drain } from "./deferred-ports.ts";
import { followUp } from "./states.ts";

export const enter = (messages: readonly Message[]) => ({ kind: "enter", messages }) as const;
export const keep = { keepInbox: true };

/** Starts an agent and brings its first turn, prompted by `a`, to the named stage. */
export async function agentIn(stage: "opening" | "proposing" | "stepping" | "closing") {
  const world = deferredPorts(stage === "opening" || stage === "closing" ? "manual" : "instant");
  const agent = createAgent(world.ports);
  agent.followUp("a");
  await drain();
  const land = async (until: string) => {
    for (let left = 20; left > 0 && world.writes[0]?.request.type !== until; left -= 1)
      await world.writes[0]?.resolve();
  };
  if (stage === "opening") await land("turn/start");
  if (stage === "stepping") await world.proposals[0]?.resolve(enter([followUp("a")]));
  if (stage === "closing") {
    await land("turn/start");
    await world.writes[0]?.resolve();
    await world.proposals[0]?.resolve(enter([followUp("a")]));
    await world.steps[0]?.resolve("completed");
    await land("turn/end");
  }
  const { phase } = agent.state;
  expect(phase.kind === "running" && phase.stage).toBe(stage);
  return { ...world, agent, land };
}
