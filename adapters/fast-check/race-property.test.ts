import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { explore } from "../../repro/explore.ts";
import { replay } from "../../repro/replay.ts";
import { type Scenario, ScenarioError, scenario, type World } from "../../sim/scenario.ts";
import { type RacePropertyOptions, raceProperty } from "./race-property.ts";
import { RacePropertyError } from "./race-property-error.ts";

/** Large amounts are read, saved and written; what is paid in meanwhile is lost. */
function account(world: World, amounts: readonly number[]): void {
  let balance = 0;
  const deposit = async (amount: number, nth: number): Promise<void> => {
    const read = balance;
    if (amount >= 10) await world.io(`db:save ${nth}`, () => undefined);
    balance = read + amount;
  };
  world.events(
    "user",
    amounts.map((amount, nth) => [`deposit ${nth}`, () => void deposit(amount, nth)] as const),
  );
  const sum = amounts.reduce((one, other) => one + other, 0);
  world.atQuiescence("every deposit counts", () => balance === sum || `${balance} of ${sum}`);
}

const amounts = fc.array(fc.nat({ max: 100 }), { maxLength: 8 });
const faulty = () => raceProperty(amounts, account, { name: "account" });

function errorOf({ errorInstance }: { readonly errorInstance: unknown }): RacePropertyError {
  if (errorInstance instanceof RacePropertyError) return errorInstance;
  throw new Error(`Expected a RacePropertyError, found ${String(errorInstance)}`);
}

function reproOf(details: { readonly errorInstance: unknown }) {
  const { result } = errorOf(details);
  if (result.outcome !== "violated") throw new Error(`Expected a violation, found ${result.outcome}`);
  return result.repro;
}

describe("raceProperty() on a planted defect", () => {
  test.each([1, 2, 3])("shrinks the value and the schedule to their minimum, from seed %i", async (seed) => {
    const property = faulty();
    const details = await fc.check(property, { seed });
    expect(details.counterexample).toEqual([[10, 1]]);
    const repro = reproOf(details);
    expect(repro.orderings).toEqual([{ first: "user:deposit 1#1", then: "db:save 0#1" }]);
    expect(repro.criticalPair).toEqual(["user:deposit 1#1", "db:save 0#1"]);
    expect(repro).toMatchObject({ scenario: "account", verdict: "bug", script: [[10, 1]] });
    expect(await replay(property.scenario, repro)).toMatchObject({ outcome: "violated", unmet: [] });
  });

  test("is minimal: every smaller list holds under every order", async () => {
    for (const smaller of [[], [9], [10], [1], [9, 1], [10, 0], [1, 10]]) {
      const subject = scenario("smaller", (world) => account(world, smaller));
      const result = await explore(subject, { strategy: "depth-first" });
      expect(result.outcome === "held" && result.certificate !== null, String(smaller)).toBe(true);
    }
  });

  test("reports the value, the orderings, the swap, and fast-check's seed and path", async () => {
    const failure: unknown = await fc.assert(faulty(), { seed: 1 }).catch((error: unknown) => error);
    if (!(failure instanceof Error)) throw new Error("Expected an error");
    expect(failure.message).toMatch(/\{ seed: 1, path: "[\d:]+", endOnFailure: true \}\nCounterexample: \[\[10,1\]\]/);
    const { message } = errorOf({ errorInstance: failure.cause });
    expect(message).toContain("  with [10,1]\n  every deposit counts (quiescence): 10 of 11");
    expect(message).toContain('1. "deposit 1" (user) came before "save 0" (db).');
    expect(message).toContain('fails when "deposit 1" (user) comes before "save 0" (db), and holds when');
    expect(message).not.toContain("The script");
  });

  test("gives equal bytes from equal seeds, by path as well, and whatever the property has run before", async () => {
    const used = faulty();
    await fc.check(used, { seed: 99 });
    for (const seed of [1]) {
      const details = await fc.check(faulty(), { seed });
      const again = await fc.check(used, { seed });
      const path = details.counterexamplePath ?? "";
      const byPath = await fc.check(faulty(), { seed, path, endOnFailure: true });
      const { message } = errorOf(details);
      expect(fc.defaultReportMessage(again)).toBe(fc.defaultReportMessage(details));
      for (const other of [again, byPath]) {
        expect(errorOf(other).message).toBe(message);
        expect(reproOf(other)).toEqual(reproOf(details));
      }
      expect(byPath.numRuns).toBe(1);
    }
    expect(reproOf(await fc.check(faulty(), { seed: 1 })).foundBy.seed).not.toBe(
      reproOf(await fc.check(faulty(), { seed: 2 })).foundBy.seed,
    );
  });
});

