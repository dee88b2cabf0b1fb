/**
 * Two readings of one contract, `agent.transition` and `secondReading()`, answer the same 20,000 random lives: honest
 * hosts, hosts that fail, hosts that answer twice or too late, and few ids, so that they collide and come back.
 * The run also counts what it reached: agreement on lives that never stop a turn would mean nothing.
 */
import { expect, test } from "vitest";
import {
  type AgentCommand,
  type AgentEffect,
  type AgentInput,
  type AgentPolicy,
  type AgentReport,
  type AgentState,
  type AgentStep,
  agent,
  type Decision,
  type Message,
} from "../index.ts";
import { secondReading } from "./testing/second-reading.ts";

const seed = 1838;
const lives = 20_000;
/** Every key of `required()` is reached at least this often. */
const reachedAtLeast = 20;

const policies: readonly AgentPolicy[] = (["unlatched", "all"] as const).flatMap((parking) =>
  (["park", "drain"] as const).flatMap((afterFailure) =>
    (["one", "all"] as const).map((claim) => ({ parking, afterFailure, claim })),
  ),
);

test("transition() answers every random life as a second reading of the contract does, and the lives reach every row", () => {
  const reached = new Map<string, number>();
  for (let life = 0; life < lives; life++) {
    const found = live(seed + life, (key) => reached.set(key, (reached.get(key) ?? 0) + 1));
    if (found !== null) throw new Error(report(found));
  }
  const missed = required().filter((key) => (reached.get(key) ?? 0) < reachedAtLeast);
  expect(missed.map((key) => `${key}: ${reached.get(key) ?? 0}`)).toEqual([]);
});

// ---- One life ----

type Life = {
  readonly seed: number;
  readonly policy: AgentPolicy;
  readonly start: AgentState;
  readonly inputs: readonly AgentInput[];
};

/** Plays one life, each input chosen from what the host was asked so far; returns it when the readings differ. */
function live(seed: number, reach: (key: string) => void): Life | null {
  const below = prng(seed);
  const policy = pick(below, policies);
  const start = beginning(below);
  const inputs: AgentInput[] = [];
  const host: Host = {
    haste: 25 + below(40),
    ids: ids.slice(0, 1 + below(4)),
    open: [],
    answered: [],
    activities: 0,
  };
  let state = start;
  const length = 15 + below(16);
  for (let step = 0; step < length; step++) {
    const input = nextInput(below, state, host);
    inputs.push(input);
    if (seed % 8 === 0) freeze(state);
    const core = agent.transition(policy, state, input);
    const reading = secondReading(policy, state, input);
    if (difference(core, reading) !== null) return { seed, policy, start, inputs };
    for (const key of keys(policy, state, input, core)) reach(key);
    for (const effect of core.effects) ask(host, effect);
    state = core.state;
  }
  return null;
}

/** A new agent, or what a restart leaves: parked work, and perhaps a turn that was never ended. */
function beginning(below: Below): AgentState {
  const empty: AgentState = {
    phase: { kind: "idle" },
    nextTurn: [],
    nextStep: [],
    lastTurn: 0,
    unwritten: null,
    disposed: false,
  };
  if (below(4) > 0) return empty;
  const turn = 1 + below(3);
  return {
    ...empty,
    nextTurn: below(2) === 0 ? [] : [{ id: "m1", lane: "next-turn", wake: below(2) === 0 }],
    nextStep: below(2) === 0 ? [] : [{ id: "m2", lane: "next-step", wake: below(2) === 0 }],
    lastTurn: turn,
    unwritten: below(2) === 0 ? null : { type: "turn/end", turn, reason: { kind: "interrupted" } },
  };
}

// ---- The application and the host, as chance plays them ----

