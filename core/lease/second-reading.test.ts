/**
 * Holds the core against a second reading of the same page, input by input, over small random worlds. What the page leaves
 * open is not asked here, and each such question is named where the pools are.
 */
import { expect, test } from "vitest";
import { lease } from "./lease.ts";
import type { Footprint, LeaseEffect, LeaseInput, LeasePolicy, LeaseState } from "./state.ts";
import { readMayWrite, readNextDeadlineMs, readPath, readTransition } from "./testing/second-reading.ts";

const sequenceCount = 20_000;

const paths = [
  "src",
  "src/a.ts",
  "./src/a.ts",
  "src\\a.ts",
  "SRC/A.ts",
  "src//b.ts/",
  "src/x/../a.ts",
  "src-b",
  "docs/caf\u00e9.md",
  "docs/cafe\u0301.md",
  "docs/CAF\u00c9.md",
  ".",
  "docs/..",
];
const outside = ["..", "/abs", "C:\\x", "c:/src", "../src/a.ts", "src/../../a.ts", "\\\\server\\share", "docs\\..\\.."];
const owners = ["o1", "o2", "o3"];

test("transition(), nextDeadlineMs() and mayWrite() agree with a second reading of the page", () => {
  const seen = new Map<string, number>();
  for (let seed = 1; seed <= sequenceCount; seed += 1) {
    const { policy, inputs } = play(seed, seen);
    const difference = firstDifference(policy, inputs, seed);
    if (difference !== undefined) expect.fail(report(seed, policy, inputs, difference));
  }
  const rare = coverage.filter(([what, least]) => (seen.get(what) ?? 0) < least);
  expect(rare.map(([what, least]) => `${what}: ${seen.get(what) ?? 0} of at least ${least}`)).toEqual([]);
});

/** What the sequences must have reached, and how often at least, or the agreement means little. */
const coverage: readonly (readonly [string, number])[] = [
  ["effect ask-approval", 5_000],
  ["effect granted", 5_000],
  ["effect cancelled", 5_000],
  ["effect expired", 2_000],
  ["effect fenced call", 500],
  ["effect fenced child", 500],
  ["effect spawned", 5_000],
  ["effect overlaps-child", 1_000],
  ["effect refused", 5_000],
  ["effect stale", 5_000],
  ["refused duplicate-call", 500],
  ["refused owner-closed", 500],
  ["refused outside-workspace", 500],
  ["refused child-writing", 500],
  ["refused denied", 500],
  ["refused root-busy", 500],
  ["refused duplicate-child", 500],
  ["refused no-paths", 500],
  ["refused child-conflict", 500],
  ["refused root-writing", 500],
  ["root-busy after approval", 200],
  ["close with approving", 500],
  ["close with waiting", 500],
  ["close with granted", 500],
  ["close with child", 500],
  ["close with every stage", 50],
  ["close again", 500],
  ["close of a waiter frees another", 100],
  ["abort of a granted call", 500],
  ["abort of a waiter frees another", 50],
  ["approve past the deadline", 100],
  ["expired none", 100],
  ["expired file", 500],
  ["expired workspace", 500],
  ["expiry frees another", 50],
  ["tick fences and grants", 100],
  ["tick fences and expires", 100],
  ["two expire out of order of deadline", 20],
  ["queue of three", 500],
  ["a waiter passes a blocked one", 500],
  ["a waiter passes one it overlaps", 50],
  ["spawn beside a granted workspace call", 500],
  ["spawn conflicts with two children", 20],
];

type Pick = (limit: number) => number;
type Sequence = { readonly policy: LeasePolicy; readonly inputs: readonly LeaseInput[] };

