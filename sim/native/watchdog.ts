/**
 * Runs a stretch of synchronous work that may never end: V8 terminates it from another thread, endless microtask loops
 * included. A termination is only a suspicion; the engine confirms it by a count, so that the outcome does not depend
 * on the speed of the machine.
 */
import { types } from "node:util";
import { Script } from "node:vm";
import { hostGlobal } from "./host-context.ts";

const slot = Symbol.for("microloom.batch");
// Runs in the context of Node itself, so that is where it finds the work.
const script = new Script('globalThis[Symbol.for("microloom.batch")]()', { filename: "microloom-batch" });

/** Runs `work` and tells whether it came to its end within `limitMs` milliseconds of real time. */
export function underWatchdog(work: () => void, limitMs: number): boolean {
  const before: unknown = Reflect.get(hostGlobal, slot);
  Reflect.set(hostGlobal, slot, work);
  try {
    script.runInThisContext({ timeout: limitMs });
    return true;
  } catch (error) {
    if (isTermination(error)) return false;
    throw error;
  } finally {
    Reflect.set(hostGlobal, slot, before);
  }
}

function isTermination(error: unknown): boolean {
  // Made by Node in its own context, where Error is another one.
  return types.isNativeError(error) && Reflect.get(error, "code") === "ERR_SCRIPT_EXECUTION_TIMEOUT";
}
