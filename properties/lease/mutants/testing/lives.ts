/** Random lives of the reducer, and who sees in them that it is a mutant: a second reading of the contract, and the core's own invariants. */
import { isDeepStrictEqual } from "node:util";
import fc from "fast-check";
import {
  defaultPolicy,
  type Footprint,
  initialState,
  type LeaseInput,
  type LeasePolicy,
  type LeaseState,
} from "../../../../core/lease/state.ts";
import { Observer, show } from "../../../../core/lease/testing/invariants.ts";
import { readMayWrite, readNextDeadlineMs, readTransition } from "../../../../core/lease/testing/second-reading.ts";
import { deeds, play, policies } from "../../../../core/lease/testing/world.ts";
import type { LeaseReducer } from "../../model/world.ts";

/** Inputs as the reducer that ships would meet them, so that a life is the same for every mutant. */
export type Life = { readonly policy: LeasePolicy; readonly inputs: readonly LeaseInput[] };

/** What chance seldom comes to, and then what chance comes to. */
export function someLives(count: number, seed: number): readonly Life[] {
  return [...crowdedLives, ...randomLives(count, seed)];
}

const crowded: readonly LeaseInput[] = [
  request("c1", "run", file("src")),
  request("c2", "other", { kind: "workspace" }),
  request("c3", "run", file("docs")),
];
const { waitLimitMs, stuckLimitMs } = defaultPolicy;
const stuck = request("c1", "other", { kind: "workspace" });

/** The middle one of a queue leaves; a tick comes a moment before anything is due; and stuck work holds somebody up. */
const crowdedLives: readonly Life[] = [
  [...crowded, { type: "abort", call: "c2", atMs: 0 } as const],
  [...crowded, close(0)],
  [...crowded, tick(waitLimitMs - 1)],
  [stuck, request("c2", "run", file("src")), close(0), tick(stuckLimitMs)],
  [stuck, close(0), close(1), tick(stuckLimitMs)],
].map((inputs) => ({ policy: defaultPolicy, inputs }));

function close(atMs: number): LeaseInput {
  return { type: "close", owner: "other", atMs };
}

function tick(atMs: number): LeaseInput {
  return { type: "tick", atMs };
}

function request(call: string, owner: string, footprint: Footprint): LeaseInput {
  return { type: "request", call, owner, footprint, atMs: 0, needsApproval: false, aborted: false };
}

function file(path: string): Footprint {
  return { kind: "file", path };
}

function randomLives(count: number, seed: number): readonly Life[] {
  return fc
    .sample(fc.tuple(policies, deeds), { numRuns: count, seed })
    .map(([policy, script]) => {
      // Several ask before anything else happens: then there is a queue, and most rules are about one.
      const asking = script.filter(({ type }) => type === "request").slice(0, 4);
      const crowded = [...asking, ...script.filter((deed) => !asking.includes(deed))];
      return { policy, inputs: [...play(policy, crowded)].map(({ input }) => input) };
    })
    .filter(({ inputs }) => !inputs.some(asksForNothing));
}

/** The contract leaves the empty path open, and the two readings of it differ there. */
function asksForNothing(input: LeaseInput): boolean {
  if (input.type === "spawn") return input.paths.includes("");
  return input.type === "request" && input.footprint.kind === "file" && input.footprint.path === "";
}

/** What the second reading answers otherwise first: an input, `nextDeadlineMs` or `mayWrite`; null where the two agree. */
export function firstDifference(reducer: LeaseReducer, { policy, inputs }: Life): string | null {
  let state = initialState();
  let reading = initialState();
  for (const input of inputs) {
    const [one, other] = [reducer.transition(policy, state, input), readTransition(policy, reading, input)];
    if (!isDeepStrictEqual(flat(one), flat(other))) return input.type;
    state = one.state;
    reading = other.state;
    if (reducer.nextDeadlineMs(policy, state) !== readNextDeadlineMs(policy, reading)) return "nextDeadlineMs";
    for (const use of uses(state)) {
      if (reducer.mayWrite(policy, state, use) !== readMayWrite(policy, reading, use)) return "mayWrite";
    }
  }
  return null;
}

/** Maps by their order too: it is the order of request and of spawn. */
function flat({ state, effects }: { readonly state: LeaseState; readonly effects: readonly unknown[] }) {
  const { calls, children, closed } = state;
  return { ...state, calls: [...calls], children: [...children], closed: [...closed], effects };
}

function uses({ calls, children, nextFence }: LeaseState) {
  const leases = [...calls, ...children];
  return leases.flatMap(([holder, { fence }]) =>
    [fence ?? nextFence, (fence ?? nextFence) - 1].map((fence) => ({ holder, fence, path: "src/a" })),
  );
}

/** The name of the first of the core's invariants that is broken; null where all hold. */
export function firstBroken({ transition }: LeaseReducer, { policy, inputs }: Life): string | null {
  const observer = new Observer(policy);
  let state = initialState();
  for (const input of inputs) {
    const step = transition(policy, state, input);
    // A mutant may make the same table anew; only the one that ships says by the same object that nothing has changed.
    const after = show(step.state) === show(state) ? state : step.state;
    const saw = sight(observer, { before: state, input, state: after, effects: step.effects });
    if (saw !== null) return saw;
    state = after;
  }
  return null;
}

function sight(observer: Observer, step: Parameters<Observer["observe"]>[0]): string | null {
  try {
    observer.observe(step);
    return null;
  } catch (error) {
    const said = error instanceof Error ? error.message : String(error);
    return said.startsWith("lease/") ? said.slice(0, said.indexOf(":")) : said;
  }
}
