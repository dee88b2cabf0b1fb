import { Script } from "node:vm";
import { describe, expect, test } from "vitest";
import { planOf } from "./bounds.ts";
import { withRunner } from "./runner.ts";
import { ScenarioError, scenario, type World } from "./scenario.ts";
import { search } from "./search.ts";
import { FirstComeChooser } from "./strategy.ts";
import { firstCome } from "./testing/executions.ts";

const nothing = (): void => undefined;

describe("livelocks", () => {
  const endless: [string, (world: World) => unknown, string][] = [
    [
      "microtasks",
      (world) =>
        world.events("u", [
          [
            "x",
            async () => {
              for (;;) await null;
            },
          ],
        ]),
      "the drain of u:x#1",
    ],
    [
      "queueMicrotask",
      (world) =>
        world.events("u", [
          [
            "x",
            () => {
              const again = (): void => queueMicrotask(again);
              again();
            },
          ],
        ]),
      "the drain of u:x#1",
    ],
    [
      "nextTick",
      (world) =>
        world.events("u", [
          [
            "x",
            () => {
              const again = (): void => process.nextTick(again);
              again();
            },
          ],
        ]),
      "the drain of u:x#1",
    ],
    [
      "a frozen clock",
      (world) =>
        world.actor("a", () => {
          const until = Date.now() + 5;
          while (Date.now() < until);
        }),
      "the drain of a:start#1",
    ],
    [
      "a frozen clock in a timer",
      () =>
        setTimeout(() => {
          const until = performance.now() + 5;
          while (performance.now() < until);
        }, 3),
      "the drain of main:timer 3#1",
    ],
    [
      "microtasks of the body",
      () => {
        const again = (): void => void Promise.resolve().then(again);
        again();
      },
      "the scenario's body",
    ],
    [
      "a spin without anything",
      (world) =>
        world.events("u", [
          [
            "x",
            () => {
              for (;;);
            },
          ],
        ]),
      "the drain of u:x#1",
    ],
  ];
  test.each(endless)(
    "Runner.run() ends %s as a livelock, and the process is healthy afterwards",
    async (_, body, where) => {
      const { violation } = await firstCome(scenario("endless", body));
      expect(violation?.kind).toBe("livelock");
      expect(violation?.name).toBe(where);
      const result = await search(
        scenario("fine", (world) => [world.delay("x"), world.delay("y"), setTimeout(nothing, 9)]),
        { executions: 200 },
      );
      expect(result).toMatchObject({ outcome: "held", certificate: { classes: 6 } });
      await new Promise((resolve) => setTimeout(resolve, 1));
      await new Promise<void>((resolve) => process.nextTick(() => queueMicrotask(resolve)));
    },
  );

  test("search() finds a livelock that needs another order, and tells it once", async () => {
    const racy = scenario("racy", (world) => {
      let closed = false;
      world.events("u", [
        [
          "open",
          async () => {
            while (closed) await null;
          },
        ],
        ["other", nothing],
      ]);
      world.events("v", [["close", () => (closed = true)]]);
    });
    const result = await search(racy, { executions: 100, strategy: "depth-first" });
    expect(result).toMatchObject({
      outcome: "violated",
      executions: 3,
      violation: { kind: "livelock", name: "the drain of u:open#1", at: "u:open#1" },
    });
    expect(result.outcome === "violated" && result.execution.steps.map(({ name }) => name)).toEqual([
      "v:close#1",
      "u:open#1",
    ]);
  });

  test("Runner.run() calls an execution that is merely slow no livelock", async () => {
    const spin = performance.now.bind(performance);
    const slow = scenario("slow", (world) => {
      world.events("u", [
        [
          "slow",
          () => {
            const until = spin() + 400;
            while (spin() < until);
          },
        ],
        ["next", nothing],
      ]);
      world.always("the choice", () => world.nowMs === 0);
      world.sometimes("seen", () => true);
    });
    const result = await search(slow, { executions: 2, strategy: "random" });
    expect(result).toMatchObject({ outcome: "held", executions: 2, reached: { goals: { seen: 2 } } });
  });

  test("search() keeps a certificate complete when executions are cut off by the watchdog", async () => {
    const spin = performance.now.bind(performance);
    let runs = 0;
    const stalling = scenario("stalling", (world) => {
      // The third order begins with x, and has another choice behind it.
      const stalls = ++runs === 5;
      for (const label of ["w", "x", "y"]) {
        void world.delay(label).then(() => {
          const until = spin() + (stalls && label === "x" ? 300 : 0);
          while (spin() < until);
        });
      }
      world.choose("data", [1, 2]);
    });
    const result = await search(stalling, { executions: 100, strategy: "depth-first" });
    expect(result).toMatchObject({ outcome: "held", executions: 12, certificate: { classes: 12 } });
  });
});

