/** What must hold wherever microloom is called from. Each check is a test of its own in each runner. */
import assert from "node:assert/strict";
import { randomBytes, randomInt, randomUUID } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { hrtime } from "node:process";
import { setTimeout as sleep } from "node:timers/promises";
import {
  type ExploreResult,
  explore,
  type Repro,
  readRepro,
  replay,
  type Scenario,
  scenario,
  writeRepro,
} from "microloom";
import { Agent } from "./agent.ts";
import { waits } from "./waits.ts";

/** Returns what must be the same in every runner. A check that takes seconds is `slow`. */
export type Check = { readonly name: string; readonly slow?: true; run(): Promise<unknown> };

const realNow = performance.now.bind(performance);

export const checks: readonly Check[] = [
  {
    name: "explore() finds the late wake at level spec, in two orderings",
    async run() {
      const result = await explore(lateWake);
      const { verdict, orderings } = reproOf(result);
      assert.equal(verdict, "bug");
      assert.ok(orderings.length <= 2);
      return result;
    },
  },
  {
    name: "replay() follows the repro",
    async run() {
      const repro = reproOf(await explore(lateWake));
      const replayed = await replay(lateWake, repro);
      assert.equal(replayed.outcome, "violated");
      assert.deepEqual(replayed.unmet, []);
      return replayed;
    },
  },
  {
    name: "a scenario that holds gets a certificate at level jitter",
    async run() {
      const result = await explore(twoWriters, { level: "jitter", strategy: "depth-first" });
      assert.ok(result.outcome === "held" && result.certificate !== null);
      return result;
    },
  },
  {
    name: "every wait is virtual, and an hour takes none",
    async run() {
      const startedAt = realNow();
      const results: Record<string, ExploreResult> = {};
      for (const [name, wait] of Object.entries(waits)) {
        // A wait that is real never comes to its end: nothing would be left to deliver.
        const waiting = scenario(name, (world) => {
          world.actor("ada", async () => {
            await new Promise<void>((done) => wait(done));
            world.note("done", world.nowMs);
          });
        });
        results[name] = await explore(waiting, { strategy: "depth-first" });
        assert.equal(results[name].outcome, "held", `${name}: ${JSON.stringify(results[name])}`);
      }
      assert.ok(realNow() - startedAt < 60_000);
      return results;
    },
  },
  {
    name: "clocks and chance are the execution's own",
    async run() {
      const seen: unknown[] = [];
      const reading = scenario("reads", (world) => {
        world.actor("ada", async () => {
          await sleep(86_400_000);
          seen.push([Date.now(), new Date().toISOString(), performance.now(), Date(), new Date(0).getHours()]);
          seen.push([process.hrtime(), String(hrtime.bigint()), process.uptime()]);
          seen.push([Math.random(), crypto.randomUUID(), randomUUID(), randomInt(1_000_000)]);
          seen.push([randomBytes(4).toString("hex"), crypto.getRandomValues(new Uint8Array(4)).join()]);
          assert.ok(new Date() instanceof Date && new AbortController().signal instanceof AbortSignal);
        });
      });
      const result = await explore(reading, { strategy: "first-come" });
      assert.equal(result.outcome, "held", JSON.stringify(result));
      return seen;
    },
  },
  {
    name: "an error that nobody catches is a violation, not the runner's",
    async run() {
      const results: Record<string, ExploreResult> = {};
      for (const [name, act] of Object.entries(errors)) {
        const failing = scenario(name, (world) => world.events("user", [["go", act]]));
        results[name] = await explore(failing);
        assert.equal(results[name].outcome, "violated", name);
      }
      return results;
    },
  },
  {
    name: "a loop that reads the clock is a violation, and ends",
    // Nothing but real time ends it.
    slow: true,
    async run() {
      // Not in the first-come order: that is watched closely, and given more time.
      const spinning = scenario("a loop", (world) => {
        let open = false;
        world.events("user", [["go", () => spinUntil(Date.now() + (open ? 5 : 0))]]);
        world.events("door", [["open", () => (open = true)]]);
      });
      const result = await explore(spinning);
      assert.ok(result.outcome === "violated" && result.violation.kind === "livelock", JSON.stringify(result));
      return result;
    },
  },
  {
    name: "a repro is written twice, and read again",
    async run() {
      const repro = reproOf(await explore(lateWake));
      const folder = await mkdtemp(join(tmpdir(), "microloom-repro-"));
      try {
        for (const _ of ["made", "found"]) await writeRepro(join(folder, "kept", "late-wake.json"), repro);
        assert.deepEqual(await readRepro(join(folder, "kept", "late-wake.json")), repro);
        await assert.rejects(readRepro("no such.json"), /there is no such file; check the path/);
      } finally {
        await rm(folder, { recursive: true });
      }
      return repro;
    },
  },
  {
    name: "explorations of one process wait for each other",
    async run() {
      const [one, other] = await Promise.all([explore(lateWake), explore(lateWake)]);
      assert.equal(bytes(one), bytes(other));
      return one;
    },
  },
  {
    name: "the realm is what it was: timers fire, clocks run",
    async run() {
      const found = globalsNow();
      await explore(lateWake);
      assert.deepEqual(globalsNow(), found);
      await new Promise((done) => setTimeout(done, 0));
      await new Promise((done) => setImmediate(done));
      await sleep(0);
      assert.ok(Date.now() > Date.UTC(2024) && new Date().getFullYear() > 2023);
      const before = performance.now();
      while (performance.now() === before);
      return null;
    },
  },
];

