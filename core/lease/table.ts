/** Edits of the lease table. Each returns a new one and leaves the old as it was; none knows a rule. */
import type { LeaseCall, LeaseState } from "./state.ts";

/** Puts a call in, or puts it again in its old place: a Map keeps the order of request. */
export function putCall(state: LeaseState, id: string, call: LeaseCall): LeaseState {
  return { ...state, calls: new Map(state.calls).set(id, call) };
}

/** Takes calls out of the table and of the queue. Their intents go with them. */
export function dropCalls(state: LeaseState, ids: readonly string[]): LeaseState {
  return { ...state, calls: without(state.calls, ids), queue: state.queue.filter((id) => !ids.includes(id)) };
}

export function without<T>(map: ReadonlyMap<string, T>, ids: readonly string[]): ReadonlyMap<string, T> {
  return new Map([...map].filter(([id]) => !ids.includes(id)));
}

/** Returns ids in order of request or spawn, so the first is the holder to name. */
export function idsWhere<T>(map: ReadonlyMap<string, T>, holds: (value: T) => boolean): readonly string[] {
  return [...map].filter(([, value]) => holds(value)).map(([id]) => id);
}