/** Fails where an abort comes between two given pieces of many, whatever the value: that is traffic beside it. */
function window(world: World, value: number): void {
  let pieces = 0;
  let torn = false;
  world.actor("stream", async () => {
    for (; pieces < 25; pieces++) await world.io("stream:piece", () => undefined);
  });
  world.actor("client", async () => {
    for (let nth = 0; nth < value; nth++) await world.io("client:request", () => undefined);
  });
  world.actor("user", async () => {
    await world.io("user:abort", () => undefined);
    torn = pieces === 17;
  });
  world.always("not torn", () => !torn);
}

test("a shrunk value is tried first under the orderings of the one that it was shrunk from", async () => {
  const options: RacePropertyOptions = { executions: 3, strategy: "urw", name: "window" };
  const details = await fc.check(raceProperty(fc.integer({ min: 0, max: 30 }), window, options), { seed: 6 });
  // A search of three executions finds it now and then, and under another value another one would have to find it again.
  expect(details.numRuns).toBeGreaterThan(3);
  expect(details.counterexample).toEqual([0]);
  expect(reproOf(details).orderings.length).toBeLessThanOrEqual(2);
});

test("a list of arbitraries gives as many values", async () => {
  const property = raceProperty([fc.nat(9), fc.constantFrom("a", "b")], (world, count, letter) => {
    expect([typeof count, typeof letter]).toEqual(["number", "string"]);
    world.events("user", [["go", () => undefined]]);
    world.atQuiescence("few", () => count < 4 || letter === "a");
  });
  const details = await fc.check(property, { seed: 1 });
  expect(details.counterexample).toEqual([4, "b"]);
  expect(reproOf(details).script).toEqual([4, "b"]);
  expect(reproOf(details).orderings).toEqual([]);
});

describe("values", () => {
  test("every execution has a copy of its own, so a body may change it", async () => {
    const lists: (readonly number[])[] = [];
    const property = raceProperty(fc.array(fc.nat(), { minLength: 2, maxLength: 4 }), (world, list) => {
      lists.push([...list]);
      list.reverse();
      list.push(0);
      world.events("user", [["pop", () => list.pop()]]);
    });
    await fc.assert(property, { seed: 1, numRuns: 5 });
    const different = new Set(lists.map((list) => list.join()));
    expect(different.size).toBeLessThanOrEqual(5);
    expect(lists.length).toBeGreaterThan(different.size);
  });

  test("one that is no JSON stays out of the repro, and replaying it says what to do", async () => {
    const property = raceProperty(fc.bigInt({ min: 0n, max: 50n }), (world, value) => {
      world.atQuiescence("small", () => value < 7n);
    });
    const details = await fc.check(property, { seed: 1 });
    expect(details.counterexample).toEqual([7n]);
    expect(errorOf(details).message).toContain("  with 7n\n");
    expect(reproOf(details).script).toEqual([]);
    await expect(replay(property.scenario, reproOf(details))).rejects.toThrow("replayed by fast-check's seed and path");
  });
});

describe("preconditions", () => {
  const odd = (body: (world: World, value: number) => unknown) => raceProperty(fc.nat(100), body);

  test("fc.pre() in the body turns a value away, and a failing one is shrunk among the rest", async () => {
    const property = odd((world, value) => {
      fc.pre(value % 2 === 1);
      world.atQuiescence("small", () => value < 20);
    });
    const details = await fc.check(property, { seed: 1 });
    // The next smaller ones that shrinking comes to are even.
    expect(details.counterexample).toEqual([25]);
    expect(details.numSkips).toBeGreaterThan(0);
  });

  test.each<[string, (world: World, value: number) => unknown]>([
    ["an async body", async (_, value) => fc.pre(value % 2 === 1)],
    ["an actor", (world, value) => world.actor("a", async () => fc.pre((await world.io("a", () => value)) % 2 === 1))],
    ["an event", (world, value) => world.events("user", [["go", () => fc.pre(value % 2 === 1)]])],
  ])("fc.pre() in %s turns a value away", async (_, body) => {
    const details = await fc.check(odd(body), { seed: 1, numRuns: 20 });
    expect(details.failed).toBe(false);
    expect(details.numSkips).toBeGreaterThan(5);
  });

  test("too many values turned away are a failure of fast-check's own", async () => {
    const details = await fc.check(
      odd(() => fc.pre(false)),
      { seed: 1, numRuns: 3, maxSkipsPerRun: 2 },
    );
    expect(details).toMatchObject({ failed: true, numSkips: 7, counterexample: null });
  });

  test("an error of the same shape is none", async () => {
    const property = odd((world) => {
      world.actor("a", async () => {
        await world.io("a", () => undefined);
        throw new Error();
      });
    });
    expect(await fc.check(property, { seed: 1 })).toMatchObject({ failed: true, numSkips: 0, counterexample: [0] });
  });
});