type Request = Extract<AgentEffect, { readonly type: "append" | "propose" | "run-step" | "run-maintenance" }>;
type Host = {
  /** How often, in percent, the next input answers a request: a slow host leaves long convergence windows. */
  readonly haste: number;
  /** Few ids, so that a duplicate, a retract that fits and an id that comes back are common. */
  readonly ids: readonly string[];
  readonly open: Request[];
  readonly answered: AgentReport[];
  activities: number;
};

function ask(host: Host, effect: AgentEffect): void {
  if (effect.type === "propose" || effect.type === "run-step" || effect.type === "run-maintenance") {
    host.open.push(effect);
  } else if (effect.type === "append" && (effect.record.type === "turn/start" || effect.record.type === "turn/end")) {
    host.open.push(effect);
  }
}

function nextInput(below: Below, state: AgentState, host: Host): AgentInput {
  const chance = below(100);
  if (chance < (state.disposed ? host.haste / 2 : host.haste) && host.open.length > 0) {
    const [request] = host.open.splice(below(host.open.length), 1);
    if (request !== undefined) {
      const answer = answerTo(below, request, state);
      host.answered.push(answer);
      return answer;
    }
  }
  return below(5) > 0 ? command(below, state, host) : strayReport(below, state, host);
}

function command(below: Below, state: AgentState, host: Host): AgentCommand {
  // The latch is rare and matters most: its messages leave more often, and their ids come back, perhaps without wake.
  const latched = latchedIn(state);
  const gone = latched.filter((id) => !pendingIn(state).some((message) => message.id === id));
  if (gone.length > 0 && below(3) === 0) return { type: "send", message: anyMessage(below, pick(below, gone)) };
  if (latched.length > 0 && below(5) === 0) return { type: "retract", id: pick(below, latched) };

  const chance = below(100);
  if (chance < 52) return { type: "send", message: anyMessage(below, pick(below, host.ids)) };
  if (chance < 68) return { type: "retract", id: pick(below, host.ids) };
  if (chance < 83) return { type: "cancel", cause: pick(below, ["user", "web"]), keepInbox: below(5) < 3 };
  // Dispose is for good: rare before it happened, common after, so that the second one comes as well.
  if (chance < (state.disposed ? 91 : 87)) return { type: "dispose" };
  host.activities += 1;
  return { type: "maintain", activity: `task${host.activities}` };
}

function pendingIn({ nextTurn, nextStep }: AgentState): readonly Message[] {
  return [...nextTurn, ...nextStep];
}

function latchedIn({ phase }: AgentState): readonly string[] {
  return phase.kind === "idle" ? [] : phase.latched;
}

const ids: readonly string[] = ["m1", "m2", "m3", "m4"];

function anyMessage(below: Below, id: string): Message {
  const lane = pick(below, ["next-turn", "next-step"] as const);
  const message = { id, lane, wake: below(5) < 3 };
  return below(4) === 0 ? { ...message, body: { text: pick(below, ["first", "second"]) } } : message;
}

function answerTo(below: Below, request: Request, state: AgentState): AgentReport {
  switch (request.type) {
    case "run-maintenance":
      return { type: "maintained", activity: request.activity };
    case "propose":
      return {
        type: "proposed",
        turn: request.turn,
        step: request.step,
        decision: decision(below, request.messages, state),
      };
    case "run-step":
      return {
        type: "stepped",
        turn: request.turn,
        step: request.step,
        outcome: pick(below, ["continue", "continue", "completed", "completed", "completed", "max-tokens", "failed"]),
      };
    case "append": {
      const { record } = request;
      if (record.type !== "turn/start" && record.type !== "turn/end") throw new Error("Notes need no answer");
      return { type: below(5) === 0 ? "write-failed" : "written", record };
    }
  }
}

