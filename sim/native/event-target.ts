/**
 * The virtual realm's EventTarget. Its rules are those of Node: the listeners of a type are a live linked list, an error
 * in a listener is thrown in a nextTick of its own, and who is removed while an event is under way is not called any
 * more. Storage comes with the first listener, a map only with the second type. What is called in a wrong way goes to
 * Node's own method, which throws what this Node throws.
 */
import {
  eventDispatching,
  eventStopped,
  eventTarget,
  habits,
  heldBy,
  inPassive,
  NodeEvent,
  NodeEventTarget,
  resistsStop,
  targetEvents,
} from "./event-internals.ts";
import { Listeners } from "./listeners.ts";
import { observing } from "./observing.ts";
import { countLike, standIn } from "./stand-in.ts";

/** An event, Node's own or one of ours, as far as dispatching it goes. */
export type Dispatched = { [mark: symbol]: unknown };

type Options = {
  readonly once?: unknown;
  readonly capture?: unknown;
  readonly passive?: unknown;
  readonly signal?: unknown;
  readonly [mark: symbol]: unknown;
};
type Signal = { readonly aborted: unknown; addEventListener(...args: readonly unknown[]): void };

const first: unique symbol = Symbol("first");
const others: unique symbol = Symbol("others");

export class VirtualEventTarget {
  [first]: Listeners | null;
  [others]: Map<string, Listeners> | null;

  constructor() {
    this[first] = null;
    this[others] = null;
    observing.by?.made(this);
  }

  addEventListener(type: unknown, listener: unknown, options?: unknown): void {
    if (this[first] === undefined) {
      Reflect.apply(NodeEventTarget.prototype.addEventListener, this, [type, listener, options]);
      return;
    }
    let once = false;
    let capture = options === true;
    let resists = false;
    let passive = false;
    if (isOptions(options)) {
      // Read in Node's order, `passive` too: feature detection hides behind getters.
      const { once: isOnce, capture: isCapture, passive: isPassive, signal } = options;
      once = Boolean(isOnce);
      capture = Boolean(isCapture);
      passive = Boolean(isPassive);
      resists = Boolean(options[resistsStop]);
      if (isSignal(signal)) {
        if (signal.aborted) return;
        const remove = (): void => this.removeEventListener(type, listener, { capture });
        signal.addEventListener("abort", remove, { once: true, [heldBy]: this, [resistsStop]: true });
      } else if (signal !== undefined) {
        refuse(type, listener, options);
        return;
      }
    }
    if (!isListener(listener) || isPrimitive(options)) {
      refuse(type, listener, options);
      return;
    }
    observing.by?.touched(this, true);
    const name = `${type}`;
    let listeners = listenersOf(this, name);
    if (listeners === undefined) {
      listeners = new Listeners(name);
      keep(this, listeners);
    }
    if (options === null && habits.nullAddsAgain) listeners.append(listener, once, capture, resists, passive);
    else listeners.add(listener, once, capture, resists, passive);
  }

  removeEventListener(type: unknown, listener: unknown, options?: unknown): void {
    if (this[first] === undefined || !isListener(listener)) {
      const target = this[first] === undefined ? this : new NodeEventTarget();
      Reflect.apply(NodeEventTarget.prototype.removeEventListener, target, [type, listener, options]);
      return;
    }
    observing.by?.touched(this, true);
    const capture = isOptions(options) ? options.capture === true : options === true && habits.booleanRemoves;
    const listeners = listenersOf(this, `${type}`);
    if (listeners?.remove(listener, capture) === true && listeners.size === 0) drop(this, listeners);
  }

  dispatchEvent(event: unknown): boolean {
    if (this[first] === undefined || !isEvent(event) || event[eventDispatching] === true) {
      const target = this[first] === undefined ? this : new NodeEventTarget();
      return Reflect.apply(NodeEventTarget.prototype.dispatchEvent, target, [event]);
    }
    dispatch(this, listenersOf(this, event.type), event);
    return !event.defaultPrevented;
  }
}

standIn(VirtualEventTarget, NodeEventTarget);
countLike(VirtualEventTarget, new NodeEventTarget());
// What node:events knows an event target by, and what its getEventListeners() reads.
Object.defineProperty(VirtualEventTarget, Symbol.for("nodejs.event_target"), { value: true });
Object.defineProperty(VirtualEventTarget.prototype, targetEvents, {
  get(this: VirtualEventTarget) {
    return { get: (type: string) => listenersOf(this, type) };
  },
});

/** Calls the listeners of one type, in order, with an event that is not under way. */
export function dispatch(target: VirtualEventTarget, listeners: Listeners | undefined, event: Dispatched): void {
  observing.by?.touched(target, true);
  event[eventTarget] = target;
  event[eventDispatching] = true;
  let listener = listeners?.next;
  while (listeners !== undefined && listener !== undefined) {
    // Taken before the call: who is added at the end may still run, who comes after the last one may not.
    const { next } = listener;
    if (!listener.removed && (event[eventStopped] !== true || listener.resists)) {
      if (listener.once) {
        listener.unlink();
        listeners.size--;
      }
      const { passive } = listener;
      try {
        if (passive && habits.marksPassive) event[inPassive] = true;
        const result = listener.callback.call(target, event);
        if (habits.phaseEndsEarly) event[eventDispatching] = false;
        if (typeof result === "object" || typeof result === "function") throwIfRejected(result);
      } catch (error) {
        throwLater(error);
      }
      if (passive && habits.marksPassive) event[inPassive] = false;
    }
    listener = next;
  }
  event[eventDispatching] = false;
}

export function listenersOf(target: VirtualEventTarget, type: string): Listeners | undefined {
  const only = target[first];
  return only !== null && only.type === type ? only : target[others]?.get(type);
}

function keep(target: VirtualEventTarget, listeners: Listeners): void {
  if (target[first] === null) {
    target[first] = listeners;
    return;
  }
  target[others] ??= new Map();
  target[others].set(listeners.type, listeners);
}

function drop(target: VirtualEventTarget, listeners: Listeners): void {
  if (target[first] === listeners) target[first] = null;
  else target[others]?.delete(listeners.type);
}

/** A promise that a listener returned: its rejection is an uncaught error too. */
function throwIfRejected(result: object | null): void {
  if (result === null) return;
  const then: unknown = Reflect.get(result, "then");
  if (typeof then === "function") Reflect.apply(then, result, [undefined, throwLater]);
}

function throwLater(error: unknown): void {
  process.nextTick(() => {
    throw error;
  });
}

/** Node's own method throws, or warns that this has no effect. */
function refuse(type: unknown, listener: unknown, options: unknown): void {
  const withoutSignal = isOptions(options) && isSignal(options.signal) ? undefined : options;
  Reflect.apply(NodeEventTarget.prototype.addEventListener, new NodeEventTarget(), [type, listener, withoutSignal]);
}

function isEvent(value: unknown): value is Event & Dispatched {
  return value instanceof NodeEvent;
}

function isListener(value: unknown): value is object {
  return typeof value === "function" || (typeof value === "object" && value !== null);
}

function isOptions(value: unknown): value is Options {
  return (typeof value === "object" && value !== null) || typeof value === "function";
}

/** Neither left out nor a boolean nor an object: Node refuses such options. */
function isPrimitive(options: unknown): boolean {
  return options !== undefined && options !== null && typeof options !== "boolean" && !isOptions(options);
}

function isSignal(value: unknown): value is Signal {
  return typeof value === "object" && value !== null && "aborted" in value;
}
