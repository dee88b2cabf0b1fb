/** Strategies that only sample give every execution a world of its own; what they find there must come back. */
import { expect, test } from "vitest";
import { strategyNames } from "../sim/bounds.ts";
import { worldIndex } from "../sim/random.ts";
import { scenario } from "../sim/scenario.ts";
import { explore } from "./explore.ts";
import { replay } from "./replay.ts";

const unlucky = scenario("one world in thirty is unlucky", (world) => {
  const lucky = Math.random() > 1 / 30;
  let second = false;
  world.events("a", [
    ["1", () => undefined],
    ["2", () => undefined],
  ]);
  world.events("b", [
    [
      "1",
      () => {
        second = true;
      },
    ],
  ]);
  world.events("c", [
    [
      "1",
      () => {
        if (!lucky && !second) throw new Error("no luck");
      },
    ],
  ]);
});

const sampling = strategyNames.filter((name) => worldIndex(name, 7) === 7);

test("worldIndex() changes the world under strategies that only sample", () => {
  expect([...sampling].sort()).toEqual(["delay-bounded", "pct", "pos", "random", "surw", "urw"]);
});

test.each(sampling)("replay() runs what %s has found in an unlucky world", async (strategy) => {
  const found = await explore(unlucky, { strategy, executions: 3_000, seed: strategy });
  if (found.outcome !== "violated") throw new Error(`${strategy} has ${found.outcome}`);
  expect(found.executions).toBeGreaterThan(1);
  const strict = await replay(unlucky, found.repro, { mode: "strict" });
  expect(strict).toMatchObject({ outcome: "violated", violation: found.violation });
  expect(await replay(unlucky, found.repro)).toMatchObject({ outcome: "violated" });
  // Without the token, the number of executions tells which world it was.
  expect(await replay(unlucky, { ...found.repro, choices: null })).toMatchObject({ outcome: "violated" });
});
