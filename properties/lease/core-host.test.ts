/**
 * The lease host in the hands of an application: queues, aborts, approvals, children, calls from inside its own calls.
 * Each situation under the simulator, to the last schedule where it is small, and on the real platform.
 */
import { describe, test } from "vitest";
import { scenario } from "../../sim/scenario.ts";
import { expectCertified, expectHeld, expectHeldForReal } from "../testing/expect-held.ts";
import { type Answer, Desk, file, workspace } from "./testing/desk.ts";

describe("the queue", () => {
  const three = scenario("a queue of three", (world) => {
    const desk = new Desk(world);
    const first = desk.run("first", workspace);
    world.settles("first", first);
    for (const name of ["second", "third", "fourth"]) world.actor(name, () => desk.run(name, file("a")));
    world.atQuiescence("whoever did not wait too long ran, in order of arrival", () => {
      const fences = desk.calls.flatMap(({ grant, outcome }) => (outcome === "expired" ? [] : [grant?.fence ?? 0]));
      return fences.every((fence, at) => fence === at + 1) || fences.join(", ");
    });
    world.sometimes("three wait", () => desk.scheduler.state.queue.length === 3);
  });

  test("acquire() lets a queue of three in, one after the other", async () => {
    await expectCertified(three, "spec");
    await expectHeld(three, "jitter");
    await expectHeldForReal(three);
  });

  const passing = scenario("a waiter that passes a blocked one", (world) => {
    const desk = new Desk(world);
    const calls = [
      ["holder", file("a")],
      ["blocked", file("a/b")],
      ["passing", file("c")],
      ["command", workspace],
      ["behind", file("d")],
      ["reader", { kind: "none" }],
    ] as const;
    const ask = () => {
      for (const [name, footprint] of calls) void desk.run(name, footprint);
    };
    world.events("calls", [["ask", ask]]);
    world.atQuiescence("who overlaps waits for whom it overlaps, and for nobody else", () => {
      const order = [...desk.calls].sort((one, other) => (one.grant?.fence ?? 0) - (other.grant?.fence ?? 0));
      return order.map(({ name }) => name).join() === "holder,passing,reader,blocked,command,behind";
    });
    world.sometimes(
      "one has passed",
      () => desk.stageOf("blocked") === "waiting" && desk.stageOf("passing") === "granted",
    );
  });

  test("acquire() lets a waiter pass a blocked one that it does not overlap, and no other", async () => {
    // Time stands still, so nobody gives up.
    await expectCertified(passing, "spec", { overtakes: 0 });
    await expectHeld(passing, "jitter", { overtakes: 0 });
    await expectHeldForReal(passing);
  });
});

describe("aborts", () => {
  const moments = ["before", "approving", "waiting", "granted", "runs", "over"];

  const aborted = scenario("an abort at any time", (world) => {
    const desk = new Desk(world);
    const needsApproval = world.choose("approval", [false, true]);
    const early = new AbortController();
    let when = "";
    let ranAborted = false;
    world.actor("holder", () => desk.run("holder", file("a")));
    world.actor("victim", async () => {
      const signal = early.signal.aborted ? { signal: early.signal } : {};
      const call = await desk.ask("victim", file("a"), { needsApproval, ...signal });
      ranAborted = call.outcome === "runs" && call.controller.signal.aborted;
      if (call.outcome !== "runs") return;
      await world.io("work", () => undefined);
      desk.release(call);
    });
    world.actor("next", () => desk.run("next", file("a")));
    const abort = () => {
      const call = desk.find("victim");
      const stage = desk.stageOf("victim");
      when = call === undefined ? "before" : call.outcome === "runs" ? "runs" : stage === "gone" ? "over" : stage;
      early.abort();
      desk.abort("victim");
    };
    world.events("user", [["stop", abort]]);
    world.atQuiescence("an abort ends what does not run yet, and nothing else", () => {
      const { outcome = "", grant = null } = desk.find("victim") ?? {};
      if (outcome === "expired") return when !== "runs";
      if (when === "granted") return outcome === "aborted" || ranAborted || `it is ${outcome}`;
      const runs = when === "runs" || when === "over";
      return (outcome === "released" && grant !== null) === runs || `stopped ${when}, it is ${outcome}`;
    });
    for (const moment of moments) {
      if (moment !== "granted" && (moment !== "approving" || needsApproval)) {
        world.sometimes(`a stop: ${moment}`, () => when === moment);
      }
    }
  });

  test("acquire() rejects on an abort until it runs, and nothing happens after that", async () => {
    await expectCertified(aborted, "spec");
    await expectHeld(aborted, "jitter");
    await expectHeldForReal(aborted);
  });

  const sameDelivery = scenario("an abort in the delivery of the grant", (world) => {
    const desk = new Desk(world);
    const order = world.choose("order", [
      "release, abort",
      "abort, release",
      "abort queued, release",
      "release, close",
    ]);
    world.events("user", [
      ["first", () => void desk.ask("first", file("a"))],
      ["victim", () => void desk.ask("victim", file("a"), { owner: "other" })],
      ["next", () => void desk.run("next", file("a"))],
      [
        "both",
        () => {
          const [first] = desk.calls;
          const release = () => first && desk.release(first);
          if (order === "abort, release") desk.abort("victim");
          // Ahead of the job that hands the grant over. Behind it there is one tick left, and the tool has to look itself.
          if (order === "abort queued, release") queueMicrotask(() => desk.abort("victim"));
          release();
          if (order === "release, abort") desk.abort("victim");
          if (order === "release, close") desk.close("other");
        },
      ],
    ]);
    const endedAs = (name: string, expected: string) => {
      const { outcome = "" } = desk.find(name) ?? {};
      return outcome === expected || outcome === "expired" || `${name} is ${outcome}`;
    };
    world.atQuiescence("the next one runs", () => endedAs("next", "released"));
    world.atQuiescence("the victim does not", () => endedAs("victim", "aborted"));
  });

  test("acquire() looks at the signal again before it hands the grant over", async () => {
    await expectCertified(sameDelivery, "spec");
    await expectHeldForReal(sameDelivery);
  });
});

