import type { LeaseRequest, LeaseSchedulerUnderTest } from "microloom/properties";

/** Resolves with what gives the lock back. */
export type TakeLock = (request: LeaseRequest) => Promise<() => void>;

/** What a lock cannot do is left out of the check: nobody is asked for approval, and it has no children. */
export const asLock = { without: ["approvals", "children"] } as const;

/** A lock in the place of a lease scheduler. Who only reads needs no lock; who was stopped meanwhile gives it back. */
export function lockAsScheduler(take: TakeLock): LeaseSchedulerUnderTest {
  return {
    async acquire(request) {
      const { signal, footprint } = request;
      signal.throwIfAborted();
      if (footprint.kind === "none") return { release: () => undefined };
      const release = await take(request);
      if (!signal.aborted) return { release };
      release();
      throw signal.reason;
    },
    spawn() {
      throw new Error("A lock has no children");
    },
    finish: () => undefined,
  };
}
