import { callback, check, InputError, oneOf } from "../shape.ts";
import { ask, attempt } from "./ask.ts";
import { isStopped } from "./driver.ts";
import { held, pending } from "./inbox.ts";
import { observer, policyShape } from "./input.ts";
import { createJournal, isTurnRecord } from "./journal.ts";
import { createMaintenance } from "./maintenance.ts";
import { createReport, createTopic } from "./observers.ts";
import type { Agent, AgentPorts, AgentStatus, Receipt, StepRequest } from "./ports.ts";
import type {
  AgentEffect,
  AgentInput,
  AgentPolicy,
  AgentRecord,
  AgentState,
  Message,
  StepOutcome,
  TurnRecord,
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
  check("ports", ports, {
    append: callback,
    propose: callback,
    runStep: callback,
    onStatus: observer,
    onRemoved: observer,
    onError: observer,
  });
  check("policy", rules, policyShape);
  check("restored", restored, { phase: { kind: oneOf("idle") } });

  let state = restored;
  let status: AgentStatus = "idle";
  let controller: AbortController | null = null;
  const report = createReport(ports);
  const statuses = createTopic<AgentStatus>(report);
  const records = createTopic<AgentRecord>(report);
  const stops = createTopic<string>(report);
  // The port is the first to hear of it.
  statuses.on((now) => ports.onStatus?.(now));
  /** Claimed, and waiting for the effect that starts it: one maintenance task at most. */
  const tasks: ((signal: AbortSignal) => void)[] = [];
  const write = createJournal((record) => ports.append(record), landed, refused);
  const waiters: (() => void)[] = [];
  const todo: (() => void)[] = [];

  /** Decides an input, and carries out `first` and what was decided. */
  function take(input: AgentInput, ...first: readonly (() => void)[]): Receipt {
    const before = state;
    const step = transition(rules, before, input);
    state = step.state;
    later(...first, ...step.effects.map((effect) => () => perform(effect, before)));
    const [decided] = step.effects;
    if (decided?.type === "refused") return { outcome: "refused", reason: decided.reason };
    return { outcome: input.type === "send" && step.state.disposed ? "parked" : "accepted" };
  }

  /** Carries out jobs in the order in which they are given, one at a time. */
  function later(...jobs: readonly (() => void)[]): void {
    // Somebody is walking the list already, and will come to what has just been added.
    if (todo.push(...jobs) > jobs.length) return;
    for (const job of todo) job();
    todo.length = 0;
  }

  function perform(effect: AgentEffect, before: AgentState): void {
    switch (effect.type) {
      case "status":
        status = effect.status;
        controller = null;
        statuses.tell(status);
        break;
      case "append": {
        const { record } = effect;
        // A turn has a signal of its own: its first request makes it.
        if (record.type === "turn/start") controller = null;
        write(record);
        const message = record.type === "inbox/removed" && held(before).find(({ id }) => id === record.id);
        if (message) {
          attempt(
            () => ports.onRemoved?.(message, record.outcome),
            (error) => report(error, "observer"),
          );
        }
        break;
      }
      case "propose":
        request(
          effect,
          (step) => ports.propose(step),
          (decision) => take({ type: "proposed", turn: effect.turn, step: effect.step, decision }),
          { kind: "failed" },
        );
        break;
      case "run-step":
        request(
          effect,
          (step): Promise<StepOutcome | "failed"> => ports.runStep(step),
          (outcome) => take({ type: "stepped", turn: effect.turn, step: effect.step, outcome }),
          "failed",
        );
        break;
      case "abort":
        // The name that fetch and its kin give to the same event, so one test finds both.
        controller?.abort(Object.assign(new Error(effect.cause), { name: "AbortError" }));
        stops.tell(effect.cause);
        break;
      case "run-maintenance":
        controller = new AbortController();
        tasks.pop()?.(controller.signal);
        break;
      case "quiescent":
        // An observer may have woken the agent on the way here; then a later quiescence is the one to wait for.
        if (state.phase.kind === "idle") for (const resolve of waiters.splice(0)) resolve();
        break;
      case "refused":
        // Every other refusal is told to its sender.
        if (effect.reason === "still-pending") {
          report(new InputError("decision", "claimed or new message", "pending message"), "propose");
        }
        break;
      default:
        // Whoever sent the input, or asks for the state, knows.
        effect satisfies { readonly type: "disposed" | "fault" | "stale" };
    }
  }

  function landed(record: AgentRecord): void {
    const tell = () => records.tell(record);
    if (isTurnRecord(record)) take({ type: "written", record }, tell);
    else later(tell);
    later(write);
  }

  function refused(error: unknown, record: TurnRecord | undefined): void {
    if (record) take({ type: "write-failed", record });
    report(error, "append");
    later(write);
  }

  function request<T>(
    { type, turn, step, messages }: Extract<AgentEffect, { readonly type: "propose" | "run-step" }>,
    call: (request: StepRequest) => Promise<T>,
    answer: (value: T) => void,
    failure: T,
  ): void {
    // A stop that an observer gave on the way here bites before the port is called.
    if (isStopped(state)) {
      answer(failure);
      return;
    }
    controller ??= new AbortController();
    const { signal } = controller;
    ask(
      () => call({ turn, step, messages: [...messages], signal }),
      answer,
      (error) => {
        // To reject is how a stopped port is expected to settle.
        const expected = isStopped(state);
        answer(failure);
        if (!expected) report(error, type);
      },
    );
  }

  // A copy, so that what the sender does to its object later is no business of the agent.
  const send = (message: Message) => take({ type: "send", message: { ...message } });

  const sender = (lane: Message["lane"], wake: boolean) => (id: string, body?: unknown) =>
    send(body === undefined ? { id, lane, wake } : { id, lane, wake, body });

  return {
    send,
    followUp: sender("next-turn", true),
    steer: sender("next-step", true),
    inject: sender("next-step", false),
    queue: sender("next-turn", false),
    retract: (id) => take({ type: "retract", id }),
    cancel: (cause, options) => void take({ ...options, type: "cancel", cause }),
    dispose: () => void take({ type: "dispose" }),
    runMaintenance: createMaintenance(take, tasks),
    whenIdle: () => new Promise((resolve) => void (state.phase.kind === "idle" ? resolve() : waiters.push(resolve))),
    get status() {
      return status;
    },
    get pending() {
      return pending(state);
    },
    get state() {
      return state;
    },
    onStatus: statuses.on,
    onRecord: records.on,
    onStop: stops.on,
  };
}