function decision(below: Below, batch: readonly Message[], state: AgentState): Decision {
  const chance = below(20);
  if (chance === 0) return { kind: "reject" };
  if (chance === 1) return { kind: "failed" };
  if (chance < 10) return { kind: "enter", messages: batch };
  // A host that drops, adds, repeats, edits, reorders, and takes what is not its own.
  const messages = batch.filter(() => below(3) > 0);
  if (below(3) === 0) messages.push(anyMessage(below, pick(below, ["h1", "h2", ...ids])));
  if (below(3) === 0) messages.push(...pendingIn(state).slice(0, 1 + below(2)));
  if (below(4) === 0) messages.push(...messages.slice(0, 2).map((message) => ({ ...message, body: "edited" })));
  if (below(4) === 0) messages.reverse();
  return { kind: "enter", messages };
}

/** A second answer to an old request, or one that nobody asked for; now and then it happens to fit. */
function strayReport(below: Below, state: AgentState, host: Host): AgentReport {
  const old = host.answered[below(host.answered.length + 1)];
  if (old !== undefined) return old;
  const turn = Math.max(0, state.lastTurn - 1 + below(3));
  const step = below(3);
  switch (below(6)) {
    case 0:
      return { type: "maintained", activity: `task${host.activities - below(2)}` };
    case 1:
      return { type: pick(below, ["written", "write-failed"] as const), record: { type: "turn/start", turn } };
    case 2:
      return {
        type: pick(below, ["written", "write-failed"] as const),
        record: { type: "turn/end", turn, reason: { kind: "completed" } },
      };
    case 3:
      return { type: "proposed", turn, step, decision: decision(below, state.nextStep, state) };
    default:
      return { type: "stepped", turn, step, outcome: pick(below, ["continue", "completed", "max-tokens", "failed"]) };
  }
}

// ---- What a life reaches ----

const stages = ["opening", "proposing", "stepping", "closing"] as const;
const stops = ["live", "stopped", "disposed"] as const;
const places = [
  "idle",
  "idle unwritten",
  "idle disposed",
  ...stops.map((stop) => `maintenance ${stop}`),
  ...stages.flatMap((stage) => stops.map((stop) => `${stage} ${stop}`)),
  "closing failed",
  "closing left-over",
];

function place({ phase, disposed, unwritten }: AgentState): string {
  const stop = disposed ? "disposed" : phase.kind !== "idle" && phase.stop !== null ? "stopped" : "live";
  if (phase.kind === "idle") return disposed ? "idle disposed" : unwritten !== null ? "idle unwritten" : "idle";
  if (phase.kind === "maintenance") return `maintenance ${stop}`;
  if (stop === "live" && phase.stage === "closing") {
    if (phase.outcome === null) return "closing left-over";
    if (phase.outcome.kind === "failed") return "closing failed";
  }
  return `${phase.stage} ${stop}`;
}

const presets = ["followUp", "steer", "inject", "queue"] as const;
const commands = [...presets.map((preset) => `send ${preset}`), "cancel keep", "cancel clear", "dispose", "maintain"];
const reports = [
  "maintained",
  "written turn/start",
  "written turn/end",
  "write-failed turn/start",
  "write-failed turn/end",
  "proposed enter",
  "proposed reject",
  "proposed failed",
  "stepped continue",
  "stepped completed",
  "stepped max-tokens",
  "stepped failed",
];

function name(input: AgentInput): string {
  switch (input.type) {
    case "send": {
      const { lane, wake } = input.message;
      return `send ${lane === "next-turn" ? (wake ? "followUp" : "queue") : wake ? "steer" : "inject"}`;
    }
    case "cancel":
      return `cancel ${input.keepInbox ? "keep" : "clear"}`;
    case "written":
    case "write-failed":
      return `${input.type} ${input.record.type}`;
    case "proposed":
      return `proposed ${input.decision.kind}`;
    case "stepped":
      return `stepped ${input.outcome}`;
    default:
      return input.type;
  }
}

