/** How events.once() and events.on() listen: to an EventEmitter, an EventTarget, or what passes for one. */
import { EventEmitter, on as nodeOn } from "node:events";
import { original } from "../../native/original.ts";
import { type Bag, isCallable, isObject } from "../shapes.ts";

export type Listener = (...args: unknown[]) => void;
export type Flags = { readonly [key: PropertyKey]: unknown };

// Taken now: the binding follows the module.
export const realOn = original(nodeOn);

export function listen(emitter: Bag, event: unknown, listener: Listener, flags: Flags = {}): void {
  if (isCallable(emitter.on)) {
    const method = flags.once === true ? emitter.once : emitter.on;
    if (isCallable(method)) Reflect.apply(method, emitter, [event, listener]);
    return;
  }
  if (isCallable(emitter.addEventListener)) emitter.addEventListener(event, listener, flags);
  // Throws what this Node throws.
  else callRealOn(emitter, event, {});
}

export function unlisten(emitter: Bag, event: unknown, listener: Listener, flags: Flags = {}): void {
  if (isCallable(emitter.removeListener)) emitter.removeListener(event, listener);
  else if (isCallable(emitter.removeEventListener)) emitter.removeEventListener(event, listener, flags);
}

/** Gives the signal of the options, or throws what Node throws for these: for a signal that is aborted already, too. */
export function checkedSignal(options: unknown): Bag | null {
  const signal = isObject(options) ? options.signal : undefined;
  // One that could be listened to is left out: nobody would take the listener away.
  const listenable = isObject(options) && isObject(signal) && signal.aborted === false;
  callRealOn(new EventEmitter(), "microloom", listenable ? { ...options, signal: undefined } : options);
  return listenable && isObject(signal) ? signal : null;
}

function callRealOn(emitter: unknown, event: unknown, options: unknown): void {
  Reflect.apply(realOn, undefined, [emitter, event, options]);
}
