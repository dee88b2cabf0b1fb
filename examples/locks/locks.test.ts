/**
 * Is a lock enough? Three of them in the place of a lease scheduler, as they come from the registry (async-mutex 0.5.0,
 * p-queue 9.3.5), and what each keeps of the contract.
 */
import { checkLeaseScheduler } from "microloom/properties";
import { expect, test } from "vitest";
import { asLock, lockAsScheduler, type TakeLock } from "./lock-as-scheduler.ts";
import { mutex, mutexForEachPath, queue, readWriteLock } from "./locks.ts";

/** Of the promises that a lock can make at all. */
async function breaks(make: () => TakeLock): Promise<readonly string[]> {
  const report = await checkLeaseScheduler(() => lockAsScheduler(make()), { ...asLock, executions: 40, scripts: 15 });
  expect(report.problems).toEqual([]);
  expect(report.skipped.map(({ invariant }) => invariant)).toEqual(leftOut);
  return [...new Set(report.broken.map(({ invariant }) => invariant))];
}

const leftOut = [
  "lease/parent-child-exclusive",
  "lease/spawn-all-or-nothing",
  "lease/approved-first",
  "lease/close-leaves-nothing",
];

test("async-mutex lets one write at a time, and does not tell a waiter that it was stopped", async () => {
  expect(await breaks(mutex)).toEqual([
    "lease/told-at-once",
    // Nobody gives up, and two calls that have nothing to do with each other wait for each other.
    "lease/bounded-wait",
    "lease/no-idle-waiter",
    "lease/one-outcome",
  ]);
});

test("async-mutex for each path does not see that a folder has files, or that a path has two spellings", async () => {
  expect(await breaks(mutexForEachPath)).toEqual(["lease/single-writer", "lease/one-outcome"]);
});

test("p-queue goes on to the next task when the signal of one that runs is aborted", async () => {
  expect(await breaks(queue)).toEqual([
    "lease/single-writer",
    "lease/bounded-wait",
    "lease/no-idle-waiter",
    "lease/one-outcome",
  ]);
});

test("a read-write lock keeps and breaks what a mutex does: reads take no lease, and every lease is for writing", async () => {
  expect(await breaks(readWriteLock)).toEqual([
    "lease/told-at-once",
    "lease/bounded-wait",
    "lease/no-idle-waiter",
    "lease/one-outcome",
  ]);
});
