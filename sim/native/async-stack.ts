/**
 * Terminating a nextTick callback, or throwing out of one, leaves its entry on Node's stack of async ids, and Node
 * aborts the process when the enclosing callback is popped. Node empties that stack after an uncaught exception; so we
 * give it one, and take it back at once.
 */
import { executionAsyncId } from "node:async_hooks";
import type { EventEmitter } from "node:events";
import { hostProcess } from "./host-context.ts";

const emitter: EventEmitter = hostProcess;

/** Runs the whole body of a real macrotask callback, and leaves the stack of async ids as it was. */
export function withAsyncStackKept(body: () => void): void {
  const before = executionAsyncId();
  body();
  if (executionAsyncId() === before) return;
  const listeners: readonly unknown[] = emitter.rawListeners("uncaughtException");
  const unwinding = new Error("microloom empties the stack of async ids");
  const restore = (error: unknown): void => {
    emitter.removeAllListeners("uncaughtException");
    for (const listener of listeners) Reflect.apply(emitter.on, emitter, ["uncaughtException", listener]);
    if (error !== unwinding) throw error;
  };
  emitter.removeAllListeners("uncaughtException");
  emitter.on("uncaughtException", restore);
  throw unwinding;
}
