/** process.nextTick and queueMicrotask: both queues are ours. */
import { original } from "../../native/original.ts";
import { processes } from "../../native/realm/clock.ts";
import type { RealmHost } from "../../native/realm/host.ts";
import { onEach, type Patch, whileInPlace } from "../../native/realm/patch.ts";
import { runtime } from "../runtime.ts";
import type { Callable } from "../shapes.ts";

const { microtask, tick } = runtime.microtasks;
const realNextTick = original(process.nextTick).bind(process);
const realQueueMicrotask = original(queueMicrotask);

export function queueingPatches(host: Pick<RealmHost, "jobAsked" | "live">): Patch[] {
  function nextTick(callback: Callable, ...args: unknown[]): void {
    // Node's own throws what this Node throws; between two executions it is somebody else who asks.
    if (typeof callback !== "function" || !host.live) {
      realNextTick(callback, ...args);
      return;
    }
    host.jobAsked();
    tick(callback, args);
  }
  function queueMicrotask(callback: () => void): void {
    if (typeof callback !== "function" || !host.live) {
      realQueueMicrotask(callback);
      return;
    }
    host.jobAsked();
    microtask(callback);
  }
  const patches: Patch[] = [
    ...onEach(processes, (target) => [{ target, key: "nextTick", value: nextTick }]),
    { target: globalThis, key: "queueMicrotask", value: queueMicrotask },
  ];
  return whileInPlace(patches, () => host.live);
}