describe("fast-check's own options", () => {
  test("examples come first, and shrink", async () => {
    const details = await fc.check(faulty(), { seed: 1, examples: [[[0, 50, 3]]] });
    expect(details.counterexamplePath?.split(":")[0]).toBe("0");
    expect(details.counterexample).toEqual([[10, 1]]);
    const byPath = await fc.check(faulty(), {
      seed: 1,
      examples: [[[0, 50, 3]]],
      path: details.counterexamplePath ?? "",
    });
    expect(errorOf(byPath).message).toBe(errorOf(details).message);
  });

  test("verbose modes list what has failed and what has not", async () => {
    const listed = await fc.assert(faulty(), { seed: 1, verbose: 1 }).catch(String);
    expect(listed).toContain("Encountered failures were:");
    expect(listed).toContain("- [[10,1]]");
    const tree = await fc.assert(faulty(), { seed: 1, verbose: 2 }).catch(String);
    expect(tree).toContain("Execution summary:");
  });

  test("skipEqualValues, unbiased and endOnFailure do what they do elsewhere", async () => {
    const held = raceProperty(fc.boolean(), (world) => world.events("user", [["go", () => undefined]]));
    const skipped = await fc.check(held, { seed: 1, numRuns: 2, skipEqualValues: true, unbiased: true });
    expect(skipped.failed).toBe(false);
    expect(skipped.numSkips + skipped.numRuns).toBeGreaterThanOrEqual(2);
    expect(await fc.check(faulty(), { seed: 1, endOnFailure: true })).toMatchObject({ failed: true, numShrinks: 0 });
  });

  test("includeErrorInReport puts all of it into one text", async () => {
    const text = await fc.assert(faulty(), { seed: 1, includeErrorInReport: true }).catch(String);
    expect(text).toContain("The swap that decides:");
  });

  test("hooks run around every value", async () => {
    let before = 0;
    const property = faulty().beforeEach(() => {
      before++;
    });
    await fc.check(property, { seed: 1, endOnFailure: true });
    expect(before).toBeGreaterThan(0);
  });
});

describe("interrupts", () => {
  const held = (name: string) =>
    raceProperty(amounts, (world) => world.events("user", [["go", () => undefined]]), { name });

  test("interruptAfterTimeLimit ends the run, and nothing stays behind that others wait for", async () => {
    const details = await fc.check(held("long"), { seed: 1, numRuns: 1_000_000, interruptAfterTimeLimit: 60 });
    expect(details).toMatchObject({ failed: false, interrupted: true });
    expect((await explore(held("next").scenario, { script: [[]], executions: 1 })).outcome).toBe("held");
  });

  test("timeout fails a value whose search takes longer, and the search is given up", async () => {
    const holds = raceProperty(fc.nat(), (world) => world.events("user", [["go", () => undefined]]), {
      executions: 1_000_000,
      strategy: "random",
    });
    const details = await fc.check(holds, { seed: 1, timeout: 40, endOnFailure: true });
    expect(String(details.errorInstance)).toContain("exceeded limit of 40 milliseconds");
    const start = performance.now();
    expect((await explore(holds.scenario, { script: [0], executions: 1 })).outcome).toBe("held");
    // A million executions take much longer.
    expect(performance.now() - start).toBeLessThan(3_000);
  });

  test("an aborted signal interrupts", async () => {
    const controller = new AbortController();
    let values = 0;
    const body = (world: World): void => {
      if (++values === 200) controller.abort();
      world.events("user", [["go", () => undefined]]);
    };
    const details = await fc.check(raceProperty(fc.nat(), body, { signal: controller.signal }), { seed: 1 });
    expect(details).toMatchObject({ failed: false, interrupted: true });
  });
});

