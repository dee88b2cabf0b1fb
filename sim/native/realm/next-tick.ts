/** process.nextTick and queueMicrotask: Node's own queues, with the execution told of what runs. */
import { original } from "../original.ts";
import { processes } from "./clock.ts";
import type { RealmHost } from "./host.ts";
import { onEach, type Patch } from "./patch.ts";

const realNextTick = original(process.nextTick).bind(process);
const realQueueMicrotask = queueMicrotask;

export function queuePatches(host: RealmHost): Patch[] {
  const nextTick = virtualNextTick(host);
  return [
    ...onEach(processes, (target) => [{ target, key: "nextTick", value: nextTick }]),
    { target: globalThis, key: "queueMicrotask", value: virtualQueueMicrotask(host) },
  ];
}

/**
 * An error in a nextTick callback belongs to the execution, and a callback of an execution that has ended must not run:
 * an endless chain of them would otherwise outlive its termination.
 */
function virtualNextTick(host: RealmHost): unknown {
  return function nextTick(callback: (...args: unknown[]) => unknown, ...args: unknown[]): void {
    if (typeof callback !== "function") realNextTick(callback);
    // Between two executions it is somebody else who asks: a message of another process is handed out in a tick.
    if (host.shared && !host.live) {
      realNextTick(callback, ...args);
      return;
    }
    host.jobAsked();
    realNextTick(runTick, host, host.execution, callback, args);
  };
}

function virtualQueueMicrotask(host: RealmHost): unknown {
  return function queueMicrotask(callback: () => unknown): void {
    if (typeof callback !== "function") realQueueMicrotask(callback);
    host.jobAsked();
    realQueueMicrotask(() => {
      host.jobRan();
      callback();
    });
  };
}

function runTick(
  host: RealmHost,
  execution: number,
  callback: (...args: unknown[]) => unknown,
  args: readonly unknown[],
): void {
  host.runTick(execution, callback, args);
}