/** Plays a sequence on the second reading alone, so that a sequence does not depend on what the core answers. */
function play(seed: number, seen: Map<string, number>): Sequence {
  const pick = prng(seed);
  const policy: LeasePolicy = {
    waitLimitMs: [3, 8, 20][pick(3)] ?? 8,
    stuckLimitMs: [0, 4, 10][pick(3)] ?? 4,
    caseSensitive: (seed & 1) === 0,
    conflict: pick(4) === 0 ? "refuse" : "queue",
    queue: (seed & 2) === 0 ? "arrival" : "per-path",
  };
  const inputs: LeaseInput[] = [];
  let state = lease.initialState(1 + pick(3));
  let nowMs = pick(5);
  const length = 15 + pick(16);
  for (let step = 0; step < length; step += 1) {
    nowMs = advance(pick, nowMs, readNextDeadlineMs(policy, state));
    const input = nextInput(pick, state, nowMs, step);
    const { state: after, effects } = readTransition(policy, state, input);
    count(seen, policy, state, input, effects, after);
    inputs.push(input);
    state = after;
  }
  return { policy, inputs };
}

/** Time stands still, creeps, meets the next deadline a little early or late, and now and then runs back. */
function advance(pick: Pick, nowMs: number, deadlineMs: number | null): number {
  const kind = pick(20);
  if (kind < 8) return nowMs;
  if (kind < 16) return nowMs + 1 + pick(2);
  if (kind === 19) return nowMs - pick(3);
  return deadlineMs === null ? nowMs + 1 : Math.max(nowMs, deadlineMs - 1 + pick(3));
}

function nextInput(pick: Pick, state: LeaseState, atMs: number, step: number): LeaseInput {
  const calls = [...state.calls.keys()];
  // Ids are numbered by step, as the page asks of the host: an ended id comes back in late answers only.
  const someCall = (): string => (calls.length > 0 && pick(5) > 0 ? oneOf(pick, calls) : `c${pick(step + 1)}`);
  const staged = (stage: string): string => {
    const fitting = calls.filter((id) => state.calls.get(id)?.stage === stage);
    return fitting.length > 0 && pick(6) > 0 ? oneOf(pick, fitting) : someCall();
  };
  const fence = (own: number | null | undefined): number =>
    own !== null && own !== undefined && pick(6) > 0 ? own : pick(state.nextFence + 1);
  const kind = pick(100);
  if (kind < 38) {
    return {
      type: "request",
      call: pick(14) === 0 ? someCall() : `c${step}`,
      owner: oneOf(pick, owners),
      footprint: someFootprint(pick),
      atMs,
      needsApproval: pick(4) === 0,
      aborted: pick(20) === 0,
    };
  }
  if (kind < 46) return { type: "approve", call: staged("approving"), atMs };
  if (kind < 49) return { type: "deny", call: staged("approving") };
  if (kind < 60) {
    const call = staged("granted");
    return { type: "release", call, fence: fence(state.calls.get(call)?.fence) };
  }
  if (kind < 66) return { type: "abort", call: pick(2) === 0 ? staged("waiting") : someCall(), atMs };
  if (kind < 75) return { type: "tick", atMs };
  const children = [...state.children.keys()];
  const someChild = (): string => (children.length > 0 ? oneOf(pick, children) : `s${pick(step + 1)}`);
  if (kind < 88) {
    const wanted = Array.from({ length: [0, 1, 1, 1, 2, 2, 2, 3][pick(8)] ?? 1 }, () => somePath(pick));
    const child = pick(8) === 0 ? someChild() : `s${step}`;
    return { type: "spawn", child, owner: oneOf(pick, owners), paths: wanted, atMs };
  }
  if (kind < 94) {
    const child = someChild();
    return { type: "finish", child, fence: fence(state.children.get(child)?.fence) };
  }
  return { type: "close", owner: oneOf(pick, owners), atMs };
}

function someFootprint(pick: Pick): Footprint {
  const kind = pick(12);
  if (kind === 0) return { kind: "none" };
  if (kind < 4) return { kind: "workspace" };
  return { kind: "file", path: somePath(pick) };
}

