import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { planOf } from "./bounds.ts";
import { PlaybackChooser } from "./playback.ts";
import { streamSeed } from "./random.ts";
import type { StrategyName } from "./result.ts";
import { withRunner } from "./runner.ts";
import { type Scenario, scenario, type World } from "./scenario.ts";
import { type SearchResult, search } from "./search.ts";
import { RandomWalk } from "./strategies/random.ts";
import { firstCome } from "./testing/executions.ts";

const nothing = (): void => undefined;
const strategies: readonly StrategyName[] = ["portfolio", "first-come", "placement", "random", "depth-first"];

/** Eight delays side by side: more orders than any budget here. */
const wide = (extra: (world: World) => unknown = nothing): Scenario =>
  scenario("wide", (world) => {
    extra(world);
    for (const label of ["a", "b", "c", "d", "e", "f", "g", "h"]) void world.delay(label);
  });

/** The update that is lost when two flows read before either writes. */
const lostUpdate = scenario("a lost update", (world) => {
  let stored = 0;
  for (const name of ["one", "two"]) {
    world.actor(name, async () => {
      const seen = await world.io("read", () => stored);
      await world.io("write", () => (stored = seen + 1));
    });
  }
  world.atQuiescence("both updates are kept", () => stored === 2 || `stored ${stored}`);
});

describe("search() budgets", () => {
  test.each([1, 2, 7, 99, 500])("search() runs exactly %i executions where there are more", async (executions) => {
    for (const strategy of ["placement", "random", "depth-first", "portfolio"] as const) {
      let runs = 0;
      const result = await search(
        wide(() => runs++),
        { strategy, executions },
      );
      expect([strategy, result.outcome, result.executions]).toEqual([strategy, "held", executions]);
      // The first-come schedule runs twice before, and one execution in 256 is checked. More only where the machine stalls.
      expect(runs).toBeGreaterThanOrEqual(executions + 2 + Math.floor(executions / 256));
    }
  });

  test("search() runs the first-come schedule once for the strategy of that name", async () => {
    const result = await search(wide(), { strategy: "first-come", executions: 50 });
    expect(result).toMatchObject({ outcome: "held", executions: 1, certificate: null, estimate: null });
  });

  test("search() counts up to the failing execution", async () => {
    let runs = 0;
    const fails = scenario("fails at the fifth", (world) => {
      runs++;
      const order: string[] = [];
      for (const label of ["a", "b", "c"]) void world.delay(label).then(() => order.push(label));
      world.always("not c, a, b", () => order.join("") !== "cab");
    });
    const result = await search(fails, { strategy: "depth-first" });
    expect(result).toMatchObject({ outcome: "violated", executions: 5, violation: { at: "main:b#1" } });
    expect(runs).toBeGreaterThanOrEqual(2 + 5 + 1);
  });

  test("search() reports a violation without any reordering as execution 1", async () => {
    for (const strategy of strategies) {
      const result = await search(
        scenario("wrong", (world) => world.always("no", () => false)),
        { strategy },
      );
      expect(result).toMatchObject({
        outcome: "violated",
        executions: 1,
        strategy: "first-come",
        execution: { steps: [] },
      });
    }
  });

  test("search() stops when its time is over", async () => {
    // Nothing but the time ends a billion executions.
    const result = await search(wide(), { strategy: "random", executions: 1_000_000_000, timeMs: 1_000 });
    expect(result).toMatchObject({ outcome: "held", certificate: null, ended: "stopped" });
    expect(result.executions).toBeGreaterThan(0);
  });

  test("search() stops when its signal aborts, before or while it runs", async () => {
    const endless = { strategy: "random", executions: 1_000_000_000 } as const;
    const aborted = await search(wide(), { ...endless, signal: AbortSignal.abort() });
    expect(aborted).toMatchObject({ outcome: "held", executions: 0, certificate: null });
    const controller = new AbortController();
    const { abort } = controller;
    let runs = 0;
    const counted = scenario("counted", () => {
      if (++runs === 100) Reflect.apply(abort, controller, []);
    });
    const result = await search(counted, { ...endless, signal: controller.signal });
    expect(result.outcome).toBe("held");
    expect(result.executions).toBeGreaterThan(0);
  });
});

