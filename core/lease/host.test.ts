import { expect, test } from "vitest";
import { LeaseRefusedError } from "./errors.ts";
import { createLeaseScheduler } from "./host.ts";
import type { LeaseScheduler } from "./scheduler.ts";
import { ask, file, limits, settled, setUp } from "./testing/application.ts";
import { fakeClock } from "./testing/fake-clock.ts";

test("acquire() resolves one after the other, with growing fences", async () => {
  const { scheduler } = setUp();
  const first = ask(scheduler, "c1", file("a"));
  const second = ask(scheduler, "c2", file("./a"));
  const grant = await first.promise;
  await settled();
  expect([grant.holder, grant.fence, second.seen.outcome]).toEqual(["c1", 1, "pending"]);
  grant.release();
  expect((await second.promise).fence).toBe(2);
});

test("release() twice is a no-op, also when the successor holds the file", async () => {
  const { scheduler } = setUp();
  const { release } = await ask(scheduler, "c1", file("a")).promise;
  const second = ask(scheduler, "c2", file("a"));
  const third = ask(scheduler, "c3", file("a"));
  release();
  await second.promise;
  release();
  await settled();
  expect(third.seen.outcome).toBe("pending");
});

test("a grant is disposable, both ways", async () => {
  const { scheduler } = setUp();
  const first = await ask(scheduler, "c1", file("a")).promise;
  first[Symbol.dispose]();
  const second = await ask(scheduler, "c2", file("a")).promise;
  await second[Symbol.asyncDispose]();
  expect(scheduler.state.calls.size).toBe(0);
  expect(Object.keys(second)).toEqual(["holder", "fence", "release"]);
});

test("an approval of true lets the call in, everything else is a no", async () => {
  const { scheduler, approve } = setUp();
  const calls = ["yes", "no", "fail"].map((call) => ask(scheduler, call, file(call), { needsApproval: true }));
  approve.answers.get("yes")?.yes();
  approve.answers.get("no")?.no();
  approve.answers.get("fail")?.fail(new Error("window closed"));
  await settled();
  expect(calls.map(({ seen }) => seen.outcome)).toEqual(["runs", "LeaseRefusedError", "LeaseRefusedError"]);
  await expect(calls[1]?.promise).rejects.toMatchObject({ reason: "denied", path: undefined, holder: undefined });
});

test("an approve port without types that answers something else than true is a no", async () => {
  const scheduler = createLeaseScheduler({ approve: () => Promise.resolve(JSON.parse('"no"')), clock: fakeClock() });
  const first = ask(scheduler, "c1", file("a"), { needsApproval: true });
  await expect(first.promise).rejects.toMatchObject({ reason: "denied" });
});

test("an approve port that throws is a no", async () => {
  const approve = () => {
    throw new Error("no window");
  };
  const scheduler = createLeaseScheduler({ approve, clock: fakeClock() });
  const first = ask(scheduler, "c1", file("a"), { needsApproval: true });
  await expect(first.promise).rejects.toMatchObject({ reason: "denied" });
});

test("an approve port may call back in while it is asked", async () => {
  const clock = fakeClock();
  const inner: { seen: { outcome: string } }[] = [];
  const scheduler: LeaseScheduler = createLeaseScheduler({
    clock,
    approve(call) {
      if (call === "c1") scheduler.close("run");
      if (call === "c2") inner.push(ask(scheduler, "c3", file("a"), { owner: "other" }));
      if (call === "c4") fourth.abort();
      return Promise.resolve(true);
    },
  });
  const first = ask(scheduler, "c1", file("a"), { needsApproval: true });
  const second = ask(scheduler, "c2", file("a"), { needsApproval: true, owner: "other" });
  const fourth = new AbortController();
  const last = ask(scheduler, "c4", file("b"), { needsApproval: true, owner: "other", signal: fourth.signal });
  await settled();
  const outcomes = [first, ...inner, second, last].map(({ seen }) => seen.outcome);
  expect(outcomes).toEqual(["AbortError", "runs", "pending", "AbortError"]);
});