describe("withRunner()", () => {
  test("withRunner() refuses an exploration inside of an execution", async () => {
    const inner = scenario("inner", nothing);
    const seen: unknown[] = [];
    const outer = scenario("outer", (world) => {
      world.actor("a", () => search(inner).catch((error: unknown) => seen.push(error)));
    });
    expect((await firstCome(outer)).violation).toBeNull();
    expect(seen[0]).toBeInstanceOf(ScenarioError);
    expect(String(seen[0])).toContain('Cannot explore "inner" inside an execution: explore it outside of the scenario');
    await expect(search(scenario("outer", (world) => world.actor("a", () => search(inner))))).rejects.toThrow(
      ScenarioError,
    );
    expect((await search(inner, { executions: 2 })).outcome).toBe("held");
  });

  test("withRunner() lets explorations that start together wait for each other", async () => {
    const log: string[] = [];
    const named = (name: string): Promise<unknown> =>
      search(
        scenario(name, (world) => [log.push(name), world.delay("x"), world.delay("y")]),
        {
          executions: 5_000,
          strategy: "random",
        },
      );
    await Promise.all([named("a"), named("b"), named("c")]);
    const changes = log.filter((name, index) => name !== log[index - 1]);
    expect(changes).toEqual(["a", "b", "c"]);
    expect(log.length).toBeGreaterThan(15_000);
  });

  test("withRunner() goes on after an exploration that was refused or failed", async () => {
    const { settings } = planOf(scenario("x", nothing));
    const failing = withRunner(scenario("x", nothing), settings, () => Promise.reject(new Error("mine")));
    const wrong = search(scenario("wrong", (world) => world.actor("", nothing)));
    const fine = search(scenario("fine", nothing), { executions: 1 });
    await expect(failing).rejects.toThrow("mine");
    await expect(wrong).rejects.toThrow(ScenarioError);
    expect((await fine).outcome).toBe("held");
  });

  test("withRunner() refuses the world of an execution that has ended", async () => {
    let kept: World | undefined;
    await firstCome(scenario("keeping", (world) => (kept = world)));
    const uses: (() => unknown)[] = [
      () => kept?.delay("x"),
      () => kept?.io("x", nothing),
      () => kept?.actor("x", nothing),
      () => kept?.events("x", []),
      () => kept?.choose("x", [1]),
      () => kept?.note("x"),
      () => kept?.always("x", () => true),
      () => kept?.sometimes("x", () => true),
      () => kept?.atQuiescence("x", () => true),
      () => kept?.settles("x", Promise.resolve()),
    ];
    for (const use of uses) {
      expect(use).toThrow(ScenarioError);
      expect(use).toThrow("its execution has ended");
    }
  });

  test("Runner.run() gives stacks of user code only when asked", async () => {
    const source = "(function act() { throw new Error('boom'); })";
    const act: () => unknown = new Script(source, { filename: "/elsewhere/app/user.js" }).runInThisContext();
    const failing = scenario("failing", (world) => world.events("u", [["x", act]]));
    const stacks = await withRunner(failing, planOf(failing).settings, async (runner) => [
      (await runner.run(new FirstComeChooser(false))).violation?.stack,
      (await runner.run(new FirstComeChooser(false), { stacks: true })).violation?.stack,
    ]);
    expect(stacks[0]).toBeUndefined();
    expect(stacks[1]).toMatch(/^at (Object\.)?act \(elsewhere\/app\/user\.js:1:\d+\)$/m);
    expect(stacks[1]).not.toContain("native/engine");
  });
});