describe("search() determinism", () => {
  test("search() gives results that serialise to equal JSON", async () => {
    const bodies = [
      lostUpdate,
      wide((world) => world.sometimes("goal", () => world.random() < 0.1)),
      scenario("timed", (world) => {
        world.actor("a", () => Promise.race([world.delay("x"), new Promise((resolve) => setTimeout(resolve, 5))]));
        world.events("u", [["go", () => world.note("drawn", Math.random())]]);
      }),
    ];
    for (const body of bodies) {
      for (const strategy of strategies) {
        for (const level of ["spec", "jitter"] as const) {
          const once = JSON.stringify(await search(body, { strategy, level, executions: 100 }));
          expect(JSON.stringify(await search(body, { strategy, level, executions: 100 }))).toBe(once);
        }
      }
    }
  });

  /** Runs random walks and returns what each did, in order. */
  const walks = async (extra: (world: World) => unknown, seed: string): Promise<string[]> => {
    const traces: string[] = [];
    const recording = wide((world) => {
      const order: string[] = [];
      extra(world);
      for (const label of ["x", "y", "z"]) void world.delay(label).then(() => order.push(label));
      world.atQuiescence("recorded", () => traces.push(order.join("")) > 0);
    });
    await search(recording, { strategy: "random", executions: 200, seed });
    return traces;
  };

  test("search() draws the schedule from the seed, whatever the scenario draws", async () => {
    const plain = await walks(nothing, "seed");
    expect(new Set(plain).size).toBe(6);
    expect(await walks(nothing, "seed")).toEqual(plain);
    expect(await walks(nothing, "another")).not.toEqual(plain);
    const drawing = (world: World): void => {
      for (let draw = 0; draw < 10; draw++) world.random();
      Math.random();
    };
    expect(await walks(drawing, "seed")).toEqual(plain);
  });

  test("search() gives each execution random numbers of its own, equal on every run", async () => {
    const draw = async (): Promise<string[]> => {
      const drawn: string[] = [];
      await search(
        wide((world) => drawn.push(`${world.random()} ${Math.random()}`)),
        { strategy: "random", executions: 50 },
      );
      return drawn;
    };
    const first = await draw();
    expect(await draw()).toEqual(first);
    expect(new Set(first).size).toBe(50);
    for (const pair of first) expect(new Set(pair.split(" ")).size).toBe(2);
  });

  test("search() tells the failing execution with the random numbers it failed with", async () => {
    const lucky = scenario("lucky", (world) => {
      void world.delay("a");
      void world.delay("b");
      const drawn = Math.random();
      world.note("drawn", drawn);
      world.always("not above 0.95", () => drawn < 0.95 || `${drawn}`);
    });
    const result = await search(lucky, { strategy: "random", seed: "lucky", executions: 500 });
    expect(result.outcome).toBe("violated");
    expect(result.executions).toBeGreaterThan(1);
  });

  test("playing back the choices of a random walk gives the same execution", async () => {
    const body = scenario("mixed", (world) => {
      world.actor("a", async () => {
        await world.io("x", nothing, { mayHang: true });
        setTimeout(nothing, world.choose("ms", [1, 2, 3]));
      });
      world.events("u", [
        ["go", async () => void (await world.delay("y"))],
        ["end", nothing],
      ]);
    });
    for (const level of ["spec", "jitter"] as const) {
      const { settings } = planOf(body, { level, jitterTicks: 3, strategy: "random" });
      await withRunner(body, settings, async (runner) => {
        const walk = new RandomWalk(streamSeed("seed", "schedule"), level);
        for (let index = 0; index < 50; index++) {
          const told = await runner.run(walk.next(index));
          const played = await runner.run(new PlaybackChooser([...runner.engine.tracer.choices]));
          if (told.violation?.kind !== "stuck") expect(told.violation).toBeNull();
          expect(played).toEqual(told);
        }
      });
    }
  });

  const state = { runs: 0 };
  test.each<[string, (world: World, run: number) => unknown, RegExp]>([
    [
      "a label",
      (world, run) => world.actor("a", () => world.delay(run % 2 === 0 ? "even" : "odd")),
      /differ at step 2: first a:odd#1 of 1 possible, then a:even#1 of 1 possible/,
    ],
    [
      "a delivery more",
      (world, run) => run % 2 === 0 && world.delay("more"),
      /differ at step 1: first nothing, then main:more#1/,
    ],
    [
      "what else is possible",
      (world, run) => [world.delay("x"), run % 2 === 0 && world.actor("a", nothing)],
      /differ at step 1: first main:x#1 of 1 possible, then main:x#1 of 2/,
    ],
    [
      "a note",
      (world, run) => world.actor("a", () => world.note("run", run)),
      /differ at step 1: first a:start#1 of 1 possible noting run 1, then .* noting run 2/,
    ],
    [
      "the outcome",
      (world, run) => world.always("odd", () => run % 2 === 1),
      /ended differently: held, then violated "odd"/,
    ],
  ])("search() tells that a scenario is not deterministic in %s", async (_, body, detail) => {
    state.runs = 0;
    const wandering = scenario("wandering", (world) => void body(world, ++state.runs));
    const result = await search(wandering, { executions: 10 });
    expect(result.outcome).toBe("diverged");
    expect(result.outcome === "diverged" && result.detail).toMatch(detail);
  });

  test("search() checks an execution every now and then while it searches", async () => {
    state.runs = 0;
    const late = wide((world) => ++state.runs > 100 && state.runs % 2 === 0 && world.delay("sometimes"));
    const result = await search(late, { strategy: "random", executions: 2_000 });
    expect(result.outcome).toBe("diverged");
    expect(result.executions).toBe(256);
    expect(result.outcome === "diverged" && result.detail).toMatch(/two runs with equal choices differ at step \d+/);
  });

  test("search() tells that a violation did not come back", async () => {
    state.runs = 0;
    const counting = scenario("once", (world) => {
      state.runs++;
      void world.delay("x");
      void world.delay("y");
      world.always("only once", () => state.runs !== 20);
    });
    const result = await search(counting, { strategy: "random", executions: 100 });
    expect(result).toMatchObject({
      outcome: "diverged",
      detail: "a violation was seen once and did not come back with the same choices",
    });
  });
});

