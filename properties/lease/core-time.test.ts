/**
 * The limits of the lease host. Under the simulator they are the contract's own, ten minutes and one, and are met to the
 * millisecond; on the real platform a few milliseconds.
 */
import { describe, expect, test } from "vitest";
import { LeaseTimeoutError } from "../../core/lease/errors.ts";
import { createLeaseScheduler } from "../../core/lease/host.ts";
import { type Scenario, scenario, type World } from "../../sim/scenario.ts";
import { expectCertified, expectHeld, expectHeldForReal } from "../testing/expect-held.ts";
import { type Call, Desk, file, workspace } from "./testing/desk.ts";

type Limits = { readonly waitLimitMs: number; readonly stuckLimitMs: number; readonly isVirtual: boolean };

/** Spelled out: the contract's defaults, with which the host is made when nothing is said. */
const virtual: Limits = { waitLimitMs: 600_000, stuckLimitMs: 60_000, isVirtual: true };
const real: Limits = { waitLimitMs: 8, stuckLimitMs: 5, isVirtual: false };

const policyOf = ({ isVirtual, waitLimitMs, stuckLimitMs }: Limits) => (isVirtual ? {} : { waitLimitMs, stuckLimitMs });

/** A timer is late on a real machine, and a clock that is read twice has moved on; it is never early by more than that. */
function took(elapsedMs: number, limitMs: number, { isVirtual }: Limits): boolean {
  return isVirtual ? elapsedMs === limitMs : elapsedMs > limitMs - 1;
}

describe("expiry", () => {
  function expiring(limits: Limits): Scenario {
    return scenario("calls that wait too long", (world) => {
      const policy = policyOf(limits);
      const desk: Desk = new Desk(world, { policy, answer: (call) => (call === "unanswered" ? "never" : "yes") });
      const ends: string[] = [];
      const expires = (call: Call, path: string) => {
        ends.push(call.name);
        const { error } = call;
        const isRight = error instanceof LeaseTimeoutError && error.retryable && error.path === path;
        if (!isRight) throw new Error(`${call.name} is ${call.outcome}: ${error}`);
        const elapsedMs = (call.endedMs ?? 0) - call.askedMs;
        if (!took(elapsedMs, limits.waitLimitMs, limits)) throw new Error(`${call.name} took ${elapsedMs} ms`);
        if (call.grant !== null) throw new Error(`${call.name} runs all the same`);
      };
      const held = desk.ask("holder", file("src"));
      world.actor("edit", async () => {
        const holder = await held;
        await desk.ask("edit", file("./src//a.ts")).then((call) => expires(call, "src/a.ts"));
        desk.release(holder);
        await desk.run("retry", file("src/a.ts"));
      });
      world.actor("unanswered", () => {
        return desk.ask("unanswered", file("b"), { needsApproval: true }).then((call) => expires(call, "b"));
      });
      world.actor("command", async () => {
        const call = await desk.run("command", workspace);
        if (call.outcome === "expired") expires(call, ".");
      });
      world.atQuiescence("both were told, and the retry ran or was told as well", () => {
        const isTold = ends.includes("edit") && ends.includes("unanswered");
        const { outcome } = desk.find("retry") ?? {};
        return (
          (isTold && (outcome === "released" || outcome === "expired")) || `${ends.join()}, the retry is ${outcome}`
        );
      });
      world.sometimes("the retry runs", () => desk.find("retry")?.outcome === "runs");
      world.sometimes("a command expires", () => ends.includes("command"));
    });
  }

  test("acquire() rejects at its deadline, to the millisecond, and says that it may be tried again", async () => {
    await expectCertified(expiring(virtual), "spec");
    await expectHeld(expiring(virtual), "jitter");
    await expectHeldForReal(expiring(real), 15);
  });

  const lastMoment = scenario("a release at the deadline", (world) => {
    const desk = new Desk(world);
    world.actor("holder", async () => {
      const holder = await desk.ask("holder", file("a"));
      // Equal timers come in the order in which they were set, and either may be the first.
      await world.delay("pause");
      await new Promise((resolve) => setTimeout(resolve, virtual.waitLimitMs));
      desk.release(holder);
    });
    world.actor("waiting", () => desk.run("waiting", file("a")));
    world.atQuiescence("it runs or has expired, and nobody is in between", () => {
      const { outcome = "" } = desk.find("waiting") ?? {};
      return outcome === "expired" || outcome === "released" || `it is ${outcome}`;
    });
    world.sometimes("it expires", () => desk.find("waiting")?.outcome === "expired");
    world.sometimes("it runs", () => desk.find("waiting")?.outcome === "runs");
  });

  test("acquire() has one outcome when its deadline and its grant come together", async () => {
    await expectCertified(lastMoment, "spec");
    await expectHeld(lastMoment, "jitter");
  });
});

