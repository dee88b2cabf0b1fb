/**
 * Runs V8's own microtask queue and Node's nextTick queue to the end, synchronously, in their own order. Everything
 * that leans on the undocumented `process._tickCallback` is in this file.
 */

/** This Node cannot run the native engine. */
export class EngineError extends Error {
  override readonly name = "EngineError";
}

const tickCallback: unknown = Reflect.get(process, "_tickCallback");

/** Drains nextTicks and microtasks. Rethrows what a nextTick callback threw; call again to drain the rest. */
export function drainJobs(): void {
  if (typeof tickCallback !== "function") {
    throw new EngineError(
      `Cannot run the native engine: expected process._tickCallback, found none in Node ${process.version}`,
    );
  }
  tickCallback.call(process);
}
