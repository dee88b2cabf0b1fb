/** What never comes to rest: found, shrunk, replayed. */
import { describe, expect, test } from "vitest";
import { scenario } from "../sim/scenario.ts";
import { decodeChoices, encodeChoices } from "./choices.ts";
import { explore } from "./explore.ts";
import { replay } from "./replay.ts";

/** Retries for ever once it was stopped before its model has answered. */
const retrying = scenario("retries for ever", { stepLimit: 60 }, (world) => {
  let stopped = false;
  let answered = false;
  world.actor("agent", async () => {
    await world.io("model", () => (answered = !stopped));
    while (!answered) {
      await world.io("poll", () => undefined);
      await world.io("retry", () => undefined);
    }
  });
  world.events("user", [
    ["look", () => undefined],
    ["stop", () => (stopped = true)],
  ]);
  world.actor("other", () => world.delay("pause"));
});

describe("an endless retry", () => {
  test("is a liveness violation that names the cycle, shrunk to what decides", async () => {
    const result = await explore(retrying);
    if (result.outcome !== "violated") throw new Error(result.outcome);
    const { violation, repro } = result;
    expect(violation).toMatchObject({ kind: "liveness", name: "agent" });
    expect(violation.detail).toMatch(
      /^no quiescence within 60 deliveries, nor within 500 more without faults and in fair order; unsettled: agent; agent:(poll, agent:retry|retry, agent:poll), over and over$/,
    );
    expect(violation.waits).toMatchObject({ seen: "all", waits: [{ who: "agent", root: { kind: "open" } }] });
    expect(repro).toMatchObject({
      title: "Never settles: agent",
      violates: "agent",
      orderings: [{ first: "user:stop#1", then: "agent:model#1" }],
      criticalPair: ["user:stop#1", "agent:model#1"],
    });
  });

  test("is replayed strictly and by its orderings, to the same end", async () => {
    const result = await explore(retrying);
    if (result.outcome !== "violated") throw new Error(result.outcome);
    const { violation, repro } = result;
    expect(decodeChoices(repro.choices ?? "").steps).toHaveLength(60);
    for (const mode of ["strict", "best-effort"] as const) {
      expect(await replay(retrying, repro, { mode })).toMatchObject({ outcome: "violated", violation });
    }
    const fixed = scenario("fixed", { stepLimit: 60 }, (world) => {
      world.actor("agent", () => world.io("model", () => undefined));
    });
    expect(await replay(fixed, repro)).toMatchObject({ outcome: "no-longer-fits" });
  });

  test("is found at level jitter as well", async () => {
    const result = await explore(retrying, { level: "jitter" });
    expect(result).toMatchObject({
      outcome: "violated",
      violation: { kind: "liveness", name: "agent" },
      verdict: "bug",
    });
  });
});

test("encodeChoices() leaves out what was delivered in fair order", () => {
  const step = { touches: null, observed: { reads: [], writes: [] }, cancelled: [], notes: [], askedBy: null };
  const placed = (name: string) => ({
    ...step,
    name,
    possible: [name],
    chosen: 0,
    tick: 0,
    fault: null,
    nowMs: 0,
    source: "a",
  });
  const execution = {
    opening: [],
    steps: [placed("a:x#1"), { ...placed("a:x#2"), fair: true as const }],
    violation: null,
    data: [],
    faults: [],
    ambiguous: [],
    left: [],
  };
  const { steps } = decodeChoices(encodeChoices(execution, { index: 0, overtakes: 1, stepLimit: 1 }));
  expect(steps.map(({ name }) => name)).toEqual(["a:x#1"]);
});

test("explore() holds where fair delivery brings a long execution to its end, and its certificate says within what", async () => {
  const long = scenario("long", (world) => {
    world.actor("a", async () => {
      for (let count = 0; count < 30; count++) await world.io("step", () => undefined);
    });
  });
  const result = await explore(long, { stepLimit: 5, strategy: "depth-first" });
  if (result.outcome !== "held") throw new Error(result.outcome);
  expect(result.certificate).toMatchObject({ classes: 1, bounds: { stepLimit: 5, fairLimit: 500, overtakes: 1 } });
  expect(result.certificate?.assumes).toContain(
    "an execution that is longer than stepLimit goes on without faults and in fair order",
  );
});
