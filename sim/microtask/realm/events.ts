/** events.once() and events.on() of node:events, which are statics of EventEmitter, too. */
import { EventEmitter, once as nodeOnce } from "node:events";
import { original } from "../../native/original.ts";
import type { RealmHost } from "../../native/realm/host.ts";
import { type Patch, patchesOf } from "../../native/realm/patch.ts";
import type { Bag } from "../shapes.ts";
import { on as virtualOn } from "./events-on.ts";
import { once as virtualOnce } from "./events-once.ts";
import { realOn } from "./listening.ts";

// Taken now: the binding follows the module.
const realOnce = original(nodeOnce);

export function eventsPatches(host: Pick<RealmHost, "live">): Patch[] {
  function once(emitter: Bag, event: unknown, options?: unknown): unknown {
    if (host.live) return virtualOnce(emitter, event, options);
    return Reflect.apply(realOnce, EventEmitter, [emitter, event, options]);
  }
  function on(emitter: Bag, event: unknown, options?: unknown): unknown {
    if (host.live) return virtualOn(emitter, event, options);
    return Reflect.apply(realOn, EventEmitter, [emitter, event, options]);
  }
  return patchesOf(EventEmitter, { once, on });
}
