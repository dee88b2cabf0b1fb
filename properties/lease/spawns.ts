/**
 * Spawns as somebody outside knows of them. Between the call and its answer a child may be there or not: a scheduler may
 * take its time. So a spawn is decided at one of the moments in between, and which one it was, readings have to find out.
 */
import type { LeasePolicy } from "../../core/lease/state.ts";
import type { LeaseSighting, SpawnName } from "./history.ts";
import { normalPath, overlap } from "./paths.ts";
import { isLeaving, isTurnedAway, type SeenCall, type SeenChild, type SeenTable } from "./seen.ts";
import type { Verdict } from "./verdict.ts";

/** What the contract says to a spawn. */
export type SpawnAnswer = {
  readonly verdict: Verdict | null;
  /** The same while calls that were stopped or denied, and have not been told yet, are still in the way. */
  readonly verdictBefore: Verdict | null;
};

export type SeenSpawn = {
  readonly child: SeenChild;
  /** It wants no paths, or one that is outside. */
  readonly misfit: "no-paths" | "outside-workspace" | null;
  /** Fences seen when it was asked for. */
  readonly fencesThen: number;
  /** Nobody was there when it was asked for. */
  readonly alone: boolean;
  /** It is taken for there, before its answer is seen. */
  readonly accepted: boolean;
  /** What it could have been refused for since it was asked for; as nothing comes of a refusal, any of these may be told. */
  readonly refusals: readonly Verdict[];
};

export function spawnKey({ child, attempt = 1 }: SpawnName): string {
  return `${attempt} of ${child}`;
}

export function seenSpawn(
  { child: id, owner, paths: asked }: Extract<LeaseSighting, { readonly seen: "spawning" }>,
  fencesThen: number,
  alone: boolean,
): SeenSpawn {
  const paths = asked.flatMap((path) => normalPath(path) ?? []);
  const misfit = asked.length === 0 ? "no-paths" : paths.length < asked.length ? "outside-workspace" : null;
  return { child: { id, owner, paths, fence: null }, misfit, fencesThen, alone, accepted: false, refusals: [] };
}

/** What the contract says to it now. */
export function spawnAnswer(table: SeenTable, spawn: SeenSpawn): SpawnAnswer {
  const live = [...table.calls.values()].filter((call) => call.stage !== "ended" && !isTurnedAway(call));
  const staying = live.filter((call) => !isLeaving(call));
  return { verdict: verdictOn(table, spawn, staying), verdictBefore: verdictOn(table, spawn, live) };
}

/** Every check in the order of the contract; the first holder in the way, and the first path that it is in the way of. */
function verdictOn(
  { policy, calls, children, closedAtMs }: SeenTable,
  { child: { id, owner, paths }, misfit }: SeenSpawn,
  live: readonly SeenCall[],
): Verdict | null {
  const call = calls.get(id);
  if (children.has(id) || (call !== undefined && call.stage !== "ended")) return { reason: "duplicate-child" };
  if (closedAtMs.has(owner)) return { reason: "owner-closed" };
  if (misfit !== null) return { reason: misfit };
  for (const [holder, other] of children) {
    const path = paths.find((path) => other.paths.some((claimed) => overlap(policy, path, claimed)));
    if (path !== undefined) return { reason: "child-conflict", path, holder };
  }
  for (const { id: holder, footprint } of live) {
    if (footprint.kind !== "file") continue;
    const path = paths.find((path) => overlap(policy, path, footprint.path));
    if (path !== undefined) return { reason: "root-writing", path, holder };
  }
  return null;
}

/** With what it could have been refused for by now. */
export function refusable(spawn: SeenSpawn, { verdict, verdictBefore }: SpawnAnswer): SeenSpawn {
  const isNew = (one: Verdict | null) =>
    one !== null && !spawn.refusals.some((known) => JSON.stringify(known) === JSON.stringify(one));
  const more = [verdict, verdictBefore].filter((one) => one !== null).filter(isNew);
  return more.length === 0 ? spawn : { ...spawn, refusals: [...spawn.refusals, ...more] };
}

/**
 * Whether it makes a difference that a child is there before `next`, and not only after it: whoever ends, or waits, was
 * there before the child and would have kept it away. `other`: the child that `next` is the answer to.
 */
export function matters(
  policy: LeasePolicy,
  { id, owner, paths }: SeenChild,
  next: LeaseSighting,
  other: SeenChild | undefined,
): boolean {
  const meet = (places: readonly string[]) =>
    places.some((place) => paths.some((path) => overlap(policy, path, place)));
  switch (next.seen) {
    case "requested": {
      const path = next.footprint.kind === "file" ? normalPath(next.footprint.path) : null;
      return next.call === id || (path !== null && meet([path]));
    }
    case "closed":
      return next.owner === owner;
    case "spawned":
    case "spawn-refused":
      return other !== undefined && (other.id === id || meet(other.paths));
    default:
      return false;
  }
}