function somePath(pick: Pick): string {
  return pick(12) === 0 ? oneOf(pick, outside) : oneOf(pick, paths);
}

/** Answers with the first step at which core and reading differ, both sides spelled out. */
function firstDifference(policy: LeasePolicy, inputs: readonly LeaseInput[], seed: number): string | undefined {
  let core = lease.initialState(1);
  let reading = core;
  let turn = seed;
  const holders = new Map<string, number>();
  for (const [step, input] of inputs.entries()) {
    const before = print(core);
    const coreStep = lease.transition(policy, core, input);
    const readStep = readTransition(policy, reading, input);
    if (print(core) !== before) return `step ${step}: the core wrote into the state it was given`;
    core = coreStep.state;
    reading = readStep.state;
    for (const effect of readStep.effects) {
      if (effect.type === "granted") holders.set(effect.call, effect.fence);
      if (effect.type === "spawned") holders.set(effect.child, effect.fence);
    }
    for (const id of reading.calls.keys()) if (!holders.has(id)) holders.set(id, 0);
    const sides: [string, string, string][] = [
      ["effects", JSON.stringify(coreStep.effects), JSON.stringify(readStep.effects)],
      ["state", print(core), print(reading)],
      ["nextDeadlineMs", `${lease.nextDeadlineMs(policy, core)}`, `${readNextDeadlineMs(policy, reading)}`],
    ];
    // Every holder that ever was; the path and the wrong fence go round, and the last step asks for every path.
    for (const [holder, fence] of holders) {
      const last = step === inputs.length - 1;
      for (let asked = last ? everyPath.length : 2; asked > 0; asked -= 1) {
        turn += 1;
        const path = everyPath[turn % everyPath.length] ?? ".";
        const use = { holder, path, fence: turn % 7 === 0 ? fence + 1 : fence };
        const [ours, theirs] = [lease.mayWrite(policy, core, use), readMayWrite(policy, reading, use)];
        if (ours !== theirs) sides.push([`mayWrite ${JSON.stringify(use)}`, `${ours}`, `${theirs}`]);
      }
    }
    for (const [what, ours, theirs] of sides) {
      if (ours !== theirs) return `step ${step}: ${what}\n    core:    ${ours}\n    reading: ${theirs}`;
    }
  }
  return undefined;
}

const everyPath = [...paths, ...outside];

/** Drops inputs one at a time while the two still differ, then says all there is to know. */
function report(seed: number, policy: LeasePolicy, inputs: readonly LeaseInput[], difference: string): string {
  let shortest = inputs;
  let found = difference;
  for (let at = shortest.length - 1; at >= 0; at -= 1) {
    const shorter = shortest.filter((_, index) => index !== at);
    const still = firstDifference(policy, shorter, seed);
    if (still === undefined) continue;
    shortest = shorter;
    found = still;
    at = shortest.length;
  }
  return [
    `The core and the second reading differ at seed ${seed} under ${JSON.stringify(policy)}`,
    ...shortest.map((input, step) => `  ${step} ${JSON.stringify(input)}`),
    `  ${found}`,
  ].join("\n");
}

function print(state: LeaseState): string {
  const { children, calls, queue, nextFence, closed } = state;
  return JSON.stringify([[...children], [...calls].map(inOrder), queue, nextFence, [...closed]]);
}

/** Puts the fields of a call in one order, so that only their values are compared. */
function inOrder([id, call]: readonly [string, LeaseState["calls"] extends ReadonlyMap<string, infer C> ? C : never]) {
  return [id, call.owner, call.footprint, call.stage, call.deadlineMs, call.fence];
}

