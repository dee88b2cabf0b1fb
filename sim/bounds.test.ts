import { expect, test } from "vitest";
import { ExploreOptionsError, planOf } from "./bounds.ts";
import type { ExploreOptions } from "./result.ts";
import { ScenarioError, scenario } from "./scenario.ts";
import { search } from "./search.ts";

const plain = scenario("plain", () => undefined);
/** Options as they come out of a configuration file: nothing has checked their types. */
const untyped = (options: object): ExploreOptions => Object.fromEntries(Object.entries(options));

test.each([
  [{ level: "specs" }, 'expected level to be one of spec, jitter, free, found "specs"'],
  [
    { strategy: "dfs" },
    "expected strategy to be one of portfolio, first-come, placement, starve, random, pct, pos, urw, surw, orderings, delay-bounded, depth-first",
  ],
  [{ strategy: "toString" }, "expected strategy to be one of"],
  [{ engine: "v8" }, "expected engine to be one of native, microtask, auto"],
  [{ engine: "microtask" }, 'on the engine "microtask": expected code that is lowered for the microtask engine'],
  [{ level: "free" }, 'at level "free": expected code that is lowered for the microtask engine'],
  [{ executions: 0 }, "expected executions to be a whole number of at least 1, found 0"],
  [{ executions: -5 }, "found -5"],
  [{ executions: 1.5 }, "found 1.5"],
  [{ executions: Number.NaN }, "found NaN"],
  [{ executions: Number.POSITIVE_INFINITY }, "found Infinity"],
  [{ executions: 2 ** 60 }, "expected executions to be a whole number"],
  [{ executions: "10" }, 'found "10"'],
  [{ executions: 10n }, "found 10n"],
  [{ executions: [10] }, "found a list"],
  [{ timeMs: 0 }, "expected timeMs to be a whole number of at least 1, found 0"],
  [{ timeMs: Number.NaN }, "expected timeMs"],
  [{ stepLimit: 0 }, "expected stepLimit to be a whole number of at least 1, found 0"],
  [{ overtakes: -1 }, "expected overtakes to be a whole number of at least 0, found -1"],
  [{ overtakes: 0.5 }, "expected overtakes"],
  [{ jitterTicks: 0 }, "expected jitterTicks to be a whole number from 1 to 10000, found 0"],
  [{ jitterTicks: 10_001 }, "expected jitterTicks"],
  [{ jitterTicks: "all" }, 'found "all"'],
  [{ seed: 7 }, "expected seed to be a string, found 7"],
  [{ signal: {} }, "expected signal to be an AbortSignal, found an object"],
  [{ signal: "now" }, "expected signal to be an AbortSignal"],
  [{ script: [] }, "expected a scenario with a script schema, found none"],
])("planOf() refuses %o", async (options, message) => {
  expect(() => planOf(plain, untyped(options))).toThrow(ExploreOptionsError);
  expect(() => planOf(plain, untyped(options))).toThrow(message);
  await expect(search(plain, untyped(options))).rejects.toThrow(ExploreOptionsError);
});

test("planOf() refuses what is no scenario", async () => {
  expect(() => planOf({ name: "plain" })).toThrow(ScenarioError);
  await expect(search({ name: "plain" })).rejects.toThrow("expected a scenario made by scenario(name, body)");
});

test("planOf() says why a script does not fit its schema", () => {
  const parse = (json: unknown): readonly unknown[] => {
    if (Array.isArray(json) && json.length === 1) return json;
    throw new Error("expected one command");
  };
  const scripted = scenario("scripted", { script: { parse } }, () => undefined);
  expect(planOf(scripted, { script: ["go"] }).settings.script).toEqual(["go"]);
  expect(() => planOf(scripted, { script: [] })).toThrow(
    'Cannot explore "scripted" with this script: expected one command',
  );
  const wrong = scenario("wrong", { script: { parse: () => JSON.parse("{}") } }, () => undefined);
  expect(() => planOf(wrong, { script: [] })).toThrow("expected its schema to return a list, found an object");
});

test("planOf() takes the step limit of the scenario, and the caller's before it", () => {
  const limited = scenario("limited", { stepLimit: 7 }, () => undefined);
  expect(planOf(limited).settings.stepLimit).toBe(7);
  expect(planOf(limited, { stepLimit: 9 }).settings.stepLimit).toBe(9);
  const wrong = scenario("wrong", { stepLimit: Number.NaN }, () => undefined);
  expect(() => planOf(wrong)).toThrow("expected stepLimit to be a whole number of at least 1, found NaN");
});

test("planOf() takes the scenario's name as the seed", () => {
  expect(planOf(plain).settings).toEqual({
    level: "spec",
    engine: "native",
    script: null,
    seed: "plain",
    stepLimit: 1_000,
    overtakes: 1,
    jitterTicks: null,
  });
});
