/** Code that relies on the order of jobs relies on what ECMAScript promises: nothing is found in it, but for level free. */
import { describe, expect, test } from "vitest";
import { explore } from "../repro/explore.ts";
import { replay } from "../repro/replay.ts";
import { type Scenario, scenario, type World } from "./scenario.ts";
import { fifoPrograms } from "./testing/fifo-programs.ts";
import { lowered } from "./testing/lowered.ts";

const programs = Object.entries(fifoPrograms).map(([name, text]): readonly [string, Scenario] => {
  const body = lowered<(world: World) => void>(import.meta.url, `return (world) => {\n${text}\n};`);
  return [name, scenario(name, body)];
});

test("there are at least twenty of them", () => {
  expect(programs.length).toBeGreaterThanOrEqual(20);
});

describe.each(programs)("%s", (_, program) => {
  test.each([
    ["spec", "native"],
    ["spec", "microtask"],
    ["jitter", "native"],
    ["jitter", "microtask"],
  ] as const)("holds in every execution at level %s on the %s engine", async (level, engine) => {
    const result = await explore(program, { level, engine, strategy: "depth-first" });
    expect(result).toMatchObject({ outcome: "held", ended: "exhausted", certificate: { level } });
  });

  test("is called unordered at level free, for what it relies on", async () => {
    const result = await explore(program, { level: "free" });
    if (result.outcome !== "violated") throw new Error(`Expected a violation, found that it ${result.outcome}`);
    expect(result).toMatchObject({
      verdict: "unordered",
      violation: { kind: "quiescence", name: "in order" },
      repro: { level: "free", verdict: "unordered" },
    });
    expect(await replay(program, result.repro, { mode: "strict" })).toMatchObject({
      outcome: "violated",
      violation: { kind: "quiescence", name: "in order" },
      unmet: [],
    });
  });
});
