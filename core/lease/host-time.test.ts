import { afterEach, expect, test, vi } from "vitest";
import { LeaseTimeoutError } from "./errors.ts";
import { createLeaseScheduler } from "./host.ts";
import { ask, file, limits, settled, setUp, workspace } from "./testing/application.ts";

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

test("a waiter expires with a retryable error that names its path", async () => {
  const { scheduler, clock } = setUp();
  await ask(scheduler, "c1", file("src/a.ts")).promise;
  const second = ask(scheduler, "c2", file("src"));
  const command = ask(scheduler, "c3", workspace);
  clock.advance(99);
  await settled();
  expect(second.seen.outcome).toBe("pending");
  clock.advance(1);
  await expect(second.promise).rejects.toBeInstanceOf(LeaseTimeoutError);
  await expect(second.promise).rejects.toMatchObject({ name: "LeaseTimeoutError", retryable: true, path: "src" });
  await expect(command.promise).rejects.toMatchObject({ path: ".", effect: { type: "expired", call: "c3" } });
  expect(clock.timers).toBe(0);
});

test("an approval nobody answers expires", async () => {
  const { scheduler, clock, approve } = setUp();
  const first = ask(scheduler, "c1", file("a"), { needsApproval: true });
  clock.advance(100);
  await expect(first.promise).rejects.toMatchObject({ name: "LeaseTimeoutError" });
  approve.answers.get("c1")?.yes();
  await settled();
  expect(scheduler.state.calls.size).toBe(0);
});

test("an application that drops its grant blocks others until the stuck limit after its close", async () => {
  const { scheduler, clock } = setUp();
  const dropped = await ask(scheduler, "c1", file("a")).promise;
  scheduler.spawn({ child: "k", owner: "run", paths: ["b"] });
  const next = ask(scheduler, "c2", file("a"), { owner: "other" });
  scheduler.close("run");
  clock.advance(49);
  await settled();
  expect(next.seen.outcome).toBe("pending");
  clock.advance(1);
  const grant = await next.promise;
  expect([scheduler.canWrite(dropped, "a"), scheduler.canWrite(grant, "a")]).toEqual([false, true]);
  dropped.release();
  expect(scheduler.canWrite(grant, "a")).toBe(true);
  expect([scheduler.state.children.size, clock.timers]).toEqual([0, 0]);
});

test("one timer stands while there is a deadline, and none without", async () => {
  const { scheduler, clock } = setUp();
  const grant = await ask(scheduler, "c1", file("a")).promise;
  expect(clock.timers).toBe(0);
  const others = ["c2", "c3", "c4"].map((call) => ask(scheduler, call, file("a")));
  expect(clock.timers).toBe(1);
  for (const { abort } of others) abort();
  expect(clock.timers).toBe(0);
  grant.release();
  await settled();
});

test("a wait longer than a platform timer can be is waited for in parts", async () => {
  const { scheduler, clock } = setUp({ waitLimitMs: 3_000_000_000 });
  await ask(scheduler, "c1", file("a")).promise;
  const second = ask(scheduler, "c2", file("a"));
  clock.advance(2_147_483_647);
  await settled();
  expect([second.seen.outcome, clock.timers]).toEqual(["pending", 1]);
  clock.advance(3_000_000_000 - 2_147_483_647);
  await settled();
  expect(second.seen.outcome).toBe("LeaseTimeoutError");
});

test("without a clock port the platform's timers of the moment are used, and do not hold the process", async () => {
  const scheduler = createLeaseScheduler({ approve: () => Promise.resolve(true) }, limits);
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] });
  await ask(scheduler, "c1", file("a"), { needsApproval: true }).promise;
  const second = ask(scheduler, "c2", file("a"));
  vi.advanceTimersByTime(100);
  await settled();
  expect([second.seen.outcome, vi.getTimerCount()]).toEqual(["LeaseTimeoutError", 0]);
  vi.useRealTimers();
  const set = vi.spyOn(globalThis, "setTimeout");
  ask(scheduler, "c3", file("a")).abort();
  expect(set.mock.results.map(({ value }) => value.hasRef())).toEqual([false]);
  await settled();
});

test("a timer that came counts, even where the clock stands still", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  vi.spyOn(performance, "now").mockReturnValue(0.25);
  const scheduler = createLeaseScheduler({ approve: () => Promise.resolve(true) }, limits);
  await ask(scheduler, "c1", file("a")).promise;
  const second = ask(scheduler, "c2", file("a"));
  vi.advanceTimersByTime(100);
  await settled();
  expect(second.seen.outcome).toBe("LeaseTimeoutError");
});