/** Where a report of this name fits. */
function homes(report: string): readonly string[] {
  if (report === "maintained") return stops.map((stop) => `maintenance ${stop}`);
  if (report.endsWith("turn/start")) return stops.map((stop) => `opening ${stop}`);
  if (report.endsWith("turn/end")) return places.filter((place) => place.startsWith("closing"));
  return stops.map((stop) => `${report.startsWith("proposed") ? "proposing" : "stepping"} ${stop}`);
}

function required(): string[] {
  return [
    ...policies.map((policy) => `policy ${Object.values(policy).join(" ")}`),
    ...places.flatMap((place) => commands.map((command) => `${command} @ ${place}`)),
    ...places.flatMap((place) => ["send refused", "retract", "retract refused"].map((it) => `${it} @ ${place}`)),
    ...reports.flatMap((report) => homes(report).map((place) => `${report} @ ${place}`)),
    ...places.flatMap((place) =>
      ["maintained", "written", "write-failed", "proposed", "stepped"].map((report) => `stale ${report} @ ${place}`),
    ),
    ...["status idle", "status running", "propose", "run-step", "abort", "run-maintenance", "quiescent", "disposed"],
    ...["fault turn/start", "fault turn/end", "stale", "append turn/start", "append inbox/inserted"],
    ...["claimed", "canceled", "blocked"].map((outcome) => `append inbox/removed ${outcome}`),
    ...["append inbox/restored", "append user/message"],
    ...["completed", "max-tokens", "blocked", "failed", "aborted", "interrupted"].map(
      (kind) => `append turn/end ${kind}`,
    ),
    ...["duplicate-id", "not-pending", "disposed", "busy", "unwritten", "still-pending"].map((it) => `refused ${it}`),
    ...["driver", "maintenance", "fault"].flatMap((end) => [`${end} replays`, `${end} finds the latched wake gone`]),
    ...["driver", "maintenance"].map((end) => `${end} finds a latched id that no longer wakes`),
    ...["wakes twice", "is emptied by cancel keep", "survives cancel keep"].map((it) => `the latch ${it}`),
    ...["opens the next turn", "opens the turn owed", "opens after a failure", "parks after a failure", "is over"].map(
      (it) => `the boundary ${it}`,
    ),
    ...["the batch", "a part", "nothing", "nothing after a continue", "nothing at a natural end"].map(
      (it) => `proposed enters ${it}`,
    ),
    ...["an addition", "a pending id", "an id twice", "only pending ids", "a batch that was cleared"].map(
      (it) => `proposed enters ${it}`,
    ),
    ...["a steer at a natural end", "a context at a natural end", "max-tokens stays"].map((it) => `stepped ${it}`),
    ...["nothing", "one of many", "many", "both lanes"].map((it) => `claim next-turn ${it}`),
    ...["restored to both lanes", "restored before others", "a late steer queues", "the open batch is cleared"],
    "a second stop",
  ];
}

