import { assertNever } from "../assert.ts";
import { ask, unchecked } from "./ask.ts";
import { held, pending } from "./inbox.ts";
import { checkArguments, decisionShape, idleShape, outcomeShape, portsShape } from "./input.ts";
import { begin, due, emptyJournal, isTurnRecord, landed, push, refused } from "./journal.ts";
import { createMaintenance } from "./maintenance.ts";
import { createObservers } from "./observers.ts";
import type { Agent, AgentPorts, AgentStatus, Receipt, StepRequest } from "./ports.ts";
import { AgentStopError, StillPendingError } from "./ports.ts";
import type {
  AgentEffect,
  AgentInput,
  AgentPolicy,
  AgentRecord,
  AgentState,
  AgentStep,
  Message,
  StepOutcome,
} from "./state.ts";
import { defaultPolicy, initialState, transition } from "./transition.ts";

/**
 * The host around the reducer: the one part of the agent that waits. An input is decided the moment it arrives, in one
 * transition; everything that leaves the agent (port calls, observers) goes through `todo` and is carried out in order,
 * one at a time. So an input from inside a port or an observer takes effect after the current one, never inside it, yet
 * its sender learns at once what became of it.
 */

/** Starts an agent at idle, empty or with what `restore` returned. What is pending there stays parked. */
export function createAgent(
  ports: AgentPorts,
  policy: Partial<AgentPolicy> = {},
  restored: AgentState = initialState,
): Agent {
  const rules = { ...defaultPolicy, ...policy };
  portsShape("ports", ports);
  checkArguments(rules, restored);
  idleShape("restored state", restored);

  let state = restored;
  let status: AgentStatus = "idle";
  let journal = emptyJournal;
  let controller: AbortController | null = null;
  const observers = createObservers(ports);
  const maintenance = createMaintenance(take);
  const waiters: (() => void)[] = [];
  const todo: (() => void)[] = [];
  let performing = false;

  function take(input: AgentInput): AgentStep {
    const before = state;
    const step = transition(rules, before, input);
    state = step.state;
    later(...step.effects.map((effect) => () => perform(effect, before)));
    return step;
  }

  function later(...jobs: readonly (() => void)[]): void {
    todo.push(...jobs);
    if (performing) return;
    performing = true;
    for (let next = todo.shift(); next !== undefined; next = todo.shift()) next();
    performing = false;
  }

  function perform(effect: AgentEffect, before: AgentState): void {
    switch (effect.type) {
      case "status":
        status = effect.status;
        controller = null;
        observers.status.tell(status);
        break;
      case "append":
        append(effect.record, before);
        break;
      case "propose":
        request(
          effect,
          (step) => ports.propose(step),
          (decision) => decisionShape("decision", decision),
          (decision) => take({ type: "proposed", turn: effect.turn, step: effect.step, decision }),
          { kind: "failed" },
        );
        break;
      case "run-step":
        request(
          effect,
          (step): Promise<StepOutcome | "failed"> => ports.runStep(step),
          (outcome) => outcomeShape("outcome", outcome),
          (outcome) => take({ type: "stepped", turn: effect.turn, step: effect.step, outcome }),
          "failed",
        );
        break;
      case "abort":
        controller?.abort(new AgentStopError(effect.cause));
        observers.stop.tell(effect.cause);
        break;
      case "run-maintenance":
        controller = new AbortController();
        maintenance.start(effect.activity, controller.signal);
        break;
      case "quiescent":
        // An observer may have woken the agent on the way here; then a later quiescence is the one to wait for.
        if (state.phase.kind === "idle") for (const resolve of waiters.splice(0)) resolve();
        break;
      case "refused":
        if (effect.reason === "still-pending") observers.report(new StillPendingError(), "propose");
        break;
      case "disposed":
      case "fault":
      case "stale":
        break;
      default:
        assertNever(effect);
    }
  }

  function append(record: AgentRecord, before: AgentState): void {
    // A turn has a signal of its own: its first request makes it.
    if (record.type === "turn/start") controller = null;
    journal = push(journal, record);
    write();
    if (record.type !== "inbox/removed") return;
    const message = held(before).find(({ id }) => id === record.id);
    if (message) observers.removed(message, record.outcome);
  }

  function write(): void {
    const record = due(journal);
    if (!record) return;
    journal = begin(journal);
    const written = () => {
      journal = landed(journal);
      todo.push(() => observers.record.tell(record));
      if (isTurnRecord(record)) take({ type: "written", record });
      later(write);
    };
    const failed = (error: unknown) => {
      const { journal: rest, givenUp } = refused(journal);
      journal = rest;
      if (givenUp) take({ type: "write-failed", record: givenUp });
      observers.report(error, "append");
      later(write);
    };
    ask(() => ports.append(record), unchecked, written, failed);
  }

  function request<T>(
    { type, turn, step, messages }: Extract<AgentEffect, { readonly type: "propose" | "run-step" }>,
    call: (request: StepRequest) => Promise<T>,
    check: (value: T) => void,
    answer: (value: T) => void,
    failure: T,
  ): void {
    // A stop that an observer gave on the way here bites before the port is called.
    if (isStopped()) {
      answer(failure);
      return;
    }
    controller ??= new AbortController();
    const { signal } = controller;
    const failed = (error: unknown) => {
      // To reject is how a stopped port is expected to settle.
      const expected = isStopped();
      answer(failure);
      if (!expected) observers.report(error, type);
    };
    ask(() => call({ turn, step, messages: [...messages], signal }), check, answer, failed);
  }

  function isStopped(): boolean {
    return state.phase.kind === "running" && state.phase.stop !== null;
  }

  function send(message: Message): Receipt {
    // A copy, so that what the sender does to its object later is no business of the agent.
    const step = take({ type: "send", message: { ...message } });
    const receipt = receiptOf(step);
    return receipt.outcome === "accepted" && step.state.disposed ? { outcome: "parked" } : receipt;
  }

  const sender = (lane: Message["lane"], wake: boolean) => (id: string, body?: unknown) =>
    send(body === undefined ? { id, lane, wake } : { id, lane, wake, body });

  return {
    send,
    followUp: sender("next-turn", true),
    steer: sender("next-step", true),
    inject: sender("next-step", false),
    queue: sender("next-turn", false),
    retract: (id) => receiptOf(take({ type: "retract", id })),
    cancel: (cause, options) => void take({ type: "cancel", cause, keepInbox: options?.keepInbox }),
    dispose: () => void take({ type: "dispose" }),
    runMaintenance: maintenance.run,
    whenIdle: () =>
      state.phase.kind === "idle" ? Promise.resolve() : new Promise((resolve) => void waiters.push(resolve)),
    get status() {
      return status;
    },
    get pending() {
      return pending(state);
    },
    get state() {
      return state;
    },
    onStatus: observers.status.on,
    onRecord: observers.record.on,
    onStop: observers.stop.on,
  };
}

function receiptOf({ effects: [first] }: AgentStep): Receipt {
  return first?.type === "refused" ? { outcome: "refused", reason: first.reason } : { outcome: "accepted" };
}
