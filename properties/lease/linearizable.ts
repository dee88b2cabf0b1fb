/**
 * Could a table that does one thing at a time have answered as this scheduler did? A lease is taken somewhere between the
 * request and the moment in which its caller hears of the grant, and given back where it is released; in one of the orders
 * that these intervals allow nobody may take what another one has.
 *
 * The search is the one of Wing and Gong (1993), with the memory of Lowe (2017): a set of operations that has been tried
 * is not tried again, because what is held follows from the set alone. Leases that do not meet, not even by way of others,
 * are judged by themselves.
 */
import type { LeasePolicy } from "../../core/lease/state.ts";
import type { Invariant } from "../invariant.ts";
import type { LeaseHistory } from "./history.ts";
import { normalPath, overlap } from "./paths.ts";

export type Operation = {
  readonly does: "take" | "give back";
  /** Whose lease it is about; its number in `leases`. */
  readonly lease: number;
  /** It took effect not before the one and not after the other; `to` is infinite where it may not have happened at all. */
  readonly from: number;
  readonly to: number;
};

export type Lease = {
  readonly name: string;
  readonly kind: "file" | "workspace" | "child";
  readonly paths: readonly string[];
};

/**
 * Kept out of the contract: whatever it sees, `lease/single-writer` or `lease/parent-child-exclusive` sees, too, and says who
 * was in the way of whom. Their tests hold them against it.
 */
export const linearizable: Invariant<LeaseHistory> = {
  name: "lease/linearizable",
  why: "Two calls that hold one file at once lose an edit, in whatever order one looks at it.",
  violation(history) {
    const { leases, operations } = operationsOf(history);
    const meets = meeting(history.policy, leases);
    for (const lines of apart(leases, meets)) {
      const own = operations.filter(({ lease }) => lines.has(lease));
      if (canBeOrdered(own, meets)) continue;
      const first = own
        .toSorted((one, other) => one.to - other.to)
        .find(({ to }) => !canBeOrdered(upTo(own, to), meets));
      const name = leases[first?.lease ?? 0]?.name;
      return `in no order of the grants and releases could ${name} have been granted what it was`;
    }
    return undefined;
  },
};

/** True when two leases must not be held at once. */
export type Meeting = (one: number, other: number) => boolean;

/** True when all operations that must have happened fit into one order. */
export function canBeOrdered(operations: readonly Operation[], meets: Meeting): boolean {
  const tried = new Set<string>();
  const done = operations.map(() => false);
  const held = new Set<number>();

  const goOn = (): boolean => {
    const left = operations.filter((_, at) => done[at] !== true);
    // Whatever has ended by then was before whatever begins later.
    const endsFirst = Math.min(...left.map(({ to }) => to));
    if (endsFirst === Number.POSITIVE_INFINITY) return true;
    const key = done.map(Number).join("");
    if (tried.has(key)) return false;
    tried.add(key);
    return operations.some((operation, at) => {
      const { does, lease, from } = operation;
      if (done[at] === true || from > endsFirst) return false;
      const wasHeld = held.has(lease);
      if (does === "take" && [...held].some((other) => meets(lease, other))) return false;
      // Only what was taken can be given back; what was taken away can be, too, and nothing comes of it.
      if (does === "give back" && !isTaken(lease)) return false;
      done[at] = true;
      if (does === "take") held.add(lease);
      else held.delete(lease);
      if (goOn()) return true;
      done[at] = false;
      if (wasHeld) held.add(lease);
      else held.delete(lease);
      return false;
    });
  };
  const isTaken = (lease: number) =>
    operations.some((one, at) => done[at] === true && one.does === "take" && one.lease === lease);
  return goOn();
}

/** What has to fit into an order, if nothing after `end` had been seen. */
function upTo(operations: readonly Operation[], end: number): readonly Operation[] {
  return operations
    .filter(({ from }) => from <= end)
    .map((operation) => (operation.to <= end ? operation : { ...operation, to: Number.POSITIVE_INFINITY }));
}

