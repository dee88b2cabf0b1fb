/**
 * When two deliveries depend on each other, so that their order may matter: they come from one source, one of them is
 * there because of the other, or they touch one thing and one of them writes it. What was declared counts for the state
 * of the code under test, where nothing declared means everything; what was observed counts for the simulator's own
 * things (signals, event targets, the clock, timers, random streams, names, notes) and is exact.
 *
 * Independence as in A. Mazurkiewicz, Trace theory (1987); the two kinds of touches are ours.
 */
import type { Touches } from "./scenario.ts";

/** A delivery, as far as dependence goes. */
export type Touching = {
  readonly source: string;
  /** Declared; null: everything. */
  readonly touches: Touches | null;
  /** Seen; null: not known yet. */
  readonly observed: Touches | null;
};

const nothing: Touches = {};

/** Tells whether the order of the two may matter, apart from one being there because of the other. */
export function conflict(one: Touching, other: Touching): boolean {
  if (conflictDeclared(one, other)) return true;
  return overlap(one.observed ?? nothing, other.observed ?? nothing);
}

/** The same of deliveries that are still pending: nobody knows yet what they will be seen to touch. */
export function conflictDeclared(
  one: Pick<Touching, "source" | "touches">,
  other: Pick<Touching, "source" | "touches">,
): boolean {
  return one.source === other.source || overlapDeclared(one.touches, other.touches);
}

function overlapDeclared(one: Touches | null, other: Touches | null): boolean {
  if (one === null) return other === null || touchesSomething(other);
  if (other === null) return touchesSomething(one);
  return overlap(one, other);
}

/** Undeclared touches everything; against what touches nothing that is no conflict. */
function touchesSomething({ reads = [], writes = [] }: Touches): boolean {
  return reads.length > 0 || writes.length > 0;
}

function overlap(one: Touches, other: Touches): boolean {
  return writesInto(one, other) || writesInto(other, one);
}

function writesInto({ writes = [] }: Touches, { reads = [], writes: alsoWritten = [] }: Touches): boolean {
  if (writes.length === 0) return false;
  for (const resource of writes) if (has(reads, resource) || has(alsoWritten, resource)) return true;
  return false;
}

/** Longer lists are looked up in a set that is kept for as long as the list is. */
const longList = 16;
const sets = new WeakMap<readonly string[], ReadonlySet<string>>();

function has(list: readonly string[], resource: string): boolean {
  if (list.length < longList) return list.includes(resource);
  let set = sets.get(list);
  if (set === undefined) {
    set = new Set(list);
    sets.set(list, set);
  }
  return set.has(resource);
}