describe("what a body does wrong", () => {
  test("one that throws at once fails by name, at the smallest value", async () => {
    const property = raceProperty(fc.nat(100), (_, value) => {
      if (value > 5) throw new TypeError("too much");
    });
    const details = await fc.check(property, { seed: 1 });
    expect(details.counterexample).toEqual([6]);
    expect(errorOf(details).message).toContain("too much");
  });

  test("one that is built wrongly is told as that", async () => {
    const details = await fc.check(
      raceProperty(fc.nat(100), (world) => world.events("a:b", [])),
      { seed: 1, numRuns: 1 },
    );
    expect(details.errorInstance).toBeInstanceOf(ScenarioError);
  });

  test("one that leaks fails as leaked", async () => {
    const property = raceProperty(fc.nat(100), (world) => {
      world.actor("a", () => import("node:fs/promises").then(({ stat }) => stat(".")));
    });
    const { result, message } = errorOf(await fc.check(property, { seed: 1, endOnFailure: true }));
    expect(result.outcome).toBe("leaked");
    expect(message).toContain("leaked");
  });

  test("no arbitrary and no body are refused", () => {
    const none: readonly fc.Arbitrary<unknown>[] = [];
    expect(() => Reflect.apply(raceProperty, undefined, [none, () => undefined])).toThrow(ScenarioError);
    expect(() => Reflect.apply(raceProperty, undefined, [fc.nat()])).toThrow("expected a body");
  });
});

test("what needs level jitter is found there, with its tick, and the value is small", async () => {
  const property = raceProperty(
    fc.nat(50),
    (world, value) => {
      let open = false;
      world.actor("a", async () => {
        await world.io("a:answer", () => undefined);
        open = true;
        await Promise.resolve();
        await Promise.resolve();
        open = false;
      });
      let seen = false;
      world.events("user", [
        [
          "look",
          () => {
            seen = open && value > 8;
          },
        ],
      ]);
      world.atQuiescence("never seen open", () => !seen);
    },
    { level: "jitter" },
  );
  const details = await fc.check(property, { seed: 1 });
  expect(details.counterexample).toEqual([9]);
  expect(reproOf(details)).toMatchObject({ level: "jitter", verdict: "fragile", script: [9] });
  expect((await replay(property.scenario, reproOf(details))).outcome).toBe("violated");
});

describe("independence", () => {
  const labels = ["a", "b", "c", "d"];
  const drawn = fc.noBias(fc.tuple(...[3, 2, 1].map((max) => fc.integer({ min: 0, max }))));

  test("no choice of a schedule repeats what a value was made of", async () => {
    const orders = new Map<string, string[]>();
    let executions = 0;
    let repeated = 0;
    const property = raceProperty(
      fc.tuple(drawn, fc.noBias(fc.nat())),
      (world, [choices, id]) => {
        const seen: string[] = [];
        const all = orders.get(String(id)) ?? [];
        orders.set(String(id), all);
        for (const label of labels) void world.io(label, () => seen.push(label));
        world.atQuiescence("counted", () => {
          all.push(seen.join(""));
          // Two first-come runs come first, then the one that is drawn.
          if (all.length !== 3) return true;
          executions++;
          if (placesOf(seen).join() === choices.join()) repeated++;
          return true;
        });
      },
      { executions: 1, strategy: "random" },
    );
    await fc.assert(property, { seed: 1, numRuns: 400 });
    expect(executions).toBeGreaterThan(390);
    // One in 24, by chance.
    expect(Math.abs(repeated - executions / 24)).toBeLessThan(16);
  });

  function placesOf(order: readonly string[]): number[] {
    return [0, 1, 2].map((step) =>
      labels.filter((label) => !order.slice(0, step).includes(label)).indexOf(order[step] ?? ""),
    );
  }
});

test("the property's scenario is one that explore() takes, with a value as its script", async () => {
  const subject: Scenario = faulty().scenario;
  const result = await explore(subject, { script: [[50, 50]] });
  expect(result.outcome).toBe("violated");
  await expect(explore(subject, { script: [] })).rejects.toThrow("expected a script of 1 value");
});