test("acquire() is refused with reason, path and holder", async () => {
  const { scheduler } = setUp();
  scheduler.spawn({ child: "k", owner: "run", paths: ["src"] });
  const error = await ask(scheduler, "c1", file("src\\a.ts")).promise.catch((e) => e);
  expect(error).toBeInstanceOf(LeaseRefusedError);
  expect(error).toMatchObject({ reason: "child-writing", path: "src/a.ts", holder: "k" });
  expect(error.message).toBe('Lease refused: {"reason":"child-writing","path":"src/a.ts","holder":"k"}');
  await expect(ask(scheduler, "c2", file("../x")).promise).rejects.toMatchObject({ path: "../x", holder: undefined });
});

test("an id turned away at the door may come again; one that was in may not", async () => {
  const { scheduler } = setUp();
  const claim = scheduler.spawn({ child: "k", owner: "run", paths: ["a"] });
  await expect(ask(scheduler, "c1", file("a")).promise).rejects.toMatchObject({ reason: "child-writing" });
  claim.finish();
  const grant = await ask(scheduler, "c1", file("a")).promise;
  const twin = ask(scheduler, "c1", file("b"));
  await expect(twin.promise).rejects.toMatchObject({ reason: "duplicate-call" });
  expect(scheduler.canWrite(grant, "a")).toBe(true);
  grant.release();
  await expect(ask(scheduler, "c1", file("a")).promise).rejects.toMatchObject({ reason: "duplicate-call" });
});

test("spawn() claims until finish(), and throws when refused", async () => {
  const { scheduler } = setUp();
  const grant = await ask(scheduler, "c1", file("a")).promise;
  expect(() => scheduler.spawn({ child: "k", owner: "run", paths: ["a"] })).toThrow(LeaseRefusedError);
  grant.release();
  const claim = scheduler.spawn({ child: "k", owner: "run", paths: ["a"] });
  expect([claim.holder, scheduler.canWrite(claim, "a/b"), scheduler.canWrite(claim, "b")]).toEqual(["k", true, false]);
  scheduler.finish("k");
  scheduler.finish("k");
  scheduler.finish("nobody");
  expect(scheduler.canWrite(claim, "a/b")).toBe(false);
});

test("finish() of an old claim does not end the one that has the id now", () => {
  const { scheduler } = setUp();
  const old = scheduler.spawn({ child: "k", owner: "run", paths: ["a"] });
  old.finish();
  const now = scheduler.spawn({ child: "k", owner: "run", paths: ["a"] });
  old.finish();
  expect([scheduler.canWrite(old, "a"), scheduler.canWrite(now, "a")]).toEqual([false, true]);
});

test("close() cancels what waits and refuses what comes", async () => {
  const { scheduler } = setUp();
  await ask(scheduler, "c1", file("a")).promise;
  const waiting = ask(scheduler, "c2", file("a"));
  const approving = ask(scheduler, "c3", file("b"), { needsApproval: true });
  scheduler.close("run");
  await settled();
  expect([waiting.seen.outcome, approving.seen.outcome]).toEqual(["AbortError", "AbortError"]);
  await expect(ask(scheduler, "c4", file("z")).promise).rejects.toMatchObject({ reason: "owner-closed" });
  expect(() => scheduler.spawn({ child: "k", owner: "run", paths: ["z"] })).toThrow(/owner-closed/);
});

test("firstFence keeps the fences of an earlier process stale", async () => {
  const { clock, approve } = setUp();
  const scheduler = createLeaseScheduler({ approve, clock }, limits, 500);
  const grant = await ask(scheduler, "c1", file("a")).promise;
  expect([grant.fence, scheduler.state.nextFence]).toEqual([500, 501]);
  expect(scheduler.canWrite({ holder: "c1", fence: 1 }, "a")).toBe(false);
});
