/** A scheduler on a clock moved by hand, with approvals answered by hand, and an application that asks it for leases. */
import { createLeaseScheduler } from "../host.ts";
import type { AcquireOptions, LeaseScheduler } from "../scheduler.ts";
import type { Footprint, LeasePolicy } from "../state.ts";
import { type FakeClock, fakeClock } from "./fake-clock.ts";

export const limits = { waitLimitMs: 100, stuckLimitMs: 50 };
export const file = (path: string): Footprint => ({ kind: "file", path });
export const workspace: Footprint = { kind: "workspace" };

export type Setting = {
  readonly scheduler: LeaseScheduler;
  readonly clock: FakeClock;
  readonly approve: ReturnType<typeof approver>;
};

function approver() {
  const answers = new Map<string, { yes(): void; no(): void; fail(error: unknown): void }>();
  const asked: string[] = [];
  const approve = (call: string): Promise<boolean> => {
    asked.push(call);
    return new Promise((resolve, reject) => {
      answers.set(call, { yes: () => resolve(true), no: () => resolve(false), fail: reject });
    });
  };
  return Object.assign(approve, { asked, answers });
}

export function setUp(policy: Partial<LeasePolicy> = {}): Setting {
  const clock = fakeClock();
  const approve = approver();
  return { scheduler: createLeaseScheduler({ approve, clock }, { ...limits, ...policy }), clock, approve };
}

/** Lets every microtask run that can. */
export const settled = () => new Promise((resolve) => setImmediate(resolve));

/** Asks for a lease and writes down what comes of it, as an application that awaits it would see. */
export function ask(scheduler: LeaseScheduler, call: string, footprint: Footprint, more: Partial<AcquireOptions> = {}) {
  const controller = new AbortController();
  const promise = scheduler.acquire({ call, owner: "run", footprint, signal: controller.signal, ...more });
  const seen = { outcome: "pending", ranAborted: false };
  promise.then(
    () => {
      seen.outcome = "runs";
      seen.ranAborted = controller.signal.aborted;
    },
    (error: Error) => {
      seen.outcome = error.name;
    },
  );
  return { promise, controller, seen, abort: () => controller.abort(new Error("stop")) };
}