describe("search() options", () => {
  test("search() gives the body its script, and draws from the seed it was given", async () => {
    const seen: unknown[] = [];
    const parse = (json: unknown): readonly unknown[] => (Array.isArray(json) ? json.map(Number) : []);
    const scripted = scenario("scripted", { script: { parse } }, (_, script) => seen.push(script));
    const result = await search(scripted, { script: ["1", 2], seed: "mine", executions: 1 });
    expect(result).toMatchObject({ outcome: "held", seed: "mine" });
    expect(new Set(seen.map((script) => JSON.stringify(script)))).toEqual(new Set(["[1,2]"]));
    seen.length = 0;
    await search(scripted, { executions: 1 });
    expect(seen[0]).toEqual([]);
  });

  test("search() says within which bounds a certificate holds", async () => {
    const small = scenario("small", (world) => world.events("u", [["x", async () => null]]));
    const options = { strategy: "depth-first", stepLimit: 9, overtakes: 3 } as const;
    expect(await search(small, { ...options, level: "jitter" })).toMatchObject({
      certificate: { level: "jitter", bounds: { stepLimit: 9, overtakes: 3, deliveries: 1 }, blocked: 0 },
    });
  });

  test("search() tells names that a key would make stable", async () => {
    const twins = scenario("twins", (world) => [world.delay("x"), world.delay("x"), world.delay("y", { key: "1" })]);
    for (const strategy of strategies) {
      expect(await search(twins, { strategy, executions: 20 })).toMatchObject({ ambiguous: ["main:x"] });
    }
  });
});

describe("search() goals", () => {
  const goals = (result: SearchResult): unknown => ("reached" in result ? result.reached : result);
  const withGoals = wide((world) => {
    let last = "";
    void world.delay("x").then(() => (last = "x"));
    void world.delay("y").then(() => (last = "y"));
    world.sometimes("always reached", () => true);
    world.sometimes("always reached", () => true);
    world.sometimes("x was last", () => last === "x");
    world.sometimes("never", () => false);
    world.sometimes("throws", () => {
      throw new Error("no");
    });
  });

  test("search() judges what is missing only from 100 executions on", async () => {
    for (const [executions, missing] of [
      [99, []],
      [100, ["never", "throws"]],
    ] as const) {
      const result = await search(withGoals, { strategy: "random", executions });
      expect(goals(result)).toMatchObject({ goals: { "always reached": executions, never: 0, throws: 0 }, missing });
    }
  });

  test("search() judges what is missing with a certificate", async () => {
    const small = scenario("small", (world) => {
      void world.delay("x");
      world.sometimes("reached", () => true);
      world.sometimes("never", () => false);
    });
    const result = await search(small, { strategy: "depth-first" });
    expect(result).toMatchObject({ executions: 1, certificate: { classes: 1 } });
    expect(goals(result)).toEqual({ goals: { reached: 1, never: 0 }, missing: ["never"] });
    expect(goals(await search(small, { strategy: "first-come" }))).toEqual({
      goals: { reached: 1, never: 0 },
      missing: [],
    });
  });

  test("search() never calls a goal missing where something is violated", async () => {
    const result = await search(
      scenario("wrong", (world) => {
        world.sometimes("never", () => false);
        world.always("no", () => false);
      }),
    );
    expect(goals(result)).toEqual({ goals: { never: 0 }, missing: [] });
  });
});