const places = new Set(["stack", "stacks", "frames", "declaredAt", "firstAt", "thenAt"]);

/** JSON without what depends on where a file lies. */
export function bytes(value: unknown): string {
  return JSON.stringify(value, (key, part) => (places.has(key) || isPlace(part) ? undefined : part), 1);
}

function isPlace(part: unknown): boolean {
  return typeof part === "object" && part !== null && "file" in part && "line" in part;
}

const lateWake = scenario("a message sent while the turn is being stopped is answered", (world) => {
  const agent = new Agent({
    model: () => world.io("agent:model", () => "an answer"),
    teardown: () => world.delay("agent:teardown"),
  });
  world.events("user", [
    ["send a", () => agent.send("a")],
    ["stop", () => agent.stop()],
    ["send b", () => agent.send("b")],
  ]);
  world.atQuiescence("no message lies in the inbox", () => agent.inbox.length === 0 || agent.inbox.join());
});

const twoWriters: Scenario = scenario("no increment is lost", (world) => {
  let value = 0;
  let last: Promise<unknown> = Promise.resolve();
  const increment = (): Promise<unknown> => {
    last = last.then(async () => {
      const read = value;
      await new Promise<void>((done) => process.nextTick(done));
      await world.io("database:save", () => undefined);
      value = read + 1;
    });
    return last;
  };
  world.actor("ada", increment);
  world.actor("bob", increment);
  world.atQuiescence("both were counted", () => value === 2);
});

const errors: Readonly<Record<string, () => unknown>> = {
  "in a timer": () => setTimeout(() => fail(), 5),
  "in an immediate": () => setImmediate(() => fail()),
  "in a nextTick": () => process.nextTick(() => fail()),
  "in a microtask": () => queueMicrotask(() => fail()),
  "in a listener"() {
    const target = new EventTarget();
    target.addEventListener("x", () => fail());
    target.dispatchEvent(new Event("x"));
  },
  "in a promise that nobody awaits"() {
    void Promise.resolve().then(() => fail());
  },
  "of Node itself": () => new URL("no address"),
  "of the platform": () => structuredClone(Symbol("uncloneable")),
  "process.exit()": () => process.exit(3),
};

function fail(): never {
  throw new TypeError("nobody catches this");
}

function spinUntil(timeMs: number): void {
  while (Date.now() < timeMs);
}

function reproOf(result: ExploreResult): Repro {
  assert.ok(result.outcome === "violated", JSON.stringify(result));
  return result.repro;
}

function globalsNow(): readonly unknown[] {
  return [
    ...[setTimeout, setInterval, setImmediate, clearTimeout, queueMicrotask, Date, Math.random, performance.now],
    ...[AbortController, AbortSignal, AbortSignal.timeout, EventTarget, process.nextTick, process.exit],
    ...[Error.stackTraceLimit, process.listeners("uncaughtException"), process.listeners("unhandledRejection")],
  ];
}
