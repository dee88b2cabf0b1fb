/** What the virtual realm puts in place on the microtask engine, beside what it puts there on every engine. */
import type { RealmHost } from "../../native/realm/host.ts";
import type { Patch } from "../../native/realm/patch.ts";
import { runtime } from "../runtime.ts";
import { asyncLocalStoragePatches } from "./async-local-storage.ts";
import { asyncResourcePatches } from "./async-resource.ts";
import { eventsPatches } from "./events.ts";
import { promiseLeakPatches } from "./leaks.ts";
import { promisifyPatches } from "./promisify.ts";
import { queueingPatches } from "./queueing.ts";

/** They come after those of every engine, some of which they replace. */
export function microtaskPatches(host: RealmHost): Patch[] {
  return [
    { target: globalThis, key: "Promise", value: runtime.microtasks.Promise },
    ...queueingPatches(host),
    ...asyncLocalStoragePatches(host),
    ...asyncResourcePatches(host),
    ...eventsPatches(host),
    ...promisifyPatches(),
    ...promiseLeakPatches((kind) => host.leaked(kind)),
  ];
}
