/** Holds the core against a second reading of the same page, input by input, over small random worlds. */
import { expect, test } from "vitest";
import { lease } from "./lease.ts";
import type { Footprint, LeaseEffect, LeaseInput, LeasePolicy, LeaseState } from "./state.ts";
import { readMayWrite, readNextDeadlineMs, readPath, readTransition } from "./testing/second-reading.ts";

/** A quarter of what `npm run nightly` plays: it tells every one of the lease's mutants from the core, the rarest at 1144. */
const sequenceCount = Number(process.env.MICROLOOM_SEQUENCES ?? 5_000);
const pathCount = 20_000;

// Not asked, because the page leaves them open: the empty path, a drive letter with anything but a separator behind it or
// before it, and an id that comes back after its call or child has ended.
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
const owners = ["o1", "o2", "o3", "o4"];

test("transition(), nextDeadlineMs() and mayWrite() agree with a second reading of the page", () => {
  const seen = new Map<string, number>();
  for (let seed = 1; seed <= sequenceCount; seed += 1) {
    const sequence = play(seed, seen);
    const difference = firstDifference(sequence, seed);
    if (difference !== undefined) expect.fail(report(sequence, seed, difference));
  }
  const share = sequenceCount / 20_000;
  const rare = coverage.filter(([what, least]) => (seen.get(what) ?? 0) < share * least);
  expect(rare.map(([what, least]) => `${what}: ${seen.get(what) ?? 0} of at least ${share * least}`)).toEqual([]);
});

test("transition() spells a path as the second reading does", () => {
  const pick = prng(1);
  const pieces = [
    "a",
    "B",
    "e",
    "\u0301",
    " ",
    ".",
    "..",
    "...",
    "./",
    "../",
    "/",
    "\\",
    "//",
    "\\/",
    "~",
    "C:/",
    "K:\\",
  ];
  let kept = 0;
  for (let round = 0; round < pathCount; round += 1) {
    // A drive letter only where it starts the path.
    const rest = Array.from({ length: pick(9) }, () => oneOf(pick, pieces.slice(0, -2)));
    const raw = `${oneOf(pick, pieces)}${rest.join("")}`;
    const reading = readPath(raw);
    expect(spelled(lease.defaultPolicy, raw), `path ${JSON.stringify(raw)}`).toBe(reading);
    if (reading !== undefined && reading !== ".") kept += 1;
  }
  expect(kept).toBeGreaterThan(pathCount / 4);
});

test("mayWrite() takes the two cases of every letter as the second reading does", () => {
  let pairs = 0;
  for (let code = 0x41; code < 0x1_f000; code += 1) {
    const letter = String.fromCodePoint(code);
    for (const other of new Set([letter.toLowerCase(), letter.toUpperCase(), letter.toLowerCase().toUpperCase()])) {
      if (other === letter) continue;
      pairs += 1;
      for (const caseSensitive of [true, false]) {
        const policy = { ...lease.defaultPolicy, caseSensitive };
        const { state } = readTransition(policy, lease.initialState(), requestOf(letter));
        const use = { holder: "c0", path: other, fence: 1 };
        const [core, reading] = [lease.mayWrite(policy, state, use), readMayWrite(policy, state, use)];
        if (core !== reading) expect.fail(`${letter} and ${other}: core ${core}, reading ${reading}`);
        if (!caseSensitive && !core) expect.fail(`${letter} and ${other} are two files without case`);
      }
    }
  }
  expect(pairs).toBeGreaterThan(2_500);
});

/** Answers with the path that the core keeps for a file call, or undefined when it refuses it. */
function spelled(policy: LeasePolicy, raw: string): string | undefined {
  const footprint = lease.transition(policy, lease.initialState(), requestOf(raw)).state.calls.get("c0")?.footprint;
  return footprint?.kind === "file" ? footprint.path : undefined;
}

function requestOf(path: string): LeaseInput {
  const footprint: Footprint = { kind: "file", path };
  return { type: "request", call: "c0", owner: "o1", footprint, atMs: 0, needsApproval: false, aborted: false };
}

