/** What holds for every strategy that can be used by name. */
import { describe, expect, test } from "vitest";
import { strategyNames } from "../bounds.ts";
import type { Execution } from "../execution.ts";
import { Coverage } from "../race-coverage.ts";
import { streamSeed } from "../random.ts";
import type { ExploreOptions, Level, StrategyName } from "../result.ts";
import { type Scenario, scenario, type World } from "../scenario.ts";
import { search } from "../search.ts";
import type { Strategy } from "../strategy.ts";
import { namesOf } from "../testing/executions.ts";
import { sampled } from "../testing/sampled.ts";
import { strategyNamed } from "./named.ts";

const nothing = (): void => undefined;
const sampling = ["starve", "random", "pct", "pos", "urw", "surw", "orderings", "delay-bounded"] as const;

function strategyOf(name: StrategyName, seed = "seed", level: Level = "spec"): Strategy {
  const context = { seed: streamSeed(seed, "schedule"), level, jitterTicks: null, executions: 1_000 };
  return strategyNamed(name, { ...context, coverage: new Coverage() });
}

/** Actors, events, timers, choices, faults, and labels of other sources; some deliveries declare what they touch. */
function mixed(before: (world: World) => void = nothing, name = "mixed"): Scenario {
  return scenario(name, (world) => {
    before(world);
    const count = world.choose("count", [1, 2]);
    for (let index = 0; index < count; index++) {
      world.io("net:fetch", nothing, { mayFail: true, mayHang: true, touches: { reads: ["x"] } }).catch(nothing);
    }
    for (const source of ["a", "b"]) {
      world.actor(source, async () => {
        await world.io("write", nothing, { touches: { writes: ["x"] } });
        await null;
        await world.delay("net:ask");
        await world.delay("done");
      });
    }
    world.events("user", [
      ["one", () => setTimeout(nothing, 5)],
      ["two", nothing, { touches: {} }],
    ]);
    setImmediate(nothing);
  });
}

/** Everything of an execution that a strategy has decided. */
function decided({ steps, data, faults }: Execution): string {
  return JSON.stringify([steps.map(({ name, tick }) => `${name}@${tick}`), data, faults]);
}

describe.each(strategyNames.map((name) => [name] as const))("%s", (name) => {
  test.each(["spec", "jitter"] as const)(`${name} is the same for equal seeds, at level %s`, async (level) => {
    const [one, other] = [
      await sampled(mixed(), strategyOf(name, "seed", level), 150, { level }),
      await sampled(mixed(), strategyOf(name, "seed", level), 150, { level }),
    ];
    expect(other.map(decided)).toEqual(one.map(decided));
    expect(one.map(({ violation }) => violation).filter((violation) => violation !== null)).toEqual([]);
  });

  test(`${name} takes the same choices whatever the code under test draws`, async () => {
    const plain = await sampled(mixed(), strategyOf(name), 100);
    const draws = mixed((world) => {
      for (let draw = Math.floor(4 * world.random()); draw >= 0; draw--) Math.random();
    });
    expect((await sampled(draws, strategyOf(name), 100)).map(decided)).toEqual(plain.map(decided));
  });

  test(`${name} gives an execution again after it was cut off`, async () => {
    // Somebody new in many of the first executions: what a strategy knows is not complete soon.
    const guests = Array.from({ length: 16 }, (_, guest) => guest);
    const invite = (world: World): void =>
      world.events(`guest ${world.choose("guest", guests)}`, [
        ["comes", nothing],
        ["goes", nothing],
      ]);
    const plain = await sampled(mixed(invite), strategyOf(name), 120);
    let cut: number | null = null;
    const cutOff = mixed((world) => {
      invite(world);
      let checks = 0;
      world.always("not cut off", () => cut === null || checks++ < cut);
    });
    const strategy = strategyOf(name);
    let executions = 0;
    let twice = 0;
    // Every other execution, the first included, is cut off after a few deliveries, and never told to have ended.
    const interrupted: Strategy = {
      name,
      active: name,
      get detailed() {
        return strategy.detailed;
      },
      exhausted: null,
      estimate: null,
      next() {
        const again = cut !== null;
        cut = !again && executions % 2 === 0 ? 4 + (executions % 7) : null;
        if (again) twice++;
        return again ? strategy.again(executions) : strategy.next(executions);
      },
      again: () => strategy.again(executions),
      ended(end) {
        if (cut !== null) return;
        strategy.ended(end);
        executions++;
      },
    };
    const told = await sampled(cutOff, interrupted, 180);
    const whole = told.filter(({ violation }) => violation === null);
    expect(whole.map(decided)).toEqual(plain.slice(0, whole.length).map(decided));
    if (plain.length > 100) expect(twice).toBeGreaterThan(20);
  });

  test(`${name} lets no timer arrive inside a drain, and nothing later than a drain is long`, async () => {
    const executions = await sampled(mixed(), strategyOf(name, "seed", "jitter"), 300, {
      level: "jitter",
      jitterTicks: 6,
    });
    const late = executions.flatMap(({ faults }) => faults.filter(({ kind }) => kind === "late"));
    expect(late.filter(({ at }) => /:(timer|immediate)/.test(at))).toEqual([]);
    expect(late.filter(({ arg = 0 }) => arg < 1 || arg > 6)).toEqual([]);
    if (name !== "first-come") expect(late.length).toBeGreaterThan(10);
  });

  test.each(Object.entries(hostileWorlds()))(`${name} survives %s`, async (_, [subject, options]) => {
    const found = await search(subject(), { strategy: name, executions: 60, ...options });
    expect(found).toMatchObject({ outcome: "held" });
    const again = await search(subject(), { strategy: name, executions: 60, ...options });
    expect(again).toEqual(found);
  });
});

