/** Edits of the lease table. Each returns a new one and leaves the old as it was; none knows a rule. */
import type { LeaseCall, LeaseState } from "./state.ts";

/** Puts a call in, or puts it again in its old place: a Map keeps the order of request. */
export function putCall(state: LeaseState, id: string, call: LeaseCall): LeaseState {
  return { ...state, calls: new Map(state.calls).set(id, call) };
}

/** Takes calls and children out, wherever they stand; they share no id. Intents go with their calls. */
export function drop(state: LeaseState, ids: readonly string[]): LeaseState {
  const stays = (id: string) => !ids.includes(id);
  const others = <T>(map: ReadonlyMap<string, T>) => new Map([...map].filter(([id]) => stays(id)));
  return { ...state, children: others(state.children), calls: others(state.calls), queue: state.queue.filter(stays) };
}

/** Returns ids in order of request or spawn, so the first is the holder to name. */
export function idsWhere<T>(map: ReadonlyMap<string, T>, holds: (value: T) => boolean): readonly string[] {
  return [...map].filter(([, value]) => holds(value)).map(([id]) => id);
}
