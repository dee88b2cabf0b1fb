/**
 * From a counterexample to a script that a scenario of the agent runs: the commands in their order. How the host answers is
 * no part of a script. The exploration of the scenario finds when each command has to come.
 */
import type { AgentEffect } from "../../../core/agent/state.ts";
import type { Trace } from "../../../sim/model/trace.ts";
import type { Script, ScriptStep } from "../script.ts";
import { describeInput } from "./input-words.ts";
import type { World, WorldInput } from "./world.ts";

export type TraceScript = {
  readonly script: Script;
  /** What the trace has beside commands and the answers of a host without faults; a scenario must bring it about itself. */
  readonly beyond: readonly string[];
};

export function scriptOf({ steps }: Trace<World, WorldInput, AgentEffect>): TraceScript {
  const script: ScriptStep[] = [];
  const beyond: string[] = [];
  for (const { input, effects } of steps) {
    switch (input.type) {
      case "send":
      case "retract":
      case "cancel":
      case "dispose":
      case "maintain":
        // A script gives each message an id of its own: what was refused because of its id is left out.
        if (effects.some(({ type }) => type === "refused")) beyond.push(describeInput(input));
        else script.push(input);
        break;
      case "maintained":
      case "written":
        break;
      case "proposed":
        if (input.decision.kind !== "enter") beyond.push(describeInput(input));
        break;
      case "stepped":
        if (input.outcome !== "completed") beyond.push(describeInput(input));
        break;
      default:
        beyond.push(describeInput(input));
    }
  }
  return { script, beyond };
}