describe("search() finds", () => {
  test.each(["portfolio", "placement", "random", "depth-first"] as const)("a lost update by %s", async (strategy) => {
    const result = await search(lostUpdate, { strategy, executions: 200 });
    expect(result).toMatchObject({
      outcome: "violated",
      level: "spec",
      violation: { kind: "quiescence", name: "both updates are kept", detail: "stored 1" },
    });
    expect((await firstCome(lostUpdate)).violation).toBeNull();
  });

  test("what needs one actor to wait through a long chain, by placement", async () => {
    const chain = scenario("a long chain", (world) => {
      let phase = 0;
      world.actor("slow", async () => {
        for (; phase < 12; phase++) await world.delay("phase");
      });
      world.events("user", [
        [
          "stop",
          () => {
            if (phase === 11) throw new Error("stopped in phase 11");
          },
        ],
      ]);
    });
    for (const strategy of ["placement", "portfolio"] as const) {
      expect(await search(chain, { strategy, executions: 100 })).toMatchObject({ outcome: "violated" });
    }
  });

  test("what needs a fault, a hang or data", async () => {
    const faulty = scenario("faulty", (world) => {
      const size = world.choose("size", [1, 2, 3]);
      world.actor("a", async () => {
        const ok = await world.io("x", () => true, { mayFail: true }).catch(() => false);
        if (!ok && size === 3) throw new Error("size 3 does not survive a failure");
      });
    });
    for (const strategy of ["portfolio", "random", "depth-first"] as const) {
      expect(await search(faulty, { strategy, executions: 100 })).toMatchObject({
        outcome: "violated",
        execution: { data: [2] },
      });
    }
    const hanging = scenario("hanging", (world) => world.actor("a", () => world.io("x", nothing, { mayHang: true })));
    expect(await search(hanging, { strategy: "depth-first" })).toMatchObject({
      outcome: "violated",
      violation: { kind: "stuck" },
    });
  });

  test("an estimate that is near the number of orders", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.integer({ min: 1, max: 3 }), { minLength: 1, maxLength: 3 }), async (lengths) => {
        const chains = scenario("chains", (world) => {
          lengths.forEach((length, index) => {
            world.events(
              `s${index}`,
              Array.from({ length }, (_, at) => [`e${at}`, nothing] as const),
            );
          });
        });
        const all = await search(chains, { strategy: "depth-first", executions: 5_000 });
        const some = await search(chains, { strategy: "random", executions: 600 });
        if (all.outcome !== "held" || some.outcome !== "held") throw new Error("expected both to hold");
        const orders = all.certificate?.classes ?? 0;
        const { classes, relativeError } = some.estimate ?? { classes: 0, relativeError: 0 };
        expect(Math.abs(classes - orders) / orders).toBeLessThanOrEqual(5 * relativeError + 0.01);
      }),
      { numRuns: 12, seed: 5 },
    );
  });
});

test("search() calls state that outlives an execution a divergence, and no bug", async () => {
  let shared = 0;
  const counts = scenario("counts outside of its body", (world) => {
    world.events("user", [
      ["one", () => shared++],
      ["two", () => shared++],
    ]);
    world.atQuiescence("few", () => shared < 7 || `shared ${shared}`);
  });
  const result = await search(counts, { strategy: "random", executions: 50 });
  expect(result).toMatchObject({ outcome: "diverged" });
  expect(result.outcome === "diverged" && result.detail).toContain("outlives an execution: make it inside the body");
});

test("search() certifies a small scenario at level jitter without being told how", async () => {
  const small = scenario("small", (world) => {
    world.events("user", [
      ["one", async () => void (await null)],
      ["two", () => undefined],
    ]);
    world.actor("other", async () => void (await world.delay()));
  });
  const result = await search(small, { level: "jitter" });
  expect(result).toMatchObject({ outcome: "held", certificate: { of: "orders", level: "jitter" } });
});
