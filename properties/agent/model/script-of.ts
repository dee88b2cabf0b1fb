/**
 * From a counterexample to a script that a scenario of the agent runs: the commands in their order, and how the host was
 * answered. When each of them comes is no part of a script: orderings say so, or an exploration finds it.
 */
import type { AgentEffect } from "../../../core/agent/state.ts";
import type { Trace } from "../../../sim/model/trace.ts";
import type { Script, ScriptStep } from "../script.ts";
import { describeInput } from "./input-words.ts";
import type { World, WorldInput } from "./world.ts";

export type TraceScript = {
  readonly script: Script;
  /** What the trace has beside that, each with the reason why no script can say it. */
  readonly beyond: readonly string[];
};

export function scriptOf({ steps }: Trace<World, WorldInput, AgentEffect>): TraceScript {
  const script: ScriptStep[] = [];
  const beyond: string[] = [];
  const sent = new Set<string>();
  for (const { input } of steps) {
    const why = beyondScripts(input, sent);
    if (why !== null) beyond.push(`${describeInput(input)}: ${why}`);
    else if (input.type !== "late" && input.type !== "crash") script.push(input);
    if (input.type === "send") sent.add(input.message.id);
  }
  return { script, beyond };
}

function beyondScripts(input: WorldInput, sent: ReadonlySet<string>): string | null {
  switch (input.type) {
    case "late":
      return "the host reports each answer once, and no other";
    case "crash":
      return "a scenario has one process, and restores no log";
    case "send":
      return sent.has(input.message.id) ? "a script gives each message an id of its own" : null;
    default:
      return null;
  }
}
