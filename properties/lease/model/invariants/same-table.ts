/** Whether nothing has changed. What the reducer copies it copies shallowly, so the entries are usually the very same. */
import type { LeaseState } from "../../../../core/lease/state.ts";

export function sameTable(one: LeaseState, other: LeaseState): boolean {
  if (one === other) return true;
  const alike =
    one.nextFence === other.nextFence &&
    sameList(one.queue, other.queue) &&
    sameMap(one.calls, other.calls) &&
    sameMap(one.children, other.children) &&
    sameMap(one.closed, other.closed);
  return alike || shown(one) === shown(other);
}

function sameMap<Value>(one: ReadonlyMap<string, Value>, other: ReadonlyMap<string, Value>): boolean {
  if (one.size !== other.size) return false;
  for (const [key, value] of one) if (other.get(key) !== value) return false;
  return true;
}

function sameList(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((value, place) => value === other[place]);
}

function shown({ calls, children, queue, nextFence, closed }: LeaseState): string {
  return JSON.stringify([[...calls], [...children], queue, nextFence, [...closed]]);
}
