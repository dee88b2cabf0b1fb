/**
 * A second reading of the agent's contract: slow, literal, in the order of its words, and sharing no code with
 * `transition`. Two independent readings that agree on every random life are better evidence than either one's tests.
 * Quoted sentences are the contract's; a comment without quotes says what was decided where the contract is silent.
 */
import { assertNever } from "../../assert.ts";
import type {
  AgentEffect,
  AgentInput,
  AgentPolicy,
  AgentRefusal,
  AgentState,
  AgentStep,
  Decision,
  Maintenance,
  Message,
  Note,
  Running,
  StepOutcome,
  TurnEndReason,
  TurnRecord,
} from "../state.ts";

type Mutable<T> = { -readonly [K in keyof T]: T[K] };
type Draft = Mutable<Omit<AgentState, "phase">> & {
  phase: { kind: "idle" } | Mutable<Maintenance> | Mutable<Running>;
};

/** Answers one input as the contract's section 4 reads, word by word. */
export function secondReading(policy: AgentPolicy, before: AgentState, input: AgentInput): AgentStep {
  const agent: Draft = { ...before, phase: { ...before.phase } };
  const effects: AgentEffect[] = [];

  switch (input.type) {
    case "send":
      send(input.message);
      break;
    case "retract":
      retract(input.id);
      break;
    case "cancel":
      cancel(input.cause, input.keepInbox);
      break;
    case "dispose":
      dispose();
      break;
    case "maintain":
      maintain(input.activity);
      break;
    case "maintained":
      // "A report that does not match the live activity (other turn, step, activity or stage) changes nothing and
      // yields stale{input}". The same sentence opens each report below.
      if (agent.phase.kind === "maintenance" && agent.phase.activity === input.activity) converge();
      else stale();
      break;
    case "written":
      written(input.record);
      break;
    case "write-failed":
      writeFailed(input.record);
      break;
    case "proposed": {
      const { phase } = agent;
      const matches =
        phase.kind === "running" &&
        phase.stage === "proposing" &&
        phase.turn === input.turn &&
        phase.step === input.step;
      if (matches) proposed(phase, input.decision);
      else stale();
      break;
    }
    case "stepped": {
      const { phase } = agent;
      const matches =
        phase.kind === "running" &&
        phase.stage === "stepping" &&
        phase.turn === input.turn &&
        phase.step === input.step;
      if (matches) stepped(phase, input.outcome);
      else stale();
      break;
    }
    default:
      assertNever(input);
  }
  return { state: agent, effects };

  function send(sent: Message): void {
    const { phase } = agent;
    // "Id pending or in the open batch: refused{duplicate-id}."
    const open = phase.kind === "running" ? phase.batch : [];
    if (isPending(sent.id) || open.some(({ id }) => id === sent.id)) {
      refuse("duplicate-id");
      return;
    }

    // "Otherwise, if it wakes and the activity has a stop or is closing, its lane becomes next-turn"
    const stopped = phase.kind !== "idle" && phase.stop !== null;
    const closing = phase.kind === "running" && phase.stage === "closing";
    const message: Message = sent.wake && (stopped || closing) ? { ...sent, lane: "next-turn" } : sent;

    // "Append to the lane, note inbox/inserted."
    if (message.lane === "next-turn") agent.nextTurn = [...agent.nextTurn, message];
    else agent.nextStep = [...agent.nextStep, message];
    note({ type: "inbox/inserted", message });

    // "Then, if it wakes and not disposed:"
    if (!message.wake || agent.disposed) return;
    // "idle → start a driver; maintenance → add its id to latched; running with a stop or a failed outcome → the same;
    // running live → nothing, the driver will claim it". An id retracted and sent again is then latched twice.
    if (phase.kind === "idle") startDriver();
    else if (phase.kind === "maintenance") phase.latched = [...phase.latched, message.id];
    else if (phase.stop !== null || phase.outcome?.kind === "failed") phase.latched = [...phase.latched, message.id];
  }

  function retract(id: string): void {
    // "Pending: remove it, note inbox/removed{outcome: canceled}. Otherwise refused{not-pending}"
    if (isPending(id)) {
      agent.nextTurn = agent.nextTurn.filter((message) => message.id !== id);
      agent.nextStep = agent.nextStep.filter((message) => message.id !== id);
      note({ type: "inbox/removed", id, outcome: "canceled" });
    } else refuse("not-pending");
  }

  function cancel(cause: string, keepInbox: boolean): void {
    const { phase } = agent;
    if (!keepInbox) {
      // "Without keepInbox: clear the open batch (stage proposing), next-step, then next-turn (noted as canceled)"
      const open = phase.kind === "running" && phase.stage === "proposing" ? phase.batch : [];
      for (const { id } of [...open, ...agent.nextStep, ...agent.nextTurn]) {
        note({ type: "inbox/removed", id, outcome: "canceled" });
      }
      if (phase.kind === "running" && phase.stage === "proposing") phase.batch = [];
      agent.nextStep = [];
      agent.nextTurn = [];
      // "and empty latched."
      if (phase.kind !== "idle") phase.latched = [];
    }
    // "With keepInbox under parking all: empty latched."
    if (keepInbox && policy.parking === "all" && phase.kind !== "idle") phase.latched = [];
    // "Then, if an activity has no stop yet: set it, effect abort{cause}. Idle: nothing more"
    stop(cause);
  }

  function dispose(): void {
    // "Again: nothing."
    if (agent.disposed) return;
    // "Otherwise disposed = true, latched emptied, inbox kept;"
    agent.disposed = true;
    if (agent.phase.kind !== "idle") agent.phase.latched = [];
    // "an activity without a stop gets {cause: 'disposed'} and abort."
    stop("disposed");
    // "Idle: effect disposed now, else when idle is reached."
    if (agent.phase.kind === "idle") effects.push({ type: "disposed" });
  }

  function maintain(activity: string): void {
    // "refused{disposed}, refused{busy} or refused{unwritten}, looked at in this order"
    if (agent.disposed) refuse("disposed");
    else if (agent.phase.kind !== "idle") refuse("busy");
    else if (agent.unwritten !== null) refuse("unwritten");
    else {
      // "Only when idle, not disposed and nothing is unwritten: phase maintenance, effect run-maintenance."
      agent.phase = { kind: "maintenance", activity, stop: null, latched: [] };
      effects.push({ type: "run-maintenance", activity });
    }
  }

  function written(record: TurnRecord): void {
    const { phase } = agent;
    if (!awaits(record) || phase.kind !== "running") stale();
    // "written{record} for turn/end in closing: boundary"
    else if (record.type === "turn/end") boundary(phase);
    else {
      // "written{record} for turn/start in stage opening: lastTurn = turn."
      agent.lastTurn = record.turn;
      // "With a stop: outcome aborted, close."
      if (phase.stop !== null) close(phase, { kind: "aborted", cause: phase.stop.cause });
      else {
        // "Otherwise claim next-turn, step 1, effect propose, stage proposing (also with an empty batch)"
        claim(phase, "next-turn");
        propose(phase, 1);
      }
    }
  }

  function writeFailed(record: TurnRecord): void {
    if (awaits(record)) {
      // "unwritten = the record, effect fault{record}, converge"
      agent.unwritten = record;
      effects.push({ type: "fault", record });
      converge();
    } else stale();
  }

  function proposed(phase: Mutable<Running>, decision: Decision): void {
    if (phase.stop !== null) {
      // "With a stop: give the batch back (below), outcome aborted, close."
      giveBack(phase);
      close(phase, { kind: "aborted", cause: phase.stop.cause });
    } else if (decision.kind === "reject") {
      // "reject: batch noted as blocked, outcome blocked, close."
      block(phase, phase.batch);
      close(phase, { kind: "blocked" });
    } else if (decision.kind === "failed") {
      // "failed (the port threw): batch noted as blocked, outcome failed, close."
      block(phase, phase.batch);
      close(phase, { kind: "failed" });
    } else enter(phase, decision.messages);
  }

  function enter(phase: Mutable<Running>, named: readonly Message[]): void {
    // "A message whose id is neither in the batch nor pending is an addition by the host; a pending id is
    // refused{still-pending} and left out." A second entry of one id is left out too: "A message enters at most one
    // step". The contract does not place the refusals among the notes; they come first, before anything happens.
    const entered: Message[] = [];
    for (const message of named) {
      if (isPending(message.id)) refuse("still-pending");
      else if (!entered.some(({ id }) => id === message.id)) entered.push(message);
    }
    // "enter{messages}: batch messages that are not among them are noted as blocked; the batch is then empty."
    block(
      phase,
      phase.batch.filter(({ id }) => !named.some((message) => message.id === id)),
    );
    const { turn, step } = phase;
    if (entered.length === 0 && (step === 1 || phase.natural)) {
      // "If nothing is entered and (step is 1 or natural): outcome completed (max-tokens stays), close."
      close(phase, phase.outcome?.kind === "max-tokens" ? phase.outcome : { kind: "completed" });
    } else {
      // "Otherwise note user/message for each, effect run-step, stage stepping."
      for (const message of entered) note({ type: "user/message", turn, step, message });
      effects.push({ type: "run-step", turn, step, messages: entered });
      phase.stage = "stepping";
    }
  }

  function stepped(phase: Mutable<Running>, outcome: StepOutcome | "failed"): void {
    // "With a stop: outcome aborted, close. failed: outcome failed, close."
    if (phase.stop !== null) close(phase, { kind: "aborted", cause: phase.stop.cause });
    else if (outcome === "failed") close(phase, { kind: "failed" });
    else if (outcome === "continue") {
      // "continue (tools ran): natural = false, claim next-step, propose step+1."
      phase.natural = false;
      claim(phase, "next-step");
      propose(phase, phase.step + 1);
    } else {
      // "completed / max-tokens: natural = true, remember it (max-tokens is sticky);"
      const reason: TurnEndReason = phase.outcome?.kind === "max-tokens" ? phase.outcome : { kind: outcome };
      phase.natural = true;
      phase.outcome = reason;
      if (agent.nextStep.some(({ wake }) => wake)) {
        // "if next-step holds a waking message claim the lane and propose step+1,"
        claim(phase, "next-step");
        propose(phase, phase.step + 1);
        // "else close"
      } else close(phase, reason);
    }
  }

  /** "start a driver" */
  function startDriver(): void {
    // "effect status{running}; phase running with no stop, nothing latched, empty batch, outcome null, not natural."
    effects.push({ type: "status", status: "running" });
    const left = agent.unwritten;
    if (left === null) open(agent.lastTurn + 1);
    else {
      // "If unwritten is set, take it: stage opening or closing by its type, outcome null, append that same record."
      agent.unwritten = null;
      agent.phase = fresh(left.type === "turn/start" ? "opening" : "closing", left.turn);
      effects.push({ type: "append", record: left });
    }
  }

  /** "Otherwise stage opening, turn = lastTurn + 1, append turn/start." Also how the boundary opens the next turn. */
  function open(turn: number): void {
    agent.phase = fresh("opening", turn);
    effects.push({ type: "append", record: { type: "turn/start", turn } });
  }

  /** Before the first step of a turn its step is 0. */
  function fresh(stage: "opening" | "closing", turn: number): Mutable<Running> {
    return {
      kind: "running",
      stage,
      turn,
      step: 0,
      batch: [],
      outcome: null,
      natural: false,
      stop: null,
      latched: [],
    };
  }

  /** "claim: all of next-step, then (for next-turn) the first next-turn message, or all under claim all" */
  function claim(phase: Mutable<Running>, lane: "next-turn" | "next-step"): void {
    phase.batch = agent.nextStep;
    agent.nextStep = [];
    if (lane === "next-turn") {
      const count = policy.claim === "all" ? agent.nextTurn.length : 1;
      phase.batch = [...phase.batch, ...agent.nextTurn.slice(0, count)];
      agent.nextTurn = agent.nextTurn.slice(count);
    }
    // "noted as inbox/removed{outcome: claimed, turn}."
    for (const { id } of phase.batch) note({ type: "inbox/removed", id, outcome: "claimed", turn: phase.turn });
  }

  function propose(phase: Mutable<Running>, step: number): void {
    phase.step = step;
    phase.stage = "proposing";
    effects.push({ type: "propose", turn: phase.turn, step, messages: phase.batch });
  }

  function block(phase: Mutable<Running>, messages: readonly Message[]): void {
    for (const { id } of messages) note({ type: "inbox/removed", id, outcome: "blocked", turn: phase.turn });
    phase.batch = [];
  }

  /** "what is left of the batch returns to the heads of its lanes, in batch order, one note inbox/restored" */
  function giveBack(phase: Mutable<Running>): void {
    const messages = phase.batch;
    phase.batch = [];
    // Nothing left, nothing restored: the note would say nothing.
    if (messages.length === 0) return;
    agent.nextTurn = [...messages.filter(({ lane }) => lane === "next-turn"), ...agent.nextTurn];
    agent.nextStep = [...messages.filter(({ lane }) => lane === "next-step"), ...agent.nextStep];
    note({ type: "inbox/restored", messages });
  }

  /** "close: stage closing, effect append turn/end{turn, outcome}." */
  function close(phase: Mutable<Running>, reason: TurnEndReason): void {
    phase.outcome = reason;
    phase.stage = "closing";
    effects.push({ type: "append", record: { type: "turn/end", turn: phase.turn, reason } });
  }

  /** "boundary (one transition: look and decide together, so no gap is left between the last look and the exit)" */
  function boundary(phase: Mutable<Running>): void {
    // "if disposed, stopped, or failed under afterFailure park → converge."
    const parks = phase.outcome?.kind === "failed" && policy.afterFailure === "park";
    if (agent.disposed || phase.stop !== null || parks) converge();
    // "Otherwise, if the state wants a turn, or the outcome is null [...] → open turn + 1 in the same driver, without
    // a status change, with no stop and nothing latched; else → converge."
    else if (wantsTurn() || phase.outcome === null) open(phase.turn + 1);
    else converge();
  }

  function converge(): void {
    const was = agent.phase;
    // "converge: phase idle."
    agent.phase = { kind: "idle" };
    // "If a message in latched is still pending and the agent is not disposed:"
    const replays = was.kind !== "idle" && was.latched.some((id) => isPendingWake(id)) && !agent.disposed;
    // "for a driver effect status{idle}, then start a driver (observers see idle → running)."
    // "Otherwise status{idle} if the status was running, then quiescent, and disposed if disposed."
    if (was.kind === "running") effects.push({ type: "status", status: "idle" });
    if (replays) startDriver();
    else {
      effects.push({ type: "quiescent" });
      if (agent.disposed) effects.push({ type: "disposed" });
    }
  }

  function stop(cause: string): void {
    if (agent.phase.kind === "idle" || agent.phase.stop !== null) return;
    agent.phase.stop = { cause };
    effects.push({ type: "abort", cause });
  }

  /** "A state wants a turn when a next-turn message or a waking message is pending" */
  function wantsTurn(): boolean {
    return agent.nextTurn.length > 0 || agent.nextStep.some(({ wake }) => wake);
  }

  function isPending(id: string): boolean {
    return [...agent.nextTurn, ...agent.nextStep].some((message) => message.id === id);
  }

  /**
   * "the ids of the waking messages": an id that was retracted and sent again without wake names another message, and
   * `agent/no-empty-replay` says that a latched wake whose message left the inbox starts no driver.
   */
  function isPendingWake(id: string): boolean {
    return [...agent.nextTurn, ...agent.nextStep].some((message) => message.id === id && message.wake);
  }

  /** The activity waits for this record: "other turn, step, activity or stage" does not match. */
  function awaits(record: TurnRecord): boolean {
    const stage = record.type === "turn/start" ? "opening" : "closing";
    return agent.phase.kind === "running" && agent.phase.stage === stage && agent.phase.turn === record.turn;
  }

  function note(record: Note): void {
    effects.push({ type: "append", record });
  }

  function refuse(reason: AgentRefusal): void {
    effects.push({ type: "refused", input, reason });
  }

  function stale(): void {
    effects.push({ type: "stale", input });
  }
}
