import { afterEach, expect, test, vi } from "vitest";
import { AbortError } from "./errors.ts";
import { ask, file, settled, setUp, workspace } from "./testing/application.ts";

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

test("acquire() with an aborted signal rejects and leaves nothing", async () => {
  const { scheduler } = setUp();
  const cause = new Error("stop");
  const error = await ask(scheduler, "c1", file("a"), { signal: AbortSignal.abort(cause) }).promise.catch((e) => e);
  expect(error).toBeInstanceOf(AbortError);
  expect(error).toMatchObject({ name: "AbortError", call: "c1", cause });
  expect(scheduler.state.calls.size).toBe(0);
});

test("an abort while waiting rejects at once and lets the next in", async () => {
  const { scheduler } = setUp();
  await ask(scheduler, "c1", file("a")).promise;
  const second = ask(scheduler, "c2", workspace);
  const third = ask(scheduler, "c3", file("b"));
  second.abort();
  await settled();
  expect([second.seen.outcome, third.seen.outcome]).toEqual(["AbortError", "runs"]);
});

test("an abort while approving rejects, and a late yes approves nobody", async () => {
  const { scheduler, approve } = setUp();
  const first = ask(scheduler, "c1", file("a"), { needsApproval: true });
  first.abort();
  await settled();
  expect(first.seen.outcome).toBe("AbortError");
  const again = ask(scheduler, "c1", file("b"), { needsApproval: true });
  await expect(again.promise).rejects.toMatchObject({ name: "LeaseRefusedError", reason: "duplicate-call" });
  approve.answers.get("c1")?.yes();
  await settled();
  expect([approve.asked, scheduler.state.calls.size]).toEqual([["c1"], 0]);
});

test("an abort between grant and run gives the lease back", async () => {
  const { scheduler } = setUp();
  const first = await ask(scheduler, "c1", file("a")).promise;
  const second = ask(scheduler, "c2", file("a"));
  const third = ask(scheduler, "c3", file("a"));
  first.release();
  expect(scheduler.state.calls.get("c2")?.stage).toBe("granted");
  second.abort();
  await settled();
  expect([second.seen.outcome, third.seen.outcome]).toEqual(["AbortError", "runs"]);
});

test("an abort right behind acquire() is seen on the fast path, too", async () => {
  const { scheduler } = setUp();
  const first = ask(scheduler, "c1", file("a"));
  first.abort();
  await settled();
  expect([first.seen.outcome, scheduler.state.calls.size]).toEqual(["AbortError", 0]);
});

test("an abort from a job that was queued before the grant is seen", async () => {
  const { scheduler } = setUp();
  const holder = await ask(scheduler, "c1", file("a")).promise;
  const second = ask(scheduler, "c2", file("a"));
  queueMicrotask(() => second.abort());
  holder.release();
  await settled();
  expect(second.seen).toEqual({ outcome: "AbortError", ranAborted: false });
});

test("a close between grant and run gives the lease back", async () => {
  const { scheduler } = setUp();
  const first = ask(scheduler, "c1", file("a"));
  scheduler.close("run");
  await settled();
  expect([first.seen.outcome, scheduler.state.calls.size]).toEqual(["AbortError", 0]);
});

test("a close and the stuck limit between grant and run leave nothing", async () => {
  const { scheduler, clock } = setUp({ stuckLimitMs: 0 });
  const first = ask(scheduler, "c1", file("a"));
  scheduler.close("run");
  clock.advance(0);
  expect(scheduler.state.calls.size).toBe(0);
  await settled();
  expect(first.seen.outcome).toBe("AbortError");
});

test("an abort after the grant is the running tool's to see", async () => {
  const { scheduler } = setUp();
  const first = ask(scheduler, "c1", file("a"));
  const grant = await first.promise;
  first.abort();
  expect(scheduler.canWrite(grant, "a")).toBe(true);
  grant.release();
  expect(scheduler.canWrite(grant, "a")).toBe(false);
});

test("every listener on a signal is taken off again when its call ends or runs", async () => {
  const { scheduler, clock } = setUp();
  const added = vi.spyOn(AbortSignal.prototype, "addEventListener");
  const removed = vi.spyOn(AbortSignal.prototype, "removeEventListener");
  await ask(scheduler, "runs", file("a")).promise;
  ask(scheduler, "aborted", file("a")).abort();
  ask(scheduler, "denied", file("b"), { needsApproval: true });
  ask(scheduler, "refused", file("../b"));
  ask(scheduler, "expired", file("a"));
  clock.advance(100);
  await settled();
  const listeners = removed.mock.calls.map(([, listener]) => listener);
  expect(added).toHaveBeenCalledTimes(5);
  expect(added.mock.calls.every(([, listener]) => listeners.includes(listener))).toBe(true);
});