function* keys(policy: AgentPolicy, before: AgentState, input: AgentInput, { state, effects }: AgentStep) {
  const first = effects[0];
  const at = place(before);
  const { phase } = before;
  const latched = latchedIn(before);
  const pending = pendingIn(before);

  yield `policy ${Object.values(policy).join(" ")}`;
  if (first?.type === "stale") yield `stale ${input.type} @ ${at}`;
  else if (first?.type === "refused" && input.type !== "proposed" && input.type !== "maintain") {
    yield `${input.type} refused @ ${at}`;
  } else yield `${name(input)} @ ${at}`;

  for (const effect of effects) {
    if (effect.type === "status") yield `status ${effect.status}`;
    else if (effect.type === "refused") yield `refused ${effect.reason}`;
    else if (effect.type === "fault") yield `fault ${effect.record.type}`;
    else if (effect.type !== "append") yield effect.type;
    else if (effect.record.type === "inbox/removed") yield `append inbox/removed ${effect.record.outcome}`;
    else if (effect.record.type === "turn/end") yield `append turn/end ${effect.record.reason.kind}`;
    else yield `append ${effect.record.type}`;
    if (effect.type === "append" && effect.record.type === "inbox/inserted" && input.type === "send") {
      if (effect.record.message.lane !== input.message.lane) yield "a late steer queues";
    }
    if (effect.type === "append" && effect.record.type === "inbox/restored") {
      const lanes = new Set(effect.record.messages.map(({ lane }) => lane));
      if (lanes.size === 2) yield "restored to both lanes";
      if (pending.some(({ lane }) => lanes.has(lane))) yield "restored before others";
    }
  }
  if (first?.type === "stale") return;

  // Convergence: the latch is looked at once.
  const converged =
    input.type === "maintained" ||
    effects.some(({ type }) => type === "quiescent") ||
    effects.some((effect) => effect.type === "status" && effect.status === "idle");
  if (converged && latched.length > 0) {
    const end = input.type === "write-failed" ? "fault" : phase.kind === "maintenance" ? "maintenance" : "driver";
    if (state.phase.kind === "running") yield `${end} replays`;
    else if (latched.some((id) => pending.some((message) => message.id === id))) {
      yield `${end} finds a latched id that no longer wakes`;
    } else yield `${end} finds the latched wake gone`;
  }
  if (input.type === "send" && latched.includes(input.message.id) && input.message.wake && first?.type === "append") {
    yield "the latch wakes twice";
  }
  if (input.type === "cancel") {
    if (input.keepInbox && latched.length > 0) {
      yield `the latch ${latchedIn(state).length === 0 ? "is emptied by" : "survives"} cancel keep`;
    }
    if (phase.kind !== "idle" && phase.stop !== null) yield "a second stop";
    if (!input.keepInbox && phase.kind === "running" && phase.batch.length > 0) yield "the open batch is cleared";
  }
  if (phase.kind !== "running") return;

  if (input.type === "written" && input.record.type === "turn/end" && phase.stop === null) {
    const failed = phase.outcome?.kind === "failed";
    if (state.phase.kind === "idle") yield `the boundary ${failed ? "parks after a failure" : "is over"}`;
    else if (phase.outcome === null) yield "the boundary opens the turn owed";
    else if (!converged) yield `the boundary opens ${failed ? "after a failure" : "the next turn"}`;
  }
  if (input.type === "written" && input.record.type === "turn/start" && state.phase.kind === "running") {
    const { batch } = state.phase;
    const prompts = batch.filter(({ lane }) => lane === "next-turn").length;
    if (phase.stop === null && batch.length === 0) yield "claim next-turn nothing";
    if (prompts > 1) yield "claim next-turn many";
    if (prompts === 1 && state.nextTurn.length > 0) yield "claim next-turn one of many";
    if (prompts > 0 && batch.length > prompts) yield "claim next-turn both lanes";
  }
  if (
    input.type === "stepped" &&
    phase.stop === null &&
    (input.outcome === "completed" || input.outcome === "max-tokens")
  ) {
    if (effects.some(({ type }) => type === "propose")) yield "stepped a steer at a natural end";
    else if (before.nextStep.length > 0) yield "stepped a context at a natural end";
    if (input.outcome === "completed" && phase.outcome?.kind === "max-tokens") yield "stepped max-tokens stays";
  }
  if (input.type === "proposed" && input.decision.kind === "enter" && phase.stop === null) {
    const named = input.decision.messages.map(({ id }) => id);
    const known = [...pending, ...phase.batch].map(({ id }) => id);
    const own = phase.batch.filter(({ id }) => named.includes(id)).length;
    if (phase.batch.length > 0 && own === phase.batch.length) yield "proposed enters the batch";
    if (own > 0 && own < phase.batch.length) yield "proposed enters a part";
    if (named.length === 0 && phase.step === 1) yield "proposed enters nothing";
    if (named.length === 0 && phase.step > 1) {
      yield `proposed enters nothing ${phase.natural ? "at a natural end" : "after a continue"}`;
    }
    if (named.some((id) => !known.includes(id))) yield "proposed enters an addition";
    if (named.some((id) => pending.some((message) => message.id === id))) yield "proposed enters a pending id";
    if (new Set(named).size < named.length) yield "proposed enters an id twice";
    if (named.length > 0 && named.every((id) => pending.some((message) => message.id === id))) {
      yield "proposed enters only pending ids";
    }
  }
  if (input.type === "proposed" && phase.stop !== null && phase.batch.length === 0) {
    yield "proposed enters a batch that was cleared";
  }
}

