/**
 * A small world for property tests of the lease reducer: few files under many spellings, three owners, and a host that
 * may do anything, also what no right host does (answer twice, release with a foreign fence, ask for a dead call).
 */
import fc from "fast-check";
import {
  type Footprint,
  initialState,
  type LeaseEffect,
  type LeaseInput,
  type LeasePolicy,
  type LeaseState,
} from "../state.ts";
import { transition } from "../transition.ts";

/** Written down instead of normalised: a bug in `path.ts` must not blind its own check. */
const spellings: readonly (readonly [segments: string, ...spellings: string[]])[] = [
  ["", ".", "./", "docs/.."],
  ["src", "src", "src/", ".\\src"],
  ["src a", "src/a", "./src//a", "src\\a\\", "docs/../src/a"],
  ["src a b", "src/a/b", "src\\a/./b"],
  ["src-gen", "src-gen"],
  ["docs", "docs", "docs/x/.."],
  ["SRC A", "SRC/A", "SRC\\A"],
];
const segmentsBySpelling = new Map(
  spellings.flatMap(([segments, ...names]) =>
    names.map((name) => [name, segments.split(" ").filter((part) => part !== "")]),
  ),
);

export type Segments = readonly string[];

/** Looks a path up, before or after it was normalised. */
export function segmentsOf(policy: LeasePolicy, path: string): Segments {
  const segments = segmentsBySpelling.get(path);
  if (segments === undefined) throw new Error(`The world has no file ${JSON.stringify(path)}`);
  return policy.caseSensitive ? segments : segments.map((part) => part.toLowerCase());
}

export function meet(one: Segments, other: Segments): boolean {
  const shared = Math.min(one.length, other.length);
  return one.slice(0, shared).join("/") === other.slice(0, shared).join("/");
}

const path = fc.constantFrom(...segmentsBySpelling.keys());
const outsidePath = fc.constantFrom("../src", "/etc", "C:\\src", "");
const owner = fc.constantFrom("run", "other", "late");
const pick = fc.nat({ max: 11 });
const footprint = fc.oneof<Weighted<Footprint>[]>(
  { weight: 6, arbitrary: path.map((path) => ({ kind: "file", path })) },
  { weight: 2, arbitrary: fc.constant({ kind: "workspace" }) },
  { weight: 1, arbitrary: fc.constant({ kind: "none" }) },
  { weight: 1, arbitrary: outsidePath.map((path) => ({ kind: "file", path })) },
);

type Weighted<Value> = { weight: number; arbitrary: fc.Arbitrary<Value> };

/** One deed of the host; `pick` chooses among the ids handed out so far, so that deeds stay meaningful when shrunk. */
const deed = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({
      type: fc.constant<"request">("request"),
      owner,
      footprint,
      needsApproval: fc.boolean(),
      aborted: fc.constantFrom(false, false, false, true),
      fresh: fc.constantFrom(true, true, true, true, false),
      pick,
    }),
  },
  { weight: 3, arbitrary: fc.record({ type: fc.constant<"approve">("approve"), pick }) },
  { weight: 1, arbitrary: fc.record({ type: fc.constant<"deny">("deny"), pick }) },
  { weight: 4, arbitrary: fc.record({ type: fc.constant<"release">("release"), pick, foreign: fc.nat({ max: 3 }) }) },
  { weight: 2, arbitrary: fc.record({ type: fc.constant<"abort">("abort"), pick }) },
  { weight: 2, arbitrary: fc.record({ type: fc.constant<"tick">("tick"), passMs: fc.constantFrom(0, 5, 20, 60) }) },
  {
    weight: 3,
    arbitrary: fc.record({
      type: fc.constant<"spawn">("spawn"),
      owner,
      paths: fc.array(fc.oneof({ weight: 9, arbitrary: path }, { weight: 1, arbitrary: outsidePath }), {
        maxLength: 2,
      }),
      fresh: fc.constantFrom(true, true, true, false),
      pick,
    }),
  },
  { weight: 2, arbitrary: fc.record({ type: fc.constant<"finish">("finish"), pick, foreign: fc.nat({ max: 3 }) }) },
  { weight: 1, arbitrary: fc.record({ type: fc.constant<"close">("close"), owner }) },
);
type Deed = typeof deed extends fc.Arbitrary<infer Value> ? Value : never;

export const deeds = fc.array(deed, { maxLength: 40, size: "max" });
export const policies: fc.Arbitrary<LeasePolicy> = fc.record({
  waitLimitMs: fc.constantFrom(0, 50, 1_000),
  stuckLimitMs: fc.constantFrom(0, 30),
  caseSensitive: fc.boolean(),
  conflict: fc.constantFrom("queue", "queue", "queue", "refuse"),
  queue: fc.constantFrom("arrival", "per-path"),
});

export type Step = {
  readonly before: LeaseState;
  readonly input: LeaseInput;
  readonly state: LeaseState;
  readonly effects: readonly LeaseEffect[];
};

/** Plays the deeds one by one. Ids are numbered, and now and then given out twice while they live. */
export function* play(policy: LeasePolicy, script: readonly Deed[]): Generator<Step, LeaseState> {
  let state = initialState();
  let atMs = 0;
  const ids: string[] = [];
  for (const deed of script) {
    if (deed.type === "tick") atMs += deed.passMs;
    const input = inputOf(state, deed, ids, atMs);
    const step = transition(policy, state, input);
    yield { before: state, input, ...step };
    state = step.state;
  }
  return state;
}

function inputOf(state: LeaseState, deed: Deed, ids: string[], atMs: number): LeaseInput {
  const picked = "pick" in deed ? (ids.at(-1 - deed.pick) ?? "nobody") : "nobody";
  const isLive = state.calls.has(picked) || state.children.has(picked);
  const id = "fresh" in deed && (deed.fresh || !isLive) ? `id${ids.length}` : picked;
  if (id !== picked) ids.push(id);
  const lease = state.calls.get(id) ?? state.children.get(id);
  const fence = (lease?.fence ?? 1) + ("foreign" in deed && deed.foreign === 0 ? 1 : 0);
  switch (deed.type) {
    case "request": {
      const { owner, footprint, needsApproval, aborted } = deed;
      return { type: "request", call: id, owner, footprint, atMs, needsApproval, aborted };
    }
    case "spawn":
      return { type: "spawn", child: id, owner: deed.owner, paths: deed.paths, atMs };
    case "close":
      return { type: "close", owner: deed.owner, atMs };
    case "release":
      return { type: "release", call: id, fence };
    case "finish":
      return { type: "finish", child: id, fence };
    case "deny":
      return { type: "deny", call: id };
    case "tick":
      return { type: "tick", atMs };
    default:
      return { type: deed.type, call: id, atMs };
  }
}
