import { assertNever } from "../../assert.ts";
import { restore } from "../restore.ts";
import type { AgentEffect, AgentInput, AgentPolicy, AgentRecord, AgentState, Decision, TurnRecord } from "../state.ts";
import { initialState, transition } from "../transition.ts";
import { context, followUp, queued, steer } from "./states.ts";

/**
 * A host without promises: it keeps the requests that were not answered yet, answers each once when it is told to, and
 * writes the log the way a storage with one ordered queue does. What happened is kept as a history for the audit.
 */
export type Request =
  | Extract<AgentEffect, { readonly type: "propose" | "run-step" | "run-maintenance" }>
  | { readonly type: "append"; readonly record: TurnRecord };
export type Event = {
  readonly before: AgentState;
  /** `restart`: the process died and `restore` read the log. */
  readonly input: AgentInput | { readonly type: "restart" };
  readonly after: AgentState;
  readonly effects: readonly AgentEffect[];
  /** Requests without an answer after this event, oldest first. */
  readonly open: readonly Request[];
};
export type Run = {
  readonly policy: AgentPolicy;
  readonly history: readonly Event[];
  /** What is durable at the end. */
  readonly log: readonly AgentRecord[];
};

/** One thing that happens. `answer` picks a reply; commands name messages out of a small pool of ids. */
export type Move =
  | { readonly type: "send"; readonly id: number; readonly preset: number }
  | { readonly type: "retract"; readonly id: number }
  | { readonly type: "cancel"; readonly keepInbox: boolean }
  | { readonly type: "dispose" }
  | { readonly type: "maintain" }
  | { readonly type: "restart" }
  | { readonly type: "answer"; readonly reply: number }
  | { readonly type: "stale"; readonly input: AgentInput };

// The last two would be keys with a life of their own in a plain object.
const ids = ["a", "b", "c", "__proto__", "constructor"];
const presets = [followUp, steer, queued, context];
const outcomes = ["completed", "continue", "max-tokens", "completed", "failed"] as const;
// Enough for every request that a script of this size can leave open.
const drainLimit = 500;

export function play(policy: AgentPolicy, moves: readonly Move[]): Run {
  const history: Event[] = [];
  const log: AgentRecord[] = [];
  const queue: AgentRecord[] = [];
  let state = initialState;
  let open: Request[] = [];
  let additions = 0;

  function take(input: AgentInput): void {
    const { state: after, effects } = freeze(transition(policy, state, freeze(input)));
    for (const effect of effects) {
      if (effect.type === "append") queue.push(effect.record);
      if (isRequest(effect)) open.push(effect);
    }
    flush();
    history.push({ before: state, input, after, effects, open: [...open] });
    state = after;
  }

  // Notes are durable as soon as no turn record stands before them.
  function flush(): void {
    while (queue[0] !== undefined && !isTurnRecord(queue[0])) log.push(...queue.splice(0, 1));
  }

  function replyTo(request: Request, reply: number): AgentInput {
    switch (request.type) {
      case "run-maintenance":
        return { type: "maintained", activity: request.activity };
      case "append": {
        const { record } = request;
        const landed = reply % 5 !== 4;
        const taken = queue.splice(queue.indexOf(record), 1);
        if (landed) log.push(...taken);
        flush();
        return { type: landed ? "written" : "write-failed", record };
      }
      case "run-step":
        return { type: "stepped", turn: request.turn, step: request.step, outcome: pick(outcomes, reply) };
      case "propose": {
        const { turn, step, messages } = request;
        additions += 1;
        const addition = context(`addition ${additions}`);
        const entries = [[], messages.slice(1), [addition, ...messages].reverse(), [...messages, ...state.nextTurn]];
        const decisions: readonly Decision[] = [
          { kind: "enter", messages },
          { kind: "reject" },
          { kind: "failed" },
          ...entries.map((entered) => ({ kind: "enter", messages: entered }) as const),
        ];
        return { type: "proposed", turn, step, decision: pick(decisions, reply) };
      }
      default:
        return assertNever(request);
    }
  }

  function restart(): void {
    const after = restore(log);
    open = [];
    queue.length = 0;
    history.push({ before: state, input: { type: "restart" }, after, effects: [], open });
    state = after;
  }

  function answer(reply: number): void {
    const request = open.shift();
    if (request !== undefined) take(replyTo(request, reply));
  }

  function make(move: Move): void {
    if (move.type === "restart") restart();
    else if (move.type === "answer") answer(move.reply);
    else if (move.type === "send") take({ type: "send", message: pick(presets, move.preset)(pick(ids, move.id)) });
    else if (move.type === "retract") take({ type: "retract", id: pick(ids, move.id) });
    else if (move.type === "cancel") take({ type: "cancel", cause: "user", keepInbox: move.keepInbox });
    else if (move.type === "dispose") take({ type: "dispose" });
    else if (move.type === "maintain") take({ type: "maintain", activity: `m${history.length}` });
    else take(move.input);
  }

  for (const move of moves) make(move);
  // Reply 0 is the plain one: everything lands, enters and completes.
  for (let left = drainLimit; open.length > 0 && left > 0; left -= 1) answer(0);
  return { policy, history, log };
}

export function isTurnRecord(record: AgentRecord): record is TurnRecord {
  return record.type === "turn/start" || record.type === "turn/end";
}

function isRequest(effect: AgentEffect): effect is Request {
  if (effect.type === "append") return isTurnRecord(effect.record);
  return effect.type === "propose" || effect.type === "run-step" || effect.type === "run-maintenance";
}

function pick<T>(options: readonly T[], index: number): T {
  const option = options[index % options.length];
  if (option === undefined) throw new Error("nothing to pick from");
  return option;
}

// A frozen value turns a mutation into an error, in whatever place it happens.
function freeze<T>(value: T): T {
  if (typeof value !== "object" || value === null || Object.isFrozen(value)) return value;
  Object.freeze(value);
  for (const part of Object.values(value)) freeze(part);
  return value;
}
