/**
 * One state for all that differ in nothing the reducer looks at. This is what makes runs without end finitely many states.
 *
 * - **Time** is told from now: it is always 0, and what is overdue is due now. The reducer only asks whether a deadline has
 *   come, and time never goes back.
 * - **Fences** are numbered by who holds them. The reducer compares them for equality and hands out the next one, so any
 *   numbers do, as long as no two are equal and the next one is above them all. That they grow is judged at every step,
 *   before they are renumbered.
 * - **Calls, children and closed owners** are named in order of request, spawn and close; of a call that has ended nothing
 *   is left, and "unknown id" stands for them all.
 * - **A closed owner** is forgotten when the stuck limit has passed and it has nothing left: it only says no from then on.
 * - **Paths** are told in one spelling, and a claim without what another of its paths already covers: claims and footprints
 *   are compared, and what is shown is judged at the step that shows it.
 *
 * The reducer does not look at owners before one closes; `script.test.ts` plays long random runs on it with the owners known
 * from the beginning, and `normal-form.test.ts` compares, all along such runs, every state with its normal form.
 */
import type { LeaseCall, LeaseChild, LeasePolicy, LeaseState } from "../../../core/lease/state.ts";
import type { LeaseBounds } from "./bounds.ts";
import type { Ground } from "./ground.ts";
import { type LeaseWorld, openOwner, type Told } from "./world.ts";

export const callId = (place: number): string => `c${place + 1}`;
export const childId = (place: number): string => `k${place + 1}`;
export const goneId = (place: number): string => `gone-${place + 1}`;

/** `kept`: for liveness, where each has duties of its own. A name is free again when what had it is forgotten. */
export type Naming = "renamed" | "kept";

export function normalForm(policy: LeasePolicy, bounds: LeaseBounds, ground: Ground, naming: Naming) {
  const nextFence = firstFreeFence(bounds);
  const coverOf = covering(ground);

  return (world: LeaseWorld): LeaseWorld => {
    const { lease, nowMs } = world;
    const told = new Map<string, Told>();
    const names = new Map<string, string>();
    for (const [id, what] of world.told) {
      if (!isRemembered(world, id)) continue;
      const name = naming === "renamed" ? callId(told.size) : id;
      names.set(id, name);
      told.set(name, what);
    }
    const nameOf = (id: string) => names.get(id) ?? id;

    const closed = new Map<string, number>();
    const owners = new Map([[openOwner, openOwner]]);
    for (const [owner, atMs] of lease.closed) {
      if (!isOwnerRemembered(policy, world, owner)) continue;
      const name = naming === "renamed" ? goneId(closed.size) : owner;
      owners.set(owner, name);
      closed.set(name, Math.max(atMs - nowMs, -policy.stuckLimitMs));
    }
    const ownerOf = (owner: string) => owners.get(owner) ?? owner;

    const calls = new Map<string, LeaseCall>();
    for (const [id, call] of lease.calls) {
      const name = nameOf(id);
      const { footprint, deadlineMs } = call;
      calls.set(name, {
        owner: ownerOf(call.owner),
        footprint: footprint.kind === "file" ? { kind: "file", path: ground.same(footprint.path) } : footprint,
        stage: call.stage,
        deadlineMs: deadlineMs === null ? null : Math.max(0, deadlineMs - nowMs),
        fence: call.fence === null ? null : Number(name.slice(1)),
      });
    }
    const children = new Map<string, LeaseChild>();
    for (const [id, { owner, paths }] of lease.children) {
      const name = naming === "renamed" ? childId(children.size) : id;
      children.set(name, {
        owner: ownerOf(owner),
        paths: coverOf(paths),
        fence: bounds.calls + Number(name.slice(1)),
      });
    }
    const queue = lease.queue.map(nameOf);
    return { lease: { children, calls, queue, nextFence, closed }, told, nowMs: 0 };
  };
}

/** Above all that calls and children may hold. */
export function firstFreeFence({ calls, children }: LeaseBounds): number {
  return calls + children + 1;
}

/** Something about the call is still open, to its caller or in the table. */
export function isRemembered({ lease, told }: LeaseWorld, call: string): boolean {
  return told.get(call) !== "ended" || lease.calls.has(call) || lease.queue.includes(call);
}

export function isOwnerRemembered({ stuckLimitMs }: LeasePolicy, { lease, nowMs }: LeaseWorld, owner: string): boolean {
  const closedAtMs = lease.closed.get(owner);
  return (closedAtMs !== undefined && nowMs - closedAtMs < stuckLimitMs) || hasSomething(lease, owner);
}

export function hasSomething({ calls, children }: LeaseState, owner: string): boolean {
  for (const call of calls.values()) if (call.owner === owner) return true;
  for (const child of children.values()) if (child.owner === owner) return true;
  return false;
}

/** Folders and files of a claim, each covered once, in the order of the ground. */
function covering(ground: Ground): (paths: readonly string[]) => readonly string[] {
  return (paths) => {
    const [only] = paths;
    if (paths.length === 1 && only !== undefined) return [ground.same(only)];
    const files = new Set(paths.map(ground.same));
    return ground.paths.filter(
      (path) => files.has(path) && ![...files].some((other) => other !== path && ground.within(path, other)),
    );
  };
}
