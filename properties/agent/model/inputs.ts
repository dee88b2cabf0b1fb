/**
 * The environment: users who may do anything at any time, a host that answers what it was asked in any way it may, and late
 * reports of things that are no longer. Its order depends on the state alone. What may happen so often only has a price
 * (`prices.ts`), and is offered here as if it had none.
 */
import type { AgentInput } from "../../../core/agent/state.ts";
import { presets } from "../script.ts";
import type { Bounds } from "./bounds.ts";
import { late, maintained, proposing, stepping, writing } from "./reports.ts";
import { idOf, type World, type WorldInput } from "./world.ts";

type Emit = (input: WorldInput) => void;
type Emitter = (world: World, emit: Emit) => void;

export function environment(bounds: Bounds): Emitter {
  const users = commands(bounds);
  return (world, emit) => {
    users(world, emit);
    reports(world, bounds, emit);
    lateReports(world, emit);
    crashes(world, emit);
  };
}

const cancels: readonly AgentInput[] = [
  { type: "cancel", cause: "user", keepInbox: true },
  { type: "cancel", cause: "user", keepInbox: false },
];
const dispose: AgentInput = { type: "dispose" };
/** One name for every task: there is never more than one, and what is no longer goes by another (`reports.ts`). */
const maintain: AgentInput = { type: "maintain", activity: "task 1" };

function commands({ sends, maintenances }: Bounds): Emitter {
  const ids = Array.from({ length: sends }, (_, index) => idOf(index));
  const sendOf = (id: string): readonly AgentInput[] =>
    Object.values(presets).map((preset) => ({ type: "send", message: { id, ...preset } }));
  const send = ids.map(sendOf);
  const retract = ids.map((id): AgentInput => ({ type: "retract", id }));
  return ({ fates }, emit) => {
    for (const input of send[fates.length] ?? []) emit(input);
    let taken: AgentInput | undefined;
    let gone: AgentInput | undefined;
    for (let index = 0; index < fates.length; index++) {
      const back = retract[index];
      const place = fates[index]?.place;
      if (place === "pending" || place === "batch") taken = send[index]?.[0];
      if (place !== "pending") gone = back;
      else if (back !== undefined) emit(back);
    }
    // One id that is taken, and one that cannot be taken back: both are refused, and cost nothing.
    if (taken !== undefined) emit(taken);
    if (gone !== undefined) emit(gone);
    for (const input of cancels) emit(input);
    emit(dispose);
    if (maintenances > 0) emit(maintain);
  };
}

/** The host's answers to what it was asked. */
function reports({ agent, past }: World, { steps }: Bounds, emit: Emit): void {
  const { request } = past;
  switch (request.kind) {
    case "none":
      return;
    case "maintenance":
      emit(maintained(request.activity));
      return;
    case "write": {
      const { written, refused } = writing(request.record);
      emit(written);
      emit(refused);
      return;
    }
    case "step": {
      const { goesOn, ends } = stepping(request.turn, request.step);
      if (request.step < steps) emit(goesOn);
      for (const input of ends) emit(input);
      return;
    }
    case "propose": {
      const batch = agent.phase.kind === "running" ? agent.phase.batch : [];
      const pending = agent.nextStep[0] ?? agent.nextTurn[0];
      for (const input of proposing(request.turn, request.step, batch, pending)) emit(input);
    }
  }
}

/** One of each kind that is not the answer owed: of another stage, or else of another turn or step. */
function lateReports({ past: { request, logTurn, logOpen } }: World, emit: Emit): void {
  const turn = logOpen ? logTurn : logTurn + 1;
  const step = request.kind === "propose" || request.kind === "step" ? request.step : 1;
  const asked = request.kind === "write" ? request.record.type : request.kind;
  for (const input of late(asked, turn, step)) emit(input);
}

/** A process may die at any time. What waits behind the turn record in flight is lost with it, or not written yet. */
function crashes({ past, crashesLeft }: World, emit: Emit): void {
  if (crashesLeft === 0) return;
  if (past.request.kind === "write") emit(crashLanded);
  if (!past.behind) emit(crash);
}

const crash: WorldInput = { type: "crash", landed: false };
const crashLanded: WorldInput = { type: "crash", landed: true };
