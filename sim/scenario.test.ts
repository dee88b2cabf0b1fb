import { expect, test } from "vitest";
import { isScenario, ScenarioError, scenario, scenarioParts } from "./scenario.ts";

const body = (): undefined => undefined;
const call = (...args: readonly unknown[]): unknown => Reflect.apply(scenario, undefined, args);

test("scenario() makes an opaque, frozen value that JSON shows as its name", () => {
  const made = scenario("a race", { stepLimit: 5 }, body);
  expect(Object.isFrozen(made)).toBe(true);
  expect(JSON.stringify(made)).toBe('{"name":"a race"}');
  expect(isScenario(made)).toBe(true);
  expect(scenarioParts(made)).toMatchObject({ options: { stepLimit: 5 }, body });
  expect(scenarioParts(scenario("plain", body)).options).toEqual({});
});

test.each([
  [[""]],
  [["  ", body]],
  [[7, body]],
  [[undefined, body]],
  [["x"]],
  [["x", {}]],
  [["x", null, body]],
  [["x", {}, "body"]],
])("scenario() refuses %j", (args) => {
  expect(() => call(...args)).toThrow(ScenarioError);
  expect(() => call(...args)).toThrow(/^Cannot make .*expected .*found /);
});

test("isScenario() is not taken in by things that look alike", () => {
  for (const value of [{ name: "x" }, null, undefined, "x", body]) expect(isScenario(value)).toBe(false);
});
