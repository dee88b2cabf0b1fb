/** Tick for tick: what small programs log on Node, in an execution of ours, and lowered outside of one. */
import { describe, expect, test } from "vitest";
import { awaiting } from "./testing/awaiting.ts";
import { chaining } from "./testing/chaining.ts";
import { closing } from "./testing/closing.ts";
import { iterating } from "./testing/iterating.ts";
import { inExecution, loweredText, onNode } from "./testing/runs.ts";

const snippets = Object.entries({ ...awaiting, ...chaining, ...iterating, ...closing });

/** One mark for each tick that goes by: an await too many, or too few, shows. */
const metronome =
  "let beat = 0; (function tick() { if (beat++ < 20) Promise.resolve().then(() => { L('.'); tick(); }); })();";

describe.each([
  ["alone", ""],
  ["beside a metronome", `${metronome}\n`],
])("%s", (_, before) => {
  test.each(snippets)("%s", async (_, snippet) => {
    const code = before + snippet;
    const expected = await onNode(code);
    expect(expected.filter((line) => line !== ".").length).toBeGreaterThan(0);
    expect(inExecution(code)).toEqual(expected);
    expect(await onNode(loweredText(code))).toEqual(expected);
  });
});