function count(
  seen: Map<string, number>,
  policy: LeasePolicy,
  before: LeaseState,
  input: LeaseInput,
  effects: readonly LeaseEffect[],
  after: LeaseState,
): void {
  const saw = (what: string, when = true): void => {
    if (when) seen.set(what, (seen.get(what) ?? 0) + 1);
  };
  const some = (type: LeaseEffect["type"]): boolean => effects.some((effect) => effect.type === type);
  for (const effect of effects) {
    if (effect.type === "fenced") saw("call" in effect ? "effect fenced call" : "effect fenced child");
    else saw(`effect ${effect.type}`);
    if (effect.type === "refused") {
      saw(`refused ${effect.reason}`);
      saw("root-busy after approval", effect.reason === "root-busy" && input.type === "approve");
    }
    if (effect.type === "expired") saw(`expired ${before.calls.get(effect.call)?.footprint.kind}`);
    if (effect.type === "granted") {
      // Requested in this very input, it stood behind the whole queue.
      const place = before.queue.indexOf(effect.call);
      const passed = (place < 0 ? before.queue : before.queue.slice(0, place)).filter((id) => after.queue.includes(id));
      saw("a waiter passes a blocked one", passed.length > 0);
      const footprint = after.calls.get(effect.call)?.footprint;
      const wide = passed.some(
        (id) => (after.calls.get(id)?.footprint.kind === "workspace") !== (footprint?.kind === "workspace"),
      );
      saw("a waiter passes one it overlaps", wide && footprint?.kind !== "none" && policy.queue === "per-path");
    }
  }
  saw("queue of three", after.queue.length >= 3);
  if (input.type === "abort") {
    const stage = before.calls.get(input.call)?.stage;
    saw("abort of a granted call", stage === "granted");
    saw("abort of a waiter frees another", stage === "waiting" && some("granted"));
  }
  if (input.type === "approve") {
    const deadlineMs = before.calls.get(input.call)?.deadlineMs ?? null;
    saw("approve past the deadline", !some("stale") && deadlineMs !== null && deadlineMs <= input.atMs);
  }
  if (input.type === "tick") {
    saw(
      "expiry frees another",
      some("expired") &&
        effects.findLastIndex(({ type }) => type === "granted") > effects.findIndex(({ type }) => type === "expired"),
    );
    saw("tick fences and grants", some("fenced") && some("granted"));
    saw("tick fences and expires", some("fenced") && some("expired"));
    const gone = effects.flatMap((effect) =>
      effect.type === "expired" ? [before.calls.get(effect.call)?.deadlineMs ?? 0] : [],
    );
    saw(
      "two expire out of order of deadline",
      gone.some((deadlineMs, index) => deadlineMs < (gone[index - 1] ?? 0)),
    );
  }
  if (input.type === "spawn" && some("spawned")) {
    saw("spawn beside a granted workspace call", some("overlaps-child"));
  }
  if (
    input.type === "spawn" &&
    effects.some((effect) => effect.type === "refused" && effect.reason === "child-conflict")
  ) {
    saw("spawn conflicts with two children", before.children.size > 1 && input.paths.length > 1);
  }
  if (input.type === "close") {
    const calls = [...before.calls.values()].filter(({ owner }) => owner === input.owner);
    const child = [...before.children.values()].some(({ owner }) => owner === input.owner);
    const again = before.closed.has(input.owner);
    saw("close again", again);
    const stages = (["approving", "waiting", "granted"] as const).filter((stage) =>
      calls.some((call) => call.stage === stage),
    );
    for (const stage of stages) saw(`close with ${stage}`, !again);
    saw("close with child", child && !again);
    saw("close with every stage", stages.length === 3 && child && !again);
    saw("close of a waiter frees another", some("granted"));
  }
}

function oneOf(pick: Pick, values: readonly string[]): string {
  return values[pick(values.length)] ?? "";
}

/** Integer xorshift, so that a seed means the same on every machine. */
function prng(seed: number): Pick {
  let word = Math.imul(seed, 0x9e3779b1) | 1;
  return (limit) => {
    word ^= word << 13;
    word ^= word >>> 17;
    word ^= word << 5;
    return (word >>> 0) % limit;
  };
}