describe("approval", () => {
  const answers: readonly Answer[] = ["yes", "no", "throws", "rejects"];
  const approved = scenario("an approval", (world) => {
    const answer = world.choose("answer", answers);
    const desk = new Desk(world, { answer: () => answer });
    world.actor("asking", () => desk.run("asking", file("a"), { needsApproval: true }));
    world.actor("other", () => desk.run("other", file("a")));
    world.atQuiescence("only a yes lets it run, and the other runs anyway", () => {
      const { outcome = "" } = desk.find("asking") ?? {};
      const expected = answer === "yes" ? "released" : "denied";
      const other = desk.find("other")?.outcome ?? "";
      const fits = [expected, "expired"].includes(outcome) && ["released", "expired"].includes(other);
      return fits || `it is ${outcome}, the other is ${other}`;
    });
  });

  test("acquire() takes everything but a yes for a no", async () => {
    await expectCertified(approved, "spec");
    await expectCertified(approved, "jitter");
    await expectHeldForReal(approved);
  });
});

describe("children", () => {
  const family = scenario("a child and its parent's writes", (world) => {
    const desk = new Desk(world, { answer: () => world.choose("answer", ["yes", "no"] as const) });
    let spawned = "";
    world.actor("child", async () => {
      const writers = desk.calls.filter(
        ({ name, footprint }) => footprint.kind === "file" && desk.stageOf(name) !== "gone",
      );
      const [first] = writers;
      spawned = desk.spawn("child", ["src"]);
      const expected = first === undefined ? "claimed" : `root-writing src ${first.name}`;
      if (spawned !== expected) throw new Error(`spawn() says ${spawned}, not ${expected}`);
      if (spawned !== "claimed") return;
      await world.io("work", () => undefined);
      desk.finish("child");
    });
    for (const [name, needsApproval] of [
      ["edit", false],
      ["asking", true],
    ] as const) {
      world.actor(name, () => {
        const claimed = desk.claims.has("child");
        return desk.run(name, file("src/a.ts"), { needsApproval }).then((call) => {
          const isRefused = call.outcome === "refused";
          if (isRefused !== claimed) throw new Error(`${name} is ${call.outcome}, and the child was there: ${claimed}`);
        });
      });
    }
    world.actor("command", () => desk.run("command", workspace));
    world.sometimes("the child is refused", () => spawned.startsWith("root-writing"));
    world.sometimes("a write is refused", () => desk.calls.some(({ outcome }) => outcome === "refused"));
    world.sometimes("a command runs beside the child", () => {
      return desk.claims.has("child") && desk.find("command")?.outcome === "runs";
    });
  });

  test("spawn() and acquire() refuse each other's files, in both directions", async () => {
    await expectHeld(family, "spec", { executions: 600 });
    await expectHeld(family, "jitter");
    await expectHeldForReal(family);
  });
});