// ---- When they differ ----

/** Shrinks the life input by input, then says where the readings part. */
function report(found: Life): string {
  let { inputs } = found;
  for (let index = inputs.length - 1; index >= 0; index--) {
    const fewer = inputs.filter((_, at) => at !== index);
    if (parting({ ...found, inputs: fewer }) === null) continue;
    inputs = fewer;
    index = inputs.length;
  }
  const part = parting({ ...found, inputs });
  return [
    `transition() and the second reading differ (seed ${found.seed})`,
    `  policy: ${JSON.stringify(found.policy)}`,
    `  start:  ${JSON.stringify(found.start)}`,
    ...inputs.map((input, index) => `  ${index + 1}. ${JSON.stringify(input)}`),
    `  first difference: step${difference(part?.core, part?.reading)}`,
    `  transition():   ${JSON.stringify(part?.core)}`,
    `  second reading: ${JSON.stringify(part?.reading)}`,
    `  the whole life: ${JSON.stringify(found.inputs)}`,
  ].join("\n");
}

function parting({ policy, start, inputs }: Life): { readonly core: AgentStep; readonly reading: AgentStep } | null {
  let state = start;
  for (const input of inputs) {
    const core = agent.transition(policy, state, input);
    const reading = secondReading(policy, state, input);
    if (difference(core, reading) !== null) return { core, reading };
    state = core.state;
  }
  return null;
}

/** Where two values part, as a path and both answers; null when they are equal, with the same keys. */
function difference(core: unknown, reading: unknown): string | null {
  if (Object.is(core, reading)) return null;
  if (!isObject(core) || !isObject(reading) || Array.isArray(core) !== Array.isArray(reading)) {
    return `: ${JSON.stringify(core)} against ${JSON.stringify(reading)}`;
  }
  for (const key of Object.keys(core)) {
    if (!Object.hasOwn(reading, key)) return `.${key}: ${JSON.stringify(core[key])} against no such key`;
    const found = difference(core[key], reading[key]);
    if (found !== null) return `.${key}${found}`;
  }
  const extra = Object.keys(reading).find((key) => !Object.hasOwn(core, key));
  return extra === undefined ? null : `.${extra}: no such key against ${JSON.stringify(reading[extra])}`;
}

function isObject(value: unknown): value is { readonly [key: string]: unknown } {
  return typeof value === "object" && value !== null;
}

/** A reducer that writes into the state it was given throws here. */
function freeze(value: unknown): void {
  if (!isObject(value) || Object.isFrozen(value)) return;
  Object.freeze(value);
  for (const part of Object.values(value)) freeze(part);
}

// ---- Chance ----

type Below = (bound: number) => number;

/** Draws integers below a bound from a 32-bit state (the mixer is splitmix32's). */
function prng(seed: number): Below {
  let state = seed | 0;
  return (bound) => {
    state = (state + 0x9e3779b9) | 0;
    let mixed = Math.imul(state ^ (state >>> 16), 0x21f0aaad);
    mixed = Math.imul(mixed ^ (mixed >>> 15), 0x735a2d97);
    return ((mixed ^ (mixed >>> 15)) >>> 0) % bound;
  };
}

function pick<T>(below: Below, choices: readonly [T, ...T[]] | readonly T[]): T {
  const chosen = choices[below(choices.length)];
  if (chosen === undefined) throw new Error("Nothing to pick from");
  return chosen;
}
