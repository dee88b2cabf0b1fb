/** From a counterexample of the agent's model to a repro of its host, under the policy that was judged. */
import type { AgentEffect, AgentPolicy } from "../../../core/agent/state.ts";
import type { PossibleDelivery } from "../../../sim/execution.ts";
import type { Violation } from "../../../sim/model/judge.ts";
import { lastOf, type Trace } from "../../../sim/model/trace.ts";
import { counterexampleOf, type Move } from "../../counterexample.ts";
import type { Converted } from "../../proof.ts";
import { coreAgentUnder } from "../scenarios.ts";
import { isUserStep, type Script, type ScriptStep, send } from "../script.ts";
import { describeInput } from "./input-words.ts";
import { scriptOf } from "./script-of.ts";
import type { World, WorldInput } from "./world.ts";

/** What is wrong inside may show only in what comes next; and somebody may always send another message. */
const next = send("next");

export async function agentCounterexample(
  policy: AgentPolicy,
  violation: Violation,
  trace: Trace<World, WorldInput, AgentEffect>,
): Promise<Converted> {
  const { script, beyond } = scriptOf(trace);
  if (beyond.length > 0) return { repro: null, because: beyond.join("; ") };
  const scenario = coreAgentUnder(policy);
  const left = awaited(lastOf(trace));
  const brought = (inputs: Script): Promise<Converted> =>
    counterexampleOf(scenario, { script: [...inputs, ...left], moves: inputs.map(moveOf), violation });
  const converted = await brought(script);
  // At its end, and then ever earlier: a message that waits all the time tells most.
  for (let at = script.length; at > 0 && converted.repro === null; at--) {
    const further = await brought(script.toSpliced(at, 0, next));
    if (further.repro !== null) return further;
  }
  return converted;
}

/** The answer to a proposal that the trace leaves open: without it the outside would answer at once, and too early. */
function awaited({ past: { request }, agent: { phase } }: World): Script {
  if (request.kind !== "propose") return [];
  const messages = phase.kind === "running" ? phase.batch : [];
  return [{ type: "proposed", turn: request.turn, step: request.step, decision: { kind: "enter", messages } }];
}

/** Commands come from the user. Of the host no more than one question is open at a time, so any other delivery is its answer. */
function moveOf(step: ScriptStep): Move {
  const fits = ({ source }: PossibleDelivery) => (source === "user") === isUserStep(step);
  const isInput = step.type !== "await" && step.type !== "inside" && step.type !== "outside";
  return { text: isInput ? describeInput(step) : step.type, fits };
}
