import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { checkLabel, checkSource, formatName, parseName, splitLabel } from "./names.ts";
import { ScenarioError, scenario } from "./scenario.ts";
import { search } from "./search.ts";

const source = fc.string({ minLength: 1 }).filter((text) => text.trim() !== "" && !/[:#]/.test(text));
const label = fc.string({ minLength: 1, unit: "binary" }).filter((text) => text.trim() !== "" && !/#\d*$/.test(text));
const trickyLabel = fc.constantFrom("a#1b", "x:y", "timer 5000", "#x", "a\nb", "é#", "#", "x#12", "a b", "1", "x[k]");

describe("parseName()", () => {
  test("parseName() reads back what formatName() wrote", () => {
    const labels = fc.oneof(
      label,
      trickyLabel.filter((text) => !/#\d*$/.test(text)),
    );
    fc.assert(
      fc.property(source, labels, fc.integer({ min: 1 }), (source, label, occurrence) => {
        const name = { source, label, occurrence };
        expect(parseName(formatName(name))).toEqual(name);
      }),
      { numRuns: 1_000 },
    );
  });

  test("parseName() accepts only what formatName() could have written", () => {
    const text = fc.oneof(
      fc.string(),
      fc
        .array(fc.constantFrom("a", ":", "#", "1", "0", " ", "\n", "99999999999999999999"))
        .map((parts) => parts.join("")),
    );
    fc.assert(
      fc.property(text, (text) => {
        const name = parseName(text);
        if (name === null) return;
        expect(formatName(name)).toBe(text);
        expect(checkSource(name.source, "a test")).toBe(name.source);
        expect(checkLabel(name.label, "a test")).toBe(name.label);
      }),
      { numRuns: 5_000 },
    );
  });

  test.each([
    "",
    "a",
    "a:b",
    "a:b#",
    "a:b#0",
    "a:b#01",
    ":b#1",
    "a:#1",
    "a#1:b#1",
    "a:b#1#2",
    " :b#1",
    "a: #1",
    "a:b#-1",
  ])("parseName() refuses %j", (text) => expect(parseName(text)).toBeNull());
});

describe("splitLabel()", () => {
  test("splitLabel() splits at the first colon", () => {
    expect(splitLabel("agent:model:x", "a test")).toEqual({ source: "agent", label: "model:x" });
    expect(splitLabel("model", "a test")).toEqual({ source: null, label: "model" });
  });
});

describe("a bad name is a named error when the scenario is built", () => {
  const nothing = (): undefined => undefined;
  const unlike = <T>(value: unknown): T => JSON.parse(JSON.stringify(value));
  test.each([
    ["an actor with a colon", scenario("x", (world) => world.actor("a:b", nothing))],
    ["an actor without a name", scenario("x", (world) => world.actor("  ", nothing))],
    ["an actor that is no function", scenario("x", (world) => world.actor("a", unlike(1)))],
    ["events with a hash", scenario("x", (world) => world.events("a#1", []))],
    ["an event that ends in digits", scenario("x", (world) => world.events("a", [["go#1", nothing]]))],
    ["an event without a label", scenario("x", (world) => world.events("a", [["", nothing]]))],
    ["events that are no list", scenario("x", (world) => world.events("a", unlike({})))],
    ["a step that is no list", scenario("x", (world) => world.events("a", [unlike(null)]))],
    ["an actor declared twice", scenario("x", (world) => [1, 2].map(() => world.actor("a", nothing)))],
    ["a delay that ends in digits", scenario("x", (world) => void world.delay("go#12"))],
    ["a delay with an empty source", scenario("x", (world) => void world.delay(":go"))],
    ["a delay with a number for a label", scenario("x", (world) => void world.delay(unlike(7)))],
    ["an I/O with an empty label", scenario("x", (world) => void world.io("a:", nothing))],
    ["an I/O without produce", scenario("x", (world) => void world.io("a", unlike("reply")))],
    ["a choice without options", scenario("x", (world) => world.choose("a", []))],
    ["a choice that ends in digits", scenario("x", (world) => world.choose("a#1", [1]))],
    ["a condition that is no function", scenario("x", (world) => world.always("a", unlike(true)))],
    ["a bad label inside an actor", scenario("x", (world) => world.actor("a", () => world.delay("go#1")))],
    ["a bad label inside an event", scenario("x", (world) => world.events("u", [["x", () => void world.delay("y#")]]))],
    ["a bad label in an async body", scenario("x", async (world) => void (await world.delay("y#")))],
  ])("search() refuses %s", async (_, wrong) => {
    const failure: unknown = await search(wrong, { strategy: "first-come" }).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(ScenarioError);
    expect(String(failure)).toMatch(/^ScenarioError: Cannot .*expected .*found /s);
  });
});