/** What 20,000 sequences must have reached, and how often at least, or the agreement means little. */
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
  ["close with every stage", 20],
  ["close again", 500],
  ["close of a waiter frees another", 20],
  ["abort of a granted call", 500],
  ["abort of a waiter frees another", 20],
  ["approve past the deadline", 100],
  ["expired none", 100],
  ["expired file", 500],
  ["expired workspace", 500],
  ["expiry frees another", 20],
  ["tick fences and grants", 100],
  ["tick fences and expires", 20],
  ["two expire out of order of deadline", 20],
  ["queue of three", 500],
  ["a waiter passes a blocked one", 500],
  ["a waiter passes one it overlaps", 50],
  ["spawn beside a granted workspace call", 500],
  ["spawn conflicts with two children", 20],
];

type Pick = (limit: number) => number;
type Sequence = { readonly policy: LeasePolicy; readonly first: LeaseState; readonly inputs: readonly LeaseInput[] };

/** Plays a sequence on the second reading alone, so that a sequence does not depend on what the core answers. */
function play(seed: number, seen: Map<string, number>): Sequence {
  const pick = prng(seed);
  const policy: LeasePolicy = {
    waitLimitMs: [3, 12, 30][pick(3)] ?? 12,
    stuckLimitMs: [0, 4, 10][pick(3)] ?? 4,
    caseSensitive: (seed & 1) === 0,
    conflict: pick(4) === 0 ? "refuse" : "queue",
    queue: (seed & 2) === 0 ? "arrival" : "per-path",
  };
  const inputs: LeaseInput[] = [];
  const first = lease.initialState(1 + pick(3));
  let state = first;
  let nowMs = pick(5);
  const length = 15 + pick(12);
  for (let step = 0; step < length; step += 1) {
    nowMs = advance(pick, nowMs, readNextDeadlineMs(policy, state));
    const input = nextInput(pick, state, nowMs, step);
    const { state: after, effects } = readTransition(policy, state, input);
    count(seen, policy, state, input, effects, after);
    inputs.push(input);
    state = after;
  }
  return { policy, first, inputs };
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
  const children = [...state.children.keys()];
  const at = (stage: string): readonly string[] => calls.filter((id) => state.calls.get(id)?.stage === stage);
  // Most answers fit; the others name a call of another stage, an ended one or one that never was.
  const some = (fitting: readonly string[], letter = "c"): string =>
    fitting.length > 0 && pick(6) > 0 ? oneOf(pick, fitting) : `${letter}${pick(step + 1)}`;
  const fence = (own: number | null | undefined): number =>
    own !== null && own !== undefined && pick(6) > 0 ? own : pick(state.nextFence + 1);
  // Ids are numbered by step, as the page asks of the host; now and then one comes back while it is alive.
  const live = [...calls, ...children];
  const newId = (letter: string): string =>
    live.length > 0 && pick(12) === 0 ? oneOf(pick, live) : `${letter}${step}`;
  const kind = pick(100);
  if (kind < 12 && at("approving").length > 0) {
    const call = some(at(pick(8) > 0 ? "approving" : "waiting"));
    return kind < 9 ? { type: "approve", call, atMs } : { type: "deny", call };
  }
  if (kind < 22 && calls.length > 0) {
    const call = some(at("granted"));
    return { type: "release", call, fence: fence(state.calls.get(call)?.fence) };
  }
  if (kind < 29 && calls.length > 0) return { type: "abort", call: some(pick(2) > 0 ? at("waiting") : calls), atMs };
  if (kind < 37) return { type: "tick", atMs };
  if (kind < 42 && children.length > 0) {
    const child = some(children, "s");
    return { type: "finish", child, fence: fence(state.children.get(child)?.fence) };
  }
  if (kind < 48 && step > 6) return { type: "close", owner: someOwner(pick), atMs };
  if (kind < 60) {
    const wanted = Array.from({ length: [0, 1, 1, 1, 2, 2, 2, 3][pick(8)] ?? 1 }, () => somePath(pick));
    return { type: "spawn", child: newId("s"), owner: someOwner(pick), paths: wanted, atMs };
  }
  const footprint = someFootprint(pick);
  const needsApproval = pick(4) === 0;
  return {
    type: "request",
    call: newId("c"),
    owner: someOwner(pick),
    footprint,
    atMs,
    needsApproval,
    aborted: pick(20) === 0,
  };
}

