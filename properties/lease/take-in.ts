/** What each sighting changes of what is known from outside. It is here alone that a view changes. */
import { busyVerdict, seenCall } from "./at-the-door.ts";
import { stuckAtMs } from "./due.ts";
import type { LeaseSighting } from "./history.ts";
import { isOpen, type SeenCall } from "./seen.ts";
import { seenSpawn } from "./spawns.ts";
import type { LeaseView } from "./view.ts";

type Seen<Kind extends LeaseSighting["seen"]> = Extract<LeaseSighting, { readonly seen: Kind }>;

/** Changes what is known by one sighting. */
export function takeIn(view: LeaseView, sighting: LeaseSighting): void {
  if ("atMs" in sighting) view.nowMs = Math.max(view.nowMs, sighting.atMs);
  switch (sighting.seen) {
    case "requested":
      request(view, sighting);
      break;
    case "answered":
      answer(view, sighting);
      break;
    case "granted":
      grant(view, sighting);
      break;
    case "cancelled":
    case "expired":
    case "refused":
      end(view, sighting.call);
      break;
    case "released": {
      const call = view.calls.get(sighting.call);
      if (call === undefined) break;
      view.fencedOff.released(call);
      if (call.stage === "runs") end(view, sighting.call);
      break;
    }
    case "aborted": {
      const call = view.calls.get(sighting.call);
      if (call !== undefined && isOpen(call)) call.died = true;
      break;
    }
    case "closed":
      if (view.closedAtMs.has(sighting.owner)) break;
      view.closedAtMs.set(sighting.owner, sighting.atMs);
      for (const call of view.calls.values()) if (call.owner === sighting.owner && isOpen(call)) call.died = true;
      break;
    case "spawning":
      view.spawns.begin(sighting, seenSpawn(sighting, view.lastFence, view.isAlone(sighting.child)));
      break;
    case "spawned":
      spawned(view, sighting);
      break;
    case "spawn-refused":
      spawnRefused(view, sighting);
      break;
    case "finished": {
      const { child, fence } = sighting;
      if (fence === null || view.children.get(child)?.fence === fence) view.children.delete(child);
      break;
    }
    case "woken":
      wake(view, sighting);
      break;
    case "sleeps":
      view.sleepsUntilMs = sighting.untilMs;
      break;
    case "asked":
    case "may-write":
    case "drained":
      break;
  }
}

function request(view: LeaseView, asked: Seen<"requested">): void {
  const call = seenCall(view, asked, view.lastFence);
  view.calls.set(call.id, call);
  if (!call.needsApproval) enqueue(view, call);
}

function answer(view: LeaseView, { call: id, yes, atMs }: Seen<"answered">): void {
  const call = view.calls.get(id);
  if (call?.stage !== "approving") return;
  call.answer = yes ? "yes" : "no";
  call.fencesThen = view.lastFence;
  if (!yes) return;
  call.stage = "waiting";
  call.deadlineMs = atMs + view.policy.waitLimitMs;
  enqueue(view, call);
}

function enqueue(view: LeaseView, call: SeenCall): void {
  call.busy = busyVerdict(view, view.queue, call);
  call.alone = view.isAlone(call.id);
  view.queue.push(call);
  call.waited = !view.pumped().has(call);
}

function grant(view: LeaseView, { call: id, fence }: Seen<"granted">): void {
  if (fence !== null) view.fences.add(fence);
  const call = view.calls.get(id);
  if (call === undefined) return;
  call.stage = "runs";
  call.fence = fence;
  view.queue = view.queue.filter((other) => other !== call);
}

function end(view: LeaseView, id: string): void {
  const call = view.calls.get(id);
  if (call === undefined) return;
  call.stage = "ended";
  view.queue = view.queue.filter((other) => other !== call);
}

function spawned(view: LeaseView, sighting: Seen<"spawned">): void {
  const { child, fence } = sighting;
  const spawn = view.spawns.get(sighting);
  if (spawn === undefined) return;
  view.spawns.answered(sighting);
  view.refused.delete(child);
  if (fence !== null) view.fences.add(fence);
  // Where it was decided before, its claim may have ended since.
  const isThere = !spawn.accepted || view.children.has(child);
  if (isThere) view.children.set(child, { ...spawn.child, fence });
}

function spawnRefused(view: LeaseView, sighting: Seen<"spawn-refused">): void {
  const { child } = sighting;
  const spawn = view.spawn(sighting);
  if (spawn === undefined) return;
  view.spawns.answered(sighting);
  if (spawn.accepted) {
    view.isContradicted = true;
    view.children.delete(child);
  } else if (spawn.verdictBefore !== null || spawn.verdict !== null || spawn.refusals.length > 0) {
    view.refused.set(child, { paths: spawn.child.paths, last: [...view.calls.values()].at(-1) });
  }
}

function wake(view: LeaseView, { atMs, overMs = Number.NEGATIVE_INFINITY }: Seen<"woken">): void {
  view.due = new Set(view.open().filter(({ deadlineMs }) => deadlineMs <= atMs));
  view.isTimerSeen = overMs === Number.NEGATIVE_INFINITY;
  for (const call of view.running().filter((call) => stuckAtMs(view, call) <= atMs)) {
    view.fencedOff.add(call);
    if (stuckAtMs(view, call) <= overMs) view.fencedOff.addStuck(call);
    end(view, call.id);
  }
  for (const child of [...view.children.values()].filter((child) => stuckAtMs(view, child) <= atMs)) {
    view.fencedOff.add(child);
    view.children.delete(child.id);
  }
  view.freed = view.pumped();
}