export function operationsOf({ policy, sightings }: LeaseHistory): {
  readonly leases: readonly Lease[];
  readonly operations: readonly Operation[];
} {
  const leases: (Lease & {
    readonly owner: string;
    readonly askedAt: number;
    fence: number | null;
    isHeld: boolean;
  })[] = [];
  const operations: Operation[] = [];
  const closedAtMs = new Map<string, number>();
  const find = (name: string, isHeld: boolean) =>
    leases.findLastIndex((lease) => lease.name === name && (!isHeld || lease.isHeld));
  const ask = (lease: Lease, owner: string, askedAt: number) =>
    leases.push({ ...lease, owner, askedAt, fence: null, isHeld: false });
  const took = (name: string, fence: number | null, to: number) => {
    const number = find(name, false);
    const lease = leases[number];
    if (lease === undefined) return;
    operations.push({ does: "take", lease: number, from: lease.askedAt, to });
    lease.fence = fence;
    lease.isHeld = true;
  };
  const gave = (name: string, fence: number | null, at: number) => {
    const number = find(name, true);
    const lease = leases[number];
    if (lease === undefined || (fence !== null && lease.fence !== fence)) return;
    operations.push({ does: "give back", lease: number, from: at, to: at });
    lease.isHeld = false;
  };
  for (const [at, seen] of sightings.entries()) {
    switch (seen.seen) {
      case "requested": {
        const { kind } = seen.footprint;
        const path = kind === "file" ? normalPath(seen.footprint.path) : ".";
        const paths = kind === "none" || path === null ? [] : [path];
        ask({ name: seen.call, kind: kind === "file" ? "file" : "workspace", paths }, seen.owner, at);
        break;
      }
      case "spawning":
        ask(
          { name: seen.child, kind: "child", paths: seen.paths.flatMap((path) => normalPath(path) ?? []) },
          seen.owner,
          at,
        );
        break;
      case "granted":
        took(seen.call, seen.fence, at);
        break;
      case "spawned":
        took(seen.child, seen.fence, at);
        break;
      case "released":
        gave(seen.call, seen.fence, at);
        break;
      case "finished":
        gave(seen.child, seen.fence, at);
        break;
      case "closed":
        if (!closedAtMs.has(seen.owner)) closedAtMs.set(seen.owner, seen.atMs);
        break;
      case "woken":
        // From here on it may have been taken away; whether it was, nobody is told.
        for (const [number, lease] of leases.entries()) {
          const isStuck = (closedAtMs.get(lease.owner) ?? Infinity) + policy.stuckLimitMs <= seen.atMs;
          if (lease.isHeld && isStuck)
            operations.push({ does: "give back", lease: number, from: at, to: Number.POSITIVE_INFINITY });
        }
        break;
      default:
        break;
    }
  }
  return { leases, operations };
}

function meeting(policy: LeasePolicy, leases: readonly Lease[]): Meeting {
  return (one, other) => {
    const [a, b] = [leases[one], leases[other]];
    if (a === undefined || b === undefined || one === other) return false;
    // A command may run while a child works.
    if ((a.kind === "workspace" && b.kind === "child") || (a.kind === "child" && b.kind === "workspace")) return false;
    return a.paths.some((path) => b.paths.some((held) => overlap(policy, path, held)));
  };
}

/** Leases that meet, directly or by way of others, are together. */
function apart(leases: readonly Lease[], meets: Meeting): readonly ReadonlySet<number>[] {
  let groups: ReadonlySet<number>[] = [];
  for (const lease of leases.keys()) {
    const near = groups.filter((group) => [...group].some((other) => meets(lease, other)));
    groups = [
      ...groups.filter((group) => !near.includes(group)),
      new Set([lease, ...near.flatMap((group) => [...group])]),
    ];
  }
  return groups;
}
