/**
 * The environment of a goal: its user, other users of the agent, storage, and the ports of the agent. What has a price
 * (`prices.ts`) is offered as if it had none.
 */
import type { Decision, StepOutcome } from "../../../../core/agent/state.ts";
import { presets } from "../../script.ts";
import { idOf } from "../world.ts";
import type { GoalWorldInput } from "./run.ts";
import { type GoalBounds, type GoalWorld, isTurnRecord } from "./world.ts";

type Emit = (input: GoalWorldInput) => void;

export function goalEnvironment(bounds: GoalBounds): (world: GoalWorld, emit: Emit) => void {
  return (world, emit) => {
    users(world, bounds, emit);
    storage(world, emit);
    ports(world, bounds, emit);
  };
}

function users(world: GoalWorld, { sends, withdrawals }: GoalBounds, emit: Emit): void {
  const { agent, sent, armsLeft } = world;
  const takesBack = withdrawals > 0 || !waitsForPrompt(world);
  if (sent < sends) {
    for (const preset of Object.values(presets)) emit({ type: "send", message: { id: idOf(sent), ...preset } });
  }
  if (takesBack) {
    for (const { id } of [...agent.nextStep, ...agent.nextTurn]) emit({ type: "retract", id });
  }
  emit({ type: "cancel", cause: "user", keepInbox: true });
  if (takesBack) emit({ type: "cancel", cause: "user", keepInbox: false });
  emit({ type: "dispose" });
  if (armsLeft > 0) emit({ type: "arm" });
  emit({ type: "disarm" });
}

function waitsForPrompt({ agent, goal }: GoalWorld): boolean {
  return agent.phase.kind === "idle" && goal.mode === "armed" && goal.reservation === null;
}

function storage({ storage: [head] }: GoalWorld, emit: Emit): void {
  if (head === undefined) return;
  emit({ type: "lands" });
  if (isTurnRecord(head)) emit({ type: "refused" });
}

const outcomes: readonly (StepOutcome | "failed")[] = ["completed", "max-tokens", "failed"];

function ports({ agent: { phase } }: GoalWorld, { steps }: GoalBounds, emit: Emit): void {
  if (phase.kind !== "running") return;
  const { stage, turn, step, batch } = phase;
  if (stage === "proposing") {
    const enter = (messages: typeof batch): Decision => ({ kind: "enter", messages });
    // All of the batch, all but its first, none of it: each once.
    const parts = [batch, batch.slice(1), []].slice(0, 1 + Math.min(2, batch.length)).map(enter);
    for (const decision of [...parts, { kind: "reject" } as const, { kind: "failed" } as const]) {
      emit({ type: "proposed", turn, step, decision });
    }
  }
  if (stage === "stepping") {
    if (step < steps) emit({ type: "stepped", turn, step, outcome: "continue" });
    for (const outcome of outcomes) emit({ type: "stepped", turn, step, outcome });
  }
}
