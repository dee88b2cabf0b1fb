/** What a campaign has to reach, or its pass means nothing. Each goal is seen from outside, by what the scheduler shows. */
import type { Goal } from "../invariant.ts";
import type { LeaseHistory, LeaseSighting } from "./history.ts";
import type { LeaseWord } from "./scripts.ts";
import type { SeenCall } from "./seen.ts";
import { takeIn } from "./take-in.ts";
import { LeaseView } from "./view.ts";

export type LeaseGoal = {
  readonly goal: Goal<LeaseHistory>;
  /** Where one of these is missing, nobody can be asked to reach it. */
  readonly needs: readonly LeaseWord[];
};

type Reached = (before: LeaseView, sighting: LeaseSighting) => boolean;

/** The call that a sighting is about; undefined where it is about none that is known. */
function callOf(before: LeaseView, sighting: LeaseSighting): SeenCall | undefined {
  return "call" in sighting ? before.calls.get(sighting.call) : undefined;
}

/** Somebody stands behind it who need not wait when it leaves. */
function isHead(before: LeaseView, call: SeenCall | undefined): boolean {
  if (call === undefined || !before.queue.includes(call)) return false;
  const at = before.queue.indexOf(call);
  return before.queue.some((later, place) => place > at && before.inLine(call, later));
}

function writtenBy({ seen }: LeaseSighting, call: SeenCall | undefined): readonly string[] {
  return seen === "granted" && call?.footprint.kind === "file" ? [call.footprint.path] : [];
}

function waits(before: LeaseView, call: SeenCall | undefined): call is SeenCall {
  return call !== undefined && before.queue.includes(call) && !before.pumped().has(call);
}

const goals: readonly (readonly [string, readonly LeaseWord[], Reached])[] = [
  [
    "a call waits for another one, and is granted",
    [],
    (before, seen) => seen.seen === "granted" && callOf(before, seen)?.waited === true,
  ],
  ["a queue of three", [], (before) => before.queue.filter((call) => waits(before, call)).length >= 3],
  [
    "a waiter passes a blocked one that it does not overlap",
    [],
    (before, seen) => {
      const call = callOf(before, seen);
      if (seen.seen !== "granted" || call === undefined || call.footprint.kind === "none") return false;
      const at = before.queue.indexOf(call);
      return before.queue.some((earlier, place) => place < at && waits(before, earlier));
    },
  ],
  [
    "the head of a queue is aborted",
    [],
    (before, seen) => seen.seen === "aborted" && isHead(before, callOf(before, seen)),
  ],
  [
    "the head of a queue expires",
    [],
    (before, seen) => seen.seen === "expired" && isHead(before, callOf(before, seen)),
  ],
  [
    "a call is aborted that was let go and does not run yet",
    [],
    (before, seen) => {
      const call = callOf(before, seen);
      return seen.seen === "aborted" && call !== undefined && before.pumped().has(call);
    },
  ],
  [
    "a call is aborted while it runs",
    [],
    (before, seen) => seen.seen === "aborted" && callOf(before, seen)?.stage === "runs",
  ],
  [
    "a control call passes while somebody waits",
    [],
    (before, seen) => {
      const call = callOf(before, seen);
      return (
        seen.seen === "granted" && call?.footprint.kind === "none" && before.queue.some((one) => waits(before, one))
      );
    },
  ],
  [
    "a call meets another one under another spelling",
    [],
    (before, seen) => {
      if (seen.seen !== "requested" || seen.footprint.kind !== "file") return false;
      const { path } = seen.footprint;
      return before.running().some(({ footprint, asked }) => {
        return footprint.kind === "file" && asked !== path && before.meet(footprint, { kind: "file", path });
      });
    },
  ],
  [
    "approval is denied",
    ["approvals"],
    (before, seen) => seen.seen === "refused" && callOf(before, seen)?.answer === "no",
  ],
  [
    "an approved call waits in the queue",
    ["approvals"],
    (before) => before.queue.some((call) => call.answer === "yes" && waits(before, call)),
  ],
  [
    "a call is aborted while it awaits approval",
    ["approvals"],
    (before, seen) => seen.seen === "aborted" && callOf(before, seen)?.stage === "approving",
  ],
  [
    "a call expires while it awaits approval",
    ["approvals"],
    (before, seen) => seen.seen === "expired" && callOf(before, seen)?.stage === "approving",
  ],
  [
    "a child is refused because of a write",
    ["children"],
    (before, seen) => seen.seen === "spawn-refused" && before.spawn(seen)?.verdict?.reason === "root-writing",
  ],
  [
    "a write is refused because of a child",
    ["children"],
    (before, seen) => seen.seen === "refused" && callOf(before, seen)?.atTheDoor?.reason === "child-writing",
  ],
  [
    "a file that a refused child wanted goes to another one",
    ["children"],
    (before, seen) => {
      const places = seen.seen === "spawned" ? before.spawn(seen)?.child.paths : writtenBy(seen, callOf(before, seen));
      return [...before.refused.keys()].some((child) => before.wants(child, places ?? []));
    },
  ],
  ["a child is finished", ["children"], (before, seen) => seen.seen === "finished" && before.children.has(seen.child)],
  [
    "an owner is closed while it waits",
    ["close"],
    (before, seen) =>
      seen.seen === "closed" && before.queue.some((call) => call.owner === seen.owner && waits(before, call)),
  ],
  [
    "stuck work is fenced off, and its file is written by another one",
    ["close"],
    (before, seen) => {
      const call = callOf(before, seen);
      return seen.seen === "granted" && call !== undefined && before.takesOver(call);
    },
  ],
  [
    "a call is released after it was fenced off",
    ["close"],
    (before, seen) => seen.seen === "released" && before.fencedOff.has(seen.call, seen.fence),
  ],
];

/** What a check of a whole scheduler, over many scripts, has to reach. */
export const leaseGoals: readonly LeaseGoal[] = goals.map(([name, needs]) => ({
  goal: { name, reached: (history) => reachedIn(history).has(name) },
  needs,
}));

type Past = { readonly view: LeaseView; readonly reached: Set<string>; seen: number };
const pasts = new WeakMap<LeaseHistory, Past>();

/** Looks at each sighting only once, for all goals, with what was known before it. */
function reachedIn(history: LeaseHistory): ReadonlySet<string> {
  const past = pasts.get(history) ?? { view: new LeaseView(history.policy), reached: new Set<string>(), seen: 0 };
  pasts.set(history, past);
  for (const sighting of history.sightings.slice(past.seen)) {
    for (const [name, , reached] of goals) {
      if (!past.reached.has(name) && reached(past.view, sighting)) past.reached.add(name);
    }
    takeIn(past.view, sighting);
    past.seen++;
  }
  return past.reached;
}
