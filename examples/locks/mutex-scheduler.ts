/** For `microloom explore --lease examples/locks/mutex-scheduler.ts`. */
import type { LeaseSchedulerUnderTest } from "microloom/properties";
import { asLock, lockAsScheduler } from "./lock-as-scheduler.ts";
import { mutex } from "./locks.ts";

export const checkOptions = asLock;

export function createLeaseScheduler(): LeaseSchedulerUnderTest {
  return lockAsScheduler(mutex());
}
