/**
 * Signals that are not ours, as sources of any(): made before the batch, or by code that had taken hold of Node's class
 * by then. Such a signal may outlive many executions, so it is listened to once, and what followed it in an older
 * execution is forgotten.
 */
import type { VirtualAbortSignal } from "./abort.ts";
import { heldBy, NodeAbortSignal, NodeEventTarget, nodeAny, resistsStop } from "./event-internals.ts";

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

type Bridge = {
  readonly followers: Followers;
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

/** The followers of a foreign signal; `abort` is called with them when Node would abort them. */
export function followersOf(foreign: AnySignal, abort: (followers: Followers) => void): Followers {
  let bridge = bridges.get(foreign);
  if (bridge === undefined) {
    bridge = build(foreign, abort);
    bridges.set(foreign, bridge);
  }
  if (bridge.execution !== execution) {
    bridge.execution = execution;
    bridge.followers.list = [];
  }
  return bridge.followers;
}

function build(foreign: AnySignal, abort: (followers: Followers) => void): Bridge {
  const followers = new Followers(foreign);
  const end = Reflect.apply(nodeAny, NodeAbortSignal, [[foreign]]);
  const listener = (): void => {
    if (bridge.execution === execution) abort(followers);
  };
  const bridge: Bridge = { followers, execution, end, listener };
  const options = { once: true, [heldBy]: foreign, [resistsStop]: true };
  Reflect.apply(NodeEventTarget.prototype.addEventListener, end, ["abort", listener, options]);
  return bridge;
}