describe("close", () => {
  /** Nobody awaits the end of what is stuck. The simulator sees the timer that brings it; on the real platform the run waits. */
  function passStuckLimit(world: World, { isVirtual, stuckLimitMs }: Limits): void {
    if (!isVirtual) world.settles("the stuck limit", new Promise((resolve) => setTimeout(resolve, stuckLimitMs + 2)));
  }

  function closing(limits: Limits): Scenario {
    return scenario("a close with every stage present", (world) => {
      const desk: Desk = new Desk(world, { policy: policyOf(limits), answer: () => "never" });
      let closedMs: number | null = null;
      let hadAll = false;
      const isGone = (name: string) => desk.stageOf(name) === "gone";
      world.actor("stuck", () => desk.ask("stuck", file("a")));
      world.actor("waiting", () => desk.ask("waiting", file("a")));
      world.actor("approving", () => desk.ask("approving", file("b"), { needsApproval: true }));
      world.actor("heir", () => desk.run("heir", file("a"), { owner: "other" }));
      world.events("owner", [
        ["spawn", () => void desk.spawn("child", ["c"])],
        [
          "close",
          () => {
            closedMs = world.nowMs;
            const stages = ["stuck", "waiting", "approving"].map((name) => desk.stageOf(name)).join();
            hadAll = stages === "granted,waiting,approving" && desk.stageOf("heir") === "waiting";
            desk.close("run");
            passStuckLimit(world, limits);
          },
        ],
        ["late", () => void desk.ask("late", file("z"))],
      ]);
      world.always("who runs may write until the stuck limit, and not after it", () => {
        const { grant = null, outcome = "" } = desk.find("stuck") ?? {};
        if (grant === null || outcome !== "runs") return true;
        const may = desk.scheduler.canWrite(grant, "a");
        const isClosed = closedMs !== null && limits.isVirtual && world.nowMs - closedMs >= limits.stuckLimitMs;
        return (may !== isGone("stuck") && !(may && isClosed)) || `it may write: ${may}`;
      });
      world.atQuiescence("what did not run was cancelled or refused, and expired at the latest", () => {
        const odd = desk.calls.find(({ name, outcome }) => {
          if (name === "late") return outcome !== "refused";
          if (name === "heir") return outcome !== "released" && outcome !== "expired";
          return !["runs", "aborted", "refused", "expired"].includes(outcome);
        });
        return odd === undefined || `${odd.name} is ${odd.outcome}`;
      });
      world.atQuiescence("the stuck child may not write any more", () => {
        const claim = desk.claims.get("child");
        return claim !== undefined && !desk.scheduler.canWrite(claim, "c");
      });
      world.sometimes("every stage was present", () => hadAll);
      world.sometimes("the heir inherits", () => isGone("stuck") && desk.find("heir")?.outcome === "runs");
    });
  }

  test("close() leaves nothing behind, and fences off what is stuck", async () => {
    await expectHeld(closing(virtual), "spec", { executions: 400 });
    await expectHeld(closing(virtual), "jitter");
    await expectHeldForReal(closing(real), 15);
  });

  const stuck = (limits: Limits) =>
    scenario("a stuck call and its heir", (world) => {
      const desk = new Desk(world, { policy: policyOf(limits) });
      const cleanUpLate = (heir: Call) => {
        const late = desk.find("stuck")?.grant;
        late?.release();
        if (heir.grant !== null && desk.stageOf("heir") !== "granted") throw new Error("a late release freed the heir");
      };
      let closedMs = 0;
      world.events("owner", [
        ["stuck", () => void desk.ask("stuck", file("a"))],
        [
          "heir",
          () => {
            const heir = desk.ask("heir", file("a"), { owner: "other" }).then(async (call) => {
              cleanUpLate(call);
              await world.io("work", () => undefined);
              desk.release(call);
            });
            void world.settles("heir", heir);
          },
        ],
        [
          "close",
          () => {
            closedMs = world.nowMs;
            desk.close("run");
            // Closing again does not restart the clock.
            setTimeout(() => desk.close("run"), limits.stuckLimitMs / 2);
            passStuckLimit(world, limits);
          },
        ],
      ]);
      world.atQuiescence("the heir waits for the limit, to the millisecond", () => {
        const heir = desk.find("heir");
        const call = desk.find("stuck");
        const grant = call?.grant;
        if (heir?.outcome === "expired" || !grant) return true;
        const waitedMs = (heir?.ranMs ?? 0) - closedMs;
        if (!took(waitedMs, limits.stuckLimitMs, limits)) return `it waited ${waitedMs} ms`;
        return !desk.scheduler.canWrite(grant, "a") || "the stuck call may still write";
      });
      world.sometimes("the heir inherits", () => desk.find("heir")?.outcome === "runs");
    });

  test("close() bounds what a stuck call can hold back, and its late release is stale", async () => {
    await expectCertified(stuck(virtual), "spec");
    await expectCertified(stuck(virtual), "jitter");
    await expectHeldForReal(stuck(real), 15);
  });
});

describe("real timers", () => {
  test("acquire() rejects by the platform's own clock", async () => {
    const scheduler = createLeaseScheduler({ approve: () => new Promise(() => {}) }, { waitLimitMs: 3 });
    const { signal } = new AbortController();
    const holder = await scheduler.acquire({ call: "holder", owner: "run", footprint: workspace, signal });
    const ask = (call: string, path: string, needsApproval: boolean) =>
      scheduler.acquire({ call, owner: "run", footprint: file(path), needsApproval, signal });
    const [waiting, approving] = await Promise.allSettled([ask("waiting", "a", false), ask("approving", "b", true)]);
    expect(waiting).toMatchObject({ reason: { name: "LeaseTimeoutError", retryable: true, path: "a" } });
    expect(approving).toMatchObject({ reason: { name: "LeaseTimeoutError", retryable: true, path: "b" } });
    expect(scheduler.canWrite(holder, "a")).toBe(true);
    holder.release();
    expect(scheduler.state.calls.size).toBe(0);
  });
});
