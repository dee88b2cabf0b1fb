/**
 * What Node's own events and event targets keep behind symbols, and the habits in which its versions differ. Our
 * classes stand in for Node's while a batch runs, so each side must know the marks of the other: our targets dispatch
 * Node's events, Node's targets listen to our signals. All of it is looked up once, when this file is loaded.
 */

/** Node's own, taken now, because the realm replaces them. */
export const NodeEvent = Event;
export const NodeEventTarget = EventTarget;
export const NodeAbortController = AbortController;
export const NodeAbortSignal = AbortSignal;
export const nodeAny = AbortSignal.any;
export const nodeTimeout = AbortSignal.timeout;

type Marks = {
  /** On an event: its type, its target, whether it is being dispatched, whether it was stopped immediately. */
  readonly type: symbol;
  readonly target: symbol;
  readonly dispatching: symbol;
  readonly stopped: symbol;
  /** On an event, from Node 22 on: a passive listener is being called. */
  readonly passive: symbol;
  /** On a target: its listeners by type; getEventListeners() of node:events reads it. */
  readonly events: symbol;
  /** On a signal: whether it is aborted. */
  readonly aborted: symbol;
  /** Options of addEventListener: called even after stopImmediatePropagation(); held only as long as this object. */
  readonly resists: symbol;
  readonly weak: symbol;
};

export type Habits = {
  /** An event knows whether a passive listener is being called, and then keeps its default. */
  readonly marksPassive: boolean;
  /** removeEventListener(type, listener, true) means capture; Node 20 reads only `{ capture: true }`. */
  readonly booleanRemoves: boolean;
  /** addEventListener(type, listener, null) does not look whether the listener is there already. */
  readonly nullAddsAgain: boolean;
  /** An event has its phase back as soon as the first listener has returned. */
  readonly phaseEndsEarly: boolean;
  /** Signals made by any() are aborted before a listener of their source hears of it, as the standard says. */
  readonly dependentsFirst: boolean;
  /** any() takes every iterable. */
  readonly anyIterates: boolean;
  /** onabort takes nothing but functions and objects; anything else is null. */
  readonly handlersAreObjects: boolean;
  /** A new onabort takes its place again when it was dropped with the list of listeners; else setting it fails. */
  readonly handlerComesBack: boolean;
};

/** A target whose options are not checked by the compiler. */
type AnyTarget = {
  addEventListener(...args: readonly unknown[]): void;
  removeEventListener(...args: readonly unknown[]): void;
};

const found = attempt(lookUp);

/** False: this Node, or whoever replaced its classes, keeps the marks elsewhere; nothing can stand in for them. */
export const understood: boolean = found !== null;

const marks: Marks = found?.marks ?? {
  type: Symbol("type"),
  target: Symbol("target"),
  dispatching: Symbol("dispatching"),
  stopped: Symbol("stopped"),
  passive: Symbol("passive"),
  events: Symbol("events"),
  aborted: Symbol("aborted"),
  resists: Symbol("resists"),
  weak: Symbol("weak"),
};
export const eventType: symbol = marks.type;
export const eventTarget: symbol = marks.target;
export const eventDispatching: symbol = marks.dispatching;
export const eventStopped: symbol = marks.stopped;
export const inPassive: symbol = marks.passive;
export const targetEvents: symbol = marks.events;
export const signalAborted: symbol = marks.aborted;
export const resistsStop: symbol = marks.resists;
export const heldBy: symbol = marks.weak;

export const habits: Habits = found?.habits ?? {
  marksPassive: false,
  booleanRemoves: false,
  nullAddsAgain: false,
  phaseEndsEarly: false,
  dependentsFirst: true,
  anyIterates: true,
  handlersAreObjects: true,
  handlerComesBack: true,
};

function lookUp(): { readonly marks: Marks; readonly habits: Habits } {
  const event = new NodeEvent("x");
  event.stopImmediatePropagation();
  const options = optionsForSignals();
  const passive = attempt(() => markOf(event, "kInPassiveListener"));
  const marks: Marks = {
    type: markOf(event, "type"),
    target: markOf(event, "kTarget"),
    dispatching: markOf(event, "kIsBeingDispatched"),
    stopped: markOf(event, "kStop"),
    passive: passive ?? Symbol("passive"),
    events: markOf(new NodeEventTarget(), "kEvents"),
    aborted: markOf(new NodeAbortController().signal, "kAborted"),
    resists: markOf(options, "kResistStopPropagation"),
    weak: markOf(options, "kWeak"),
  };
  return {
    marks,
    habits: {
      marksPassive: passive !== null,
      booleanRemoves:
        callsAfter((target, listener) => {
          target.addEventListener("x", listener, true);
          target.removeEventListener("x", listener, true);
        }) === 0,
      nullAddsAgain:
        callsAfter((target, listener) => {
          target.addEventListener("x", listener, null);
          target.addEventListener("x", listener, null);
        }) === 2,
      phaseEndsEarly: phaseEndsEarly(),
      dependentsFirst: dependentsFirst(),
      anyIterates: attempt(() => Reflect.apply(NodeAbortSignal.any, NodeAbortSignal, [new Set()])) !== null,
      handlersAreObjects: handlersAreObjects(),
      handlerComesBack: attempt(setDroppedHandler) !== null,
    },
  };
}

/** The options with which Node listens to the signal of addEventListener(). */
function optionsForSignals(): object {
  let seen: object = {};
  const signal = { aborted: false, addEventListener: (_: unknown, __: unknown, options: object) => (seen = options) };
  const target = new NodeEventTarget();
  Reflect.apply(target.addEventListener, target, ["x", nothing, { signal }]);
  return seen;
}

/** How often a listener is called that was added and removed like this. */
function callsAfter(prepare: (target: AnyTarget, listener: () => void) => void): number {
  const target = new NodeEventTarget();
  let calls = 0;
  prepare(target, () => {
    calls++;
  });
  target.dispatchEvent(new NodeEvent("x"));
  return calls;
}

function phaseEndsEarly(): boolean {
  const target = new NodeEventTarget();
  let phase = -1;
  target.addEventListener("x", nothing);
  target.addEventListener("x", (event) => {
    phase = event.eventPhase;
  });
  target.dispatchEvent(new NodeEvent("x"));
  return phase === 0;
}

function dependentsFirst(): boolean {
  const controller = new NodeAbortController();
  const dependent = NodeAbortSignal.any([controller.signal]);
  let first = false;
  controller.signal.addEventListener("abort", () => {
    first = dependent.aborted;
  });
  controller.abort(null);
  return first;
}

function handlersAreObjects(): boolean {
  const { signal } = new NodeAbortController();
  Reflect.set(signal, "onabort", 5);
  return signal.onabort === null;
}

function setDroppedHandler(): void {
  const { signal } = new NodeAbortController();
  signal.onabort = nothing;
  signal.onabort = null;
  // The handler is not counted now, so the list goes with this one listener.
  signal.addEventListener("abort", nothing);
  signal.removeEventListener("abort", nothing);
  signal.onabort = nothing;
}

function markOf(holder: object, description: string): symbol {
  const mark = Object.getOwnPropertySymbols(holder).find((symbol) => symbol.description === description);
  if (mark === undefined) throw new Error(`No mark ${description}`);
  return mark;
}

function attempt<T>(work: () => T): T | null {
  try {
    return work();
  } catch {
    return null;
  }
}

function nothing(): void {}
