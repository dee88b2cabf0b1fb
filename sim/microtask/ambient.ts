/**
 * Ambient mode: no execution is under way, and lowered code does what it would do without lowering, with native promises
 * and tick for tick. Native async functions do the waiting: theirs is the only await that costs what an await costs.
 */

import { bodyNext, bodyThrow } from "./body.ts";
import type { Continuation } from "./continuation.ts";
import type { Body } from "./lowered.ts";
import { fulfilled, rejected } from "./promise.ts";

/** Drives the body of an async function. */
export async function driveNatively(body: Body): Promise<unknown> {
  let step = bodyNext.call(body);
  while (step.done !== true) {
    let value: unknown;
    try {
      value = await step.value;
    } catch (error) {
      step = bodyThrow.call(body, error);
      continue;
    }
    step = bodyNext.call(body, value);
  }
  return step.value;
}

/** Lets the continuation of an async generator wait for a value. */
export async function awaitNatively(continuation: Continuation, value: unknown): Promise<void> {
  let result: unknown;
  try {
    result = await value;
  } catch (error) {
    continuation.resume(rejected, error);
    return;
  }
  continuation.resume(fulfilled, result);
}