describe.each(sampling.map((name) => [name] as const))("%s samples", (name) => {
  test(`${name} depends on the seed`, async () => {
    const [one, other] = [
      await sampled(mixed(), strategyOf(name), 60),
      await sampled(mixed(), strategyOf(name, "b"), 60),
    ];
    expect(other.map(decided)).not.toEqual(one.map(decided));
  });

  test(`${name} draws all data and all faults`, async () => {
    const executions = await sampled(mixed(), strategyOf(name), 400);
    expect(new Set(executions.map(({ data }) => data.join()))).toEqual(new Set(["0", "1"]));
    const kinds = executions.flatMap(({ faults }) => faults.map(({ at, kind }) => `${kind} ${at}`));
    expect(new Set(kinds)).toEqual(
      new Set(["fail", "hang"].flatMap((kind) => ["net:fetch#1", "net:fetch#2"].map((at) => `${kind} ${at}`))),
    );
  });

  test(`${name} runs many different orders`, async () => {
    const executions = await sampled(mixed(), strategyOf(name), 300);
    expect(new Set(executions.map((execution) => namesOf(execution).join())).size).toBeGreaterThan(100);
  });
});

/** Scenarios that leave a strategy without a choice, without an order to learn from, or with very many. */
function hostileWorlds(): Record<string, readonly [() => Scenario, ExploreOptions]> {
  return {
    "no delivery": [() => scenario("none", nothing), {}],
    "one delivery": [() => scenario("one", (world) => void world.delay("x")), {}],
    "data and no delivery": [() => scenario("data", (world) => void world.choose("x", [1, 2, 3])), {}],
    "names that appear only in some executions": [
      () =>
        scenario("names", (world) => {
          const which = world.choose("which", [0, 1, 2, 3]);
          world.actor(`actor ${which}`, () => world.delay("x"));
          for (let index = 0; index < which; index++) void world.delay(`of ${which}:y`);
          world.events("user", [["go", () => void world.delay(`late ${which}`)]]);
        }),
      {},
    ],
    "500 deliveries of one chain": [
      () =>
        scenario("chain", (world) => {
          world.actor("a", async () => {
            for (let step = 0; step < 499; step++) await world.delay("step");
          });
        }),
      { executions: 5 },
    ],
    "500 deliveries at once": [
      () =>
        scenario("at once", (world) => {
          for (let index = 0; index < 250; index++)
            world.events(`s${index}`, [
              ["1", nothing],
              ["2", nothing],
            ]);
        }),
      { executions: 2 },
    ],
  };
}
