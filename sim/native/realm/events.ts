/**
 * Our classes of events and abort signals. The methods of Node's AbortSignal are replaced too, for who took hold of the
 * class before.
 */
import { createRequire } from "node:module";
import { aborted } from "node:util";
import { VirtualAbortController, VirtualAbortSignal } from "../abort.ts";
import {
  heldBy,
  NodeAbortController,
  NodeAbortSignal,
  nodeTimeout,
  resistsStop,
  understood,
} from "../event-internals.ts";
import { VirtualEventTarget } from "../event-target.ts";
import { original } from "../original.ts";
import type { TimerFunctions } from "../timers.ts";
import type { Patch } from "./patch.ts";

const utilModule: object = createRequire(import.meta.url)("node:util");
// Taken now: the binding follows the module, which the realm changes.
const nodeAborted = original(aborted);

export function eventPatches(timers: TimerFunctions): Patch[] {
  const timeout = (ms: unknown): unknown => timeoutSignal(timers, ms);
  if (!understood) return [{ target: NodeAbortSignal, key: "timeout", value: timeout }];
  return [
    { target: globalThis, key: "EventTarget", value: VirtualEventTarget },
    { target: globalThis, key: "AbortController", value: VirtualAbortController },
    { target: globalThis, key: "AbortSignal", value: VirtualAbortSignal },
    { target: NodeAbortSignal, key: "timeout", value: timeout },
    { target: NodeAbortSignal, key: "abort", value: VirtualAbortSignal.abort },
    { target: NodeAbortSignal, key: "any", value: VirtualAbortSignal.any },
    { target: utilModule, key: "aborted", value: virtualAborted },
  ];
}

function timeoutSignal(timers: TimerFunctions, ms: unknown): AbortSignal | VirtualAbortSignal {
  // Node's own throws what this Node throws.
  if (!(Number.isInteger(ms) && Number(ms) >= 0 && Number(ms) <= 0xffff_ffff))
    Reflect.apply(nodeTimeout, NodeAbortSignal, [ms]);
  const controller = understood ? new VirtualAbortController() : new NodeAbortController();
  timers.plain.setTimeout(() => {
    controller.abort(new DOMException("The operation was aborted due to timeout", "TimeoutError"));
  }, ms);
  return controller.signal;
}

/**
 * util.aborted() of node:util: newer versions take no signal but their own. No async function, because the promise of one
 * is a native one on every engine; resolved with another promise, it takes as long.
 */
function virtualAborted(signal: unknown, resource: unknown): Promise<unknown> {
  return new Promise((settle) => {
    if (!(signal instanceof VirtualAbortSignal) || typeof resource !== "object" || resource === null) {
      settle(Reflect.apply(nodeAborted, undefined, [signal, resource]));
    } else if (signal.aborted) settle(Promise.resolve());
    else {
      const heard = new Promise((resolve) => {
        signal.addEventListener("abort", resolve, { [heldBy]: resource, once: true, [resistsStop]: true });
      });
      settle(heard);
    }
  });
}
