/** Calls into the lease host from inside its own calls, leases given back in odd ways, and a host nobody holds any more. */
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { describe, expect, test } from "vitest";
import { createLeaseScheduler } from "../../core/lease/host.ts";
import { scenario } from "../../sim/scenario.ts";
import { expectCertified, expectHeld, expectHeldForReal } from "../testing/expect-held.ts";
import { Desk, file, workspace } from "./testing/desk.ts";

describe("calls from inside", () => {
  const deeds = ["acquire", "release", "abort itself", "close", "spawn", "spawn on it"] as const;

  const whileAsked = scenario("calls from inside approve", (world) => {
    const deed = world.choose("inside", deeds);
    let spawned = "";
    const desk: Desk = new Desk(world, {
      whileAsked(call) {
        const holder = desk.find("holder");
        if (deed === "acquire") void desk.run("inside", file("a"));
        if (deed === "release" && holder !== undefined) desk.release(holder);
        if (deed === "abort itself") desk.abort(call);
        if (deed === "close") desk.close("run");
        if (deed === "spawn") spawned = desk.spawn("child", ["b"]);
        if (deed === "spawn on it") spawned = desk.spawn("child", ["a"]);
        desk.finish("child");
      },
    });
    world.actor("holder", () => desk.run("holder", file("a"), { owner: "other" }));
    world.actor("asking", () => desk.run("asking", file("a"), { needsApproval: true }));
    world.atQuiescence("the call that asks ends as it must", () => {
      const { outcome = "" } = desk.find("asking") ?? {};
      const expected = deed === "abort itself" || deed === "close" ? "aborted" : "released";
      return outcome === expected || outcome === "expired" || `it is ${outcome}`;
    });
    world.atQuiescence("a child takes what nobody means to write", () => {
      if (deed === "spawn") return spawned === "claimed";
      return deed !== "spawn on it" || spawned.startsWith("root-writing a ") || spawned;
    });
  });

  const behindGrant = scenario("calls from the continuation of a grant", (world) => {
    const desk = new Desk(world);
    const deed = world.choose("inside", ["acquire", "acquire and wait", "release", "spawn", "close"]);
    world.actor("outer", async () => {
      const outer = await desk.ask("outer", file("a"));
      if (outer.outcome !== "runs") return;
      if (deed === "acquire") void desk.run("inner", file("a/b"));
      if (deed === "spawn") desk.spawn("child", ["b"]);
      if (deed === "close") desk.close("run");
      if (deed !== "release") await world.io("work", () => undefined);
      desk.release(outer);
      if (deed === "acquire and wait") await desk.run("inner", file("a/b"));
      desk.finish("child");
    });
    world.actor("next", () => desk.run("next", workspace));
    world.atQuiescence("whoever is not closed gets its turn", () => {
      const expected = (name: string) =>
        deed === "close" && name !== "outer" ? ["aborted", "refused", "released"] : ["released", "expired"];
      const odd = desk.calls.find(({ name, outcome }) => !expected(name).includes(outcome));
      return odd === undefined || `${odd.name} is ${odd.outcome}`;
    });
  });

  for (const subject of [whileAsked, behindGrant]) {
    test(`createLeaseScheduler() takes ${subject.name}`, async () => {
      await expectCertified(subject, "spec");
      await expectHeld(subject, "jitter");
      await expectHeldForReal(subject);
    });
  }
});

describe("release", () => {
  const ways = ["release", "dispose", "async dispose", "release and dispose", "all, late"] as const;

  const twice = scenario("a lease given back in every way", (world) => {
    const desk = new Desk(world);
    const way = world.choose("way", ways);
    world.actor("first", async () => {
      const unasked = { holder: "first", fence: desk.scheduler.state.nextFence };
      if (desk.scheduler.canWrite(unasked, "a")) throw new Error("it may write before it has asked");
      const call = await desk.ask("first", file("a"));
      const { grant } = call;
      if (grant === null) return;
      const written = [desk.scheduler.canWrite(grant, "a/b"), desk.scheduler.canWrite(grant, "b")];
      call.outcome = "released";
      if (way === "release" || way === "release and dispose") grant.release();
      if (way === "dispose" || way === "release and dispose") grant[Symbol.dispose]();
      if (way === "async dispose") await grant[Symbol.asyncDispose]();
      if (way === "all, late") grant.release();
      written.push(desk.scheduler.canWrite(grant, "a/b"));
      if (written.join() !== "true,false,false") throw new Error(`it may write: ${written}`);
      // By now the next one has the file.
      await world.delay("pause");
      grant.release();
      grant[Symbol.dispose]();
    });
    for (const name of ["second", "third"]) world.actor(name, () => desk.run(name, file("a")));
    world.atQuiescence("everybody had the file", () => {
      return desk.calls.every(({ outcome }) => outcome === "released" || outcome === "expired");
    });
  });

  test("release() gives back once, however often and however late it is called", async () => {
    await expectCertified(twice, "spec");
    await expectHeld(twice, "jitter");
    await expectHeldForReal(twice);
  });
});

describe("an application that lets go", () => {
  setFlagsFromString("--expose-gc");
  const collectGarbage: () => void = runInNewContext("gc");
  const turn = () => new Promise((resolve) => setImmediate(resolve));

  test("acquire() still ends when the application has dropped the scheduler and the grant", async () => {
    const outcomes: string[] = [];
    const { signal } = new AbortController();
    function ask(): WeakRef<object>[] {
      const scheduler = createLeaseScheduler({ approve: async () => true }, { waitLimitMs: 20 });
      const refs: WeakRef<object>[] = [new WeakRef(scheduler)];
      scheduler.acquire({ call: "dropped", owner: "run", footprint: workspace, signal }).then((grant) => {
        outcomes.push("runs");
        refs.push(new WeakRef(grant));
      });
      return refs;
    }
    function askAgain(): Promise<unknown> {
      const scheduler = createLeaseScheduler({ approve: async () => true }, { waitLimitMs: 20 });
      void scheduler.acquire({ call: "held", owner: "run", footprint: workspace, signal });
      return scheduler.acquire({ call: "waits", owner: "run", footprint: file("a"), signal });
    }
    const refs = ask();
    const waiting = askAgain();
    // A collector may need more than one go at what an optimised frame still holds.
    for (let go = 0; go < 20; go++) {
      await turn();
      collectGarbage();
      if (refs.every((ref) => ref.deref() === undefined)) break;
    }
    expect(refs.map((ref) => ref.deref())).toEqual([undefined, undefined]);
    expect(outcomes).toEqual(["runs"]);
    await expect(waiting).rejects.toMatchObject({ name: "LeaseTimeoutError", retryable: true, path: "a" });
  });
});
