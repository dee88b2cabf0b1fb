/**
 * Runs a stretch of synchronous work that may never end: V8 terminates it from another thread, endless microtask loops
 * included. A termination is only a suspicion; the engine confirms it by a count, so that the outcome does not depend
 * on the speed of the machine.
 */
import { Script } from "node:vm";

const slot = Symbol.for("microloom.batch");
const script = new Script('globalThis[Symbol.for("microloom.batch")]()', { filename: "microloom-batch" });

/** Runs `work` and tells whether it came to its end within `limitMs` milliseconds of real time. */
export function underWatchdog(work: () => void, limitMs: number): boolean {
  const before: unknown = Reflect.get(globalThis, slot);
  Reflect.set(globalThis, slot, work);
  try {
    script.runInThisContext({ timeout: limitMs });
    return true;
  } catch (error) {
    if (isTermination(error)) return false;
    throw error;
  } finally {
    Reflect.set(globalThis, slot, before);
  }
}

function isTermination(error: unknown): boolean {
  return error instanceof Error && Reflect.get(error, "code") === "ERR_SCRIPT_EXECUTION_TIMEOUT";
}
