import { AsyncResource } from "node:async_hooks";
import { readFile, readFileSync } from "node:fs";
import { explore, type Repro, replay, type Scenario, scenario } from "microloom";
import { describe, expect, test } from "vitest";
import { corpus, innocent } from "./corpus.ts";

const lines = readFileSync(new URL("corpus.ts", import.meta.url), "utf8").split("\n");

/** The code runs as the continuation of an event, where most code runs. */
function around(name: string, code: () => unknown): Scenario {
  return scenario(name, (world) => {
    world.events("user", [["go", () => void world.delay("pause").then(code)]]);
  });
}

describe("leaks", () => {
  test("there are enough of them", () => {
    expect(Object.keys(corpus).length).toBeGreaterThanOrEqual(25);
  });

  test.each(Object.entries(corpus))("explore() names the line of: %s", async (name, leak) => {
    const result = await explore(around(name, leak), { executions: 20 });
    expect(result.outcome).toBe("leaked");
    if (result.outcome !== "leaked") return;
    const line = lines.findIndex((text) => text.endsWith(`// leaks: ${name}`)) + 1;
    expect(result.where).toMatchObject({ file: "examples/leaks/corpus.ts", line });
    expect(result.detail).toMatch(/outside of the scheduler's hands: \w+/);
  });

  test.each(Object.entries(innocent))("explore() has nothing against %s", async (name, code) => {
    expect((await explore(around(name, code), { executions: 2 })).outcome).toBe("held");
  });

  test("explore() finds the leak behind an execution that is stuck, though only one order leaks", async () => {
    const result = await explore(
      scenario("rarely", (world) => {
        let first = "";
        world.actor("reader", async () => {
          await world.delay("slow");
          first ||= "reader";
          // Nothing will come of it while the execution lasts.
          if (first === "writer") await new Promise((resolve) => readFile(import.meta.filename, resolve));
        });
        world.events("user", [["write", () => (first ||= "writer")]]);
      }),
    );
    expect(result).toMatchObject({ outcome: "leaked", where: { file: "examples/leaks/leaks.test.ts" } });
  });

  test("explore() names the leaks of one execution together, and is not disturbed when they come back", async () => {
    const returned: Promise<string>[] = [];
    const result = await explore(
      scenario("several", (world) => {
        const late = new Promise<string>((resolve) =>
          readFile(import.meta.filename, () => {
            // The execution has ended: nothing of this is ever delivered.
            world.note("late");
            void world.delay("late").then(() => world.note("never"));
            void world.io("late", () => 1);
            resolve(world.choose("late", ["one", "other"]));
          }),
        );
        returned.push(late);
        new WeakRef(world).deref();
      }),
    );
    expect(result).toMatchObject({
      outcome: "leaked",
      detail: expect.stringMatching(/^file I\/O .*; also weak reference at examples/),
    });
    expect(await Promise.all(returned)).toEqual(["one"]);
  });

  test("replay() says that an execution leaks", async () => {
    const repro: Repro = {
      format: 1,
      scenario: "leaks",
      title: "leaks",
      violates: "nothing",
      level: "spec",
      verdict: "bug",
      expect: "held",
      script: [],
      faults: [],
      data: [],
      orderings: [],
      criticalPair: null,
      choices: null,
      foundBy: { strategy: "first-come", seed: "leaks", executions: 1 },
    };
    const found = await replay(
      around("leaks", () => readFile(import.meta.filename, () => undefined)),
      repro,
    );
    expect(found).toMatchObject({ outcome: "leaked", where: { file: "examples/leaks/leaks.test.ts" } });
  });

  test("explore() takes a promise of an older execution for a leak, not for a violation", async () => {
    let rejectOlder: ((reason: Error) => void) | null = null;
    const result = await explore(
      scenario("older", (world) => {
        world.events("user", [
          [
            "go",
            () => {
              rejectOlder?.(new Error("of the execution before"));
              void new Promise((_, reject) => (rejectOlder = reject));
            },
          ],
        ]);
      }),
    );
    expect(result).toMatchObject({ outcome: "leaked", detail: expect.stringContaining("foreign promise") });
  });

  test("explore() tells a promise of before the execution from a bug: nothing in it can settle that", async () => {
    const ready = new Promise<void>(() => undefined);
    const result = await explore(scenario("waits for start-up", (world) => world.actor("a", async () => ready)));
    expect(result).toMatchObject({ outcome: "leaked", detail: expect.stringContaining("foreign promise") });
    expect(result).toMatchObject({ where: { file: "examples/leaks/leaks.test.ts" } });
  });

  test("explore() takes long work for what it is, with all its promises", async () => {
    const long = async (): Promise<void> => {
      for (let i = 0; i < 20_000; i++) await null;
    };
    const settled = Promise.resolve();
    const works = scenario("long", (world) => world.actor("a", () => settled.then(long)));
    expect((await explore(works, { strategy: "first-come" })).outcome).toBe("held");
    const lost = scenario("long, and lost", (world) =>
      world.actor("a", async () => {
        await long();
        void Promise.reject(new Error("lost"));
      }),
    );
    expect(await explore(lost, { strategy: "first-come" })).toMatchObject({ outcome: "violated" });
    const leaks = scenario("long, and leaks", (world) =>
      world.actor("a", async () => {
        await long();
        await new Promise((resolve) => readFile(import.meta.filename, resolve));
      }),
    );
    expect(await explore(leaks, { strategy: "first-come" })).toMatchObject({ outcome: "leaked" });
  });

  test("explore() lets alone what only sounds like a leak", async () => {
    const named = ["TimeoutManager", "HTTP_POOL", "WORKER_POOL"];
    const result = await explore(scenario("named", () => void named.map((name) => new AsyncResource(name))));
    expect(result.outcome).toBe("held");
  });

  test("what a module keeps of the realm does, after the batch, what Node's own does", async () => {
    const kept: {
      later?: typeof setTimeout;
      now?: () => number;
      soon?: typeof process.nextTick;
      clock?: DateConstructor;
    } = {};
    const loads = scenario("loads a module", (world) => {
      kept.later ??= setTimeout;
      kept.now ??= performance.now;
      kept.soon ??= process.nextTick;
      kept.clock ??= Date;
      const { later } = kept;
      world.actor("a", () => new Promise((resolve) => later(resolve, 3_600_000)));
    });
    // The second exploration has an engine of its own, and what is kept belongs to the first.
    for (let times = 0; times < 2; times++) expect((await explore(loads)).outcome).toBe("held");
    await new Promise<void>((resolve) => kept.later?.(resolve, 1));
    await new Promise<void>((resolve) => kept.soon?.(resolve));
    expect(kept.clock?.now()).toBeGreaterThan(Date.UTC(2024));
    expect(kept.now?.call(performance)).toBeGreaterThan(0);
  });
});
