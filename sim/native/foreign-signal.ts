/**
 * Signals that are not ours, as sources of any(): made before the batch, or by code that had taken hold of Node's class
 * by then. Such a signal may outlive many executions, so it is listened to once, and what followed it in an older
 * execution is forgotten.
 */
import type { VirtualAbortSignal } from "./abort.ts";
import {
  habits,
  heldBy,
  NodeAbortSignal,
  NodeEventTarget,
  nodeAny,
  resistsStop,
  signalAborted,
} from "./event-internals.ts";

/** A signal of ours, one of Node's, or what passes for one. */
export type AnySignal = { readonly aborted: unknown; readonly reason?: unknown };

/** The signals made by any() that follow a source, in order; each of them once. */
export class Followers {
  readonly of: AnySignal;
  list: VirtualAbortSignal[] = [];

  constructor(of: AnySignal) {
    this.of = of;
  }
}

/** What becomes of the followers of a foreign signal when it is aborted. */
export type Following = {
  /** Marks them, before anybody hears of it; returns those that were not aborted yet. */
  mark(followers: Followers): readonly VirtualAbortSignal[];
  /** Tells those that were marked, in their turn. */
  tell(marked: readonly VirtualAbortSignal[]): void;
  /** Does both in one, where Node does. */
  abort(followers: Followers): void;
};

type Bridge = {
  readonly followers: Followers;
  marked: readonly VirtualAbortSignal[];
  execution: number;
  /** Follows the signal inside Node. Both it and its listener live only as long as they are held here. */
  readonly end: AbortSignal;
  readonly listener: () => void;
};

const bridges = new WeakMap<object, Bridge>();
let execution = 0;

/** An execution begins or has ended: what has followed foreign signals so far does not any more. */
export function forgetFollowers(): void {
  execution++;
}

/** The followers of a foreign signal; `following` acts on them when Node would. */
export function followersOf(foreign: AnySignal, following: Following): Followers {
  let bridge = bridges.get(foreign);
  if (bridge === undefined) {
    bridge = build(foreign, following);
    bridges.set(foreign, bridge);
  }
  if (bridge.execution !== execution) {
    bridge.execution = execution;
    bridge.followers.list = [];
    bridge.marked = [];
  }
  return bridge.followers;
}

function build(foreign: AnySignal, following: Following): Bridge {
  const followers = new Followers(foreign);
  const end = Reflect.apply(nodeAny, NodeAbortSignal, [[foreign]]);
  const listener = (): void => {
    if (bridge.execution !== execution) return;
    if (habits.dependentsFirst) following.tell(bridge.marked);
    else following.abort(followers);
  };
  const bridge: Bridge = { followers, marked: [], execution, end, listener };
  if (habits.dependentsFirst) {
    whenMarked(end, () => {
      if (bridge.execution === execution) bridge.marked = following.mark(followers);
    });
  }
  const options = { once: true, [heldBy]: foreign, [resistsStop]: true };
  Reflect.apply(NodeEventTarget.prototype.addEventListener, end, ["abort", listener, options]);
  return bridge;
}

/** Node marks whoever follows an aborted signal before its first listener runs, by setting this property. */
function whenMarked(end: AbortSignal, act: () => void): void {
  let isMarked: unknown = Reflect.get(end, signalAborted);
  Object.defineProperty(end, signalAborted, {
    get: () => isMarked,
    set: (value: unknown) => {
      isMarked = value;
      act();
    },
  });
}