/** Half of everything belongs to the first owner, so that a close finds something in each stage. */
function someOwner(pick: Pick): string {
  return pick(2) === 0 ? "o1" : oneOf(pick, owners);
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
function firstDifference(sequence: Sequence, seed: number): string | undefined {
  try {
    return compare(sequence, seed);
  } catch (error) {
    // Total on both sides, so a throw is a difference too, and the seed and the sequence are wanted all the more.
    return `thrown: ${error instanceof Error ? error.stack : error}`;
  }
}

function compare({ policy, first, inputs }: Sequence, seed: number): string | undefined {
  let core = first;
  let reading = first;
  let turn = seed;
  const holders = new Map<string, number>();
  for (const [step, input] of inputs.entries()) {
    const before = seed % 32 === 0 ? print(core) : "";
    const coreStep = lease.transition(policy, core, input);
    const readStep = readTransition(policy, reading, input);
    if (seed % 32 === 0 && print(core) !== before) return `step ${step}: the core wrote into the state it was given`;
    core = coreStep.state;
    reading = readStep.state;
    for (const effect of readStep.effects) {
      if (effect.type === "granted") holders.set(effect.call, effect.fence);
      if (effect.type === "spawned") holders.set(effect.child, effect.fence);
    }
    const sides: [string, unknown, unknown][] = [
      ["effects", coreStep.effects, readStep.effects],
      ["state", core, reading],
      ["nextDeadlineMs", lease.nextDeadlineMs(policy, core), readNextDeadlineMs(policy, reading)],
    ];
    // At every eighth step every holder that ever was, and one call that has no fence yet; path and wrong fence go round.
    const neverGranted: [string, number] = [reading.queue[0] ?? "c0", 0];
    const last = step === inputs.length - 1;
    const uses = last || (step + seed) % 8 === 0 ? [...holders, neverGranted] : [];
    const each = last && seed % 16 === 0 ? everyPath.length : 1;
    for (const [holder, fence] of uses) {
      for (let asked = each; asked > 0; asked -= 1) {
        turn += 1;
        const path = everyPath[turn % everyPath.length] ?? ".";
        const use = { holder, path, fence: turn % 10 === 0 ? fence + 1 : fence };
        const [ours, theirs] = [lease.mayWrite(policy, core, use), readMayWrite(policy, reading, use)];
        if (ours !== theirs) sides.push([`mayWrite ${print(use)}`, ours, theirs]);
      }
    }
    for (const [what, ours, theirs] of sides) {
      if (same(ours, theirs)) continue;
      return `step ${step}: ${what}\n    core:    ${print(ours)}\n    reading: ${print(theirs)}`;
    }
  }
  return undefined;
}

const everyPath = [...paths, ...outside];

/** Drops inputs one at a time while the two still differ, then says all there is to know. */
function report(sequence: Sequence, seed: number, difference: string): string {
  let shortest = sequence.inputs;
  let found = difference;
  for (let at = shortest.length - 1; at >= 0; at -= 1) {
    const shorter = shortest.filter((_, index) => index !== at);
    const still = firstDifference({ ...sequence, inputs: shorter }, seed);
    if (still === undefined) continue;
    shortest = shorter;
    found = still;
    at = shortest.length;
  }
  return [
    `The core and the second reading differ at seed ${seed} under ${JSON.stringify(sequence.policy)}`,
    `  fences from ${sequence.first.nextFence}`,
    ...shortest.map((input, step) => `  ${step} ${JSON.stringify(input)}`),
    `  ${found}`,
  ].join("\n");
}

/** Compares by value, and maps by their order too: it is the order of request and of spawn. */
function same(one: unknown, other: unknown): boolean {
  if (Object.is(one, other)) return true;
  if (typeof one !== "object" || typeof other !== "object" || one === null || other === null) return false;
  if (one instanceof Map && other instanceof Map) return same([...one], [...other]);
  const keys = Object.keys(one);
  return (
    Array.isArray(one) === Array.isArray(other) &&
    keys.length === Object.keys(other).length &&
    keys.every((key) => Object.hasOwn(other, key) && same(Reflect.get(one, key), Reflect.get(other, key)))
  );
}

function print(value: unknown): string {
  return JSON.stringify(value, (_, part) => (part instanceof Map ? [...part] : part));
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
    const stages = new Set(calls.map(({ stage }) => stage));
    for (const stage of stages) saw(`close with ${stage}`, !again);
    saw("close with child", child && !again);
    saw("close with every stage", stages.size === 3 && child && !again);
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
