import { beforeAll, expect, test } from "vitest";
import { scenario } from "../sim/scenario.ts";
import { type AgentEdit, agentScenario } from "./edits/agent.ts";
import { leaseScenario } from "./edits/lease.ts";
import { explore } from "./explore.ts";
import { recordAgain } from "./record.ts";
import { replay } from "./replay.ts";
import { type Repro, ReproError } from "./repro.ts";
import { shrinkAgain } from "./shrink-again.ts";

let repro: Repro;
beforeAll(async () => {
  const found = await explore(agentScenario("none"));
  if (found.outcome !== "violated") throw new Error("expected a violation");
  repro = { ...found.repro, title: "My own words" };
});

test.each<AgentEdit>(["none", "one I/O split in two", "a new actor", "a label renamed that the repro does not name"])(
  "recordAgain() changes nothing but the choices while it fails as recorded: %s",
  async (edit) => {
    const { repro: now } = await recordAgain(agentScenario(edit), repro);
    expect(now).toEqual({ ...repro, choices: expect.stringMatching(/^ml1:/) });
    expect(now?.choices === repro.choices).toBe(edit === "none");
    const strict = await replay(agentScenario(edit), now ?? repro, { mode: "strict" });
    expect(strict).toMatchObject({ outcome: "violated", violation: { name: repro.violates } });
    expect(strict.drift).toBeUndefined();
  },
);

test("recordAgain() turns the expectation once it holds, and holds it from then on", async () => {
  const fixed = agentScenario("none", { fixed: true });
  const { repro: now } = await recordAgain(fixed, repro);
  expect(now).toEqual({ ...repro, expect: "held", choices: null });
  expect((await recordAgain(fixed, now ?? repro)).repro).toEqual(now);
  const broken = await recordAgain(agentScenario("none"), now ?? repro);
  expect(broken).toMatchObject({ repro: null, said: "the file expects it to hold, and it is broken again" });
});

test("recordAgain() refuses what no longer fits, and takes a renamed label only from the reader", async () => {
  const edited = agentScenario("a label renamed");
  expect(await recordAgain(edited, repro)).toMatchObject({ repro: null, said: "it no longer fits" });
  const { repro: now, result } = await recordAgain(edited, repro, ["agent:model=agent:llm"]);
  expect(result.drift?.lookAlikes).toEqual([]);
  expect(now?.orderings).toEqual([
    { first: "user:stop#1", then: "agent:llm#2" },
    { first: "user:send b#1", then: "agent:teardown#1" },
  ]);
  expect((await replay(edited, now ?? repro)).outcome).toBe("violated");
  await expect(recordAgain(edited, repro, ["agent:modle=agent:llm"])).rejects.toThrow(ReproError);
});

test("recordAgain() writes no guess down: it says what to say, or to shrink", async () => {
  const edited = agentScenario("a second model call before the first");
  const refused = await recordAgain(edited, repro);
  expect(refused.repro).toBeNull();
  expect(refused.said).toContain("--rename 'agent:model#2=agent:model#3'");
  const { repro: now } = await recordAgain(edited, repro, ["agent:model#2=agent:model#3"]);
  expect(now?.orderings[0]).toEqual({ first: "user:stop#1", then: "agent:model#3" });

  const lease = await explore(leaseScenario("none"));
  if (lease.outcome !== "violated") throw new Error("expected a violation");
  const approved = leaseScenario("an approval before the lease");
  const { repro: none, said } = await recordAgain(approved, lease.repro);
  expect([none, said]).toEqual([null, expect.stringContaining("shrink it")]);
  const { repro: shrunk } = await shrinkAgain(approved, lease.repro);
  expect((await recordAgain(approved, shrunk ?? lease.repro)).repro).toEqual(shrunk);
});

test("recordAgain() refuses a violation of something else", async () => {
  const other: Repro = { ...repro, violates: "another promise" };
  expect(await recordAgain(agentScenario("none"), other)).toMatchObject({
    repro: null,
    said: "something else is violated",
    result: { outcome: "violated" },
  });
});

test("recordAgain() drops a critical pair whose deliveries no longer come", async () => {
  const stale: Repro = { ...repro, criticalPair: ["user:stop#1", "agent:gone#1"] };
  expect((await recordAgain(agentScenario("none"), stale)).repro?.criticalPair).toBeNull();
});

test("recordAgain() replaces choices that can no longer be read", async () => {
  const { repro: now } = await recordAgain(agentScenario("none"), { ...repro, choices: "ml2:AAAA" });
  expect(now?.choices).toMatch(/^ml1:/);
});

test("shrinkAgain() takes away what does not matter, and keeps the reader's words", async () => {
  const padded: Repro = {
    ...repro,
    orderings: [...repro.orderings, { first: "user:send a#1", then: "user:stop#1" }],
    choices: null,
  };
  const { repro: now, steps } = await shrinkAgain(agentScenario("none"), padded);
  expect(now).toMatchObject({ title: "My own words", orderings: repro.orderings, expect: "violation" });
  expect(steps?.[0]).toBeGreaterThan(0);
  expect((await replay(agentScenario("none"), now ?? padded)).outcome).toBe("violated");
});

test("shrinkAgain() leaves a file that expects to hold as one, and shrinks nothing that does not fail", async () => {
  const kept: Repro = { ...repro, expect: "held", choices: null };
  expect((await shrinkAgain(agentScenario("none"), kept)).repro).toMatchObject({ expect: "held", choices: null });
  const fixed = await shrinkAgain(agentScenario("none", { fixed: true }), repro);
  expect(fixed).toMatchObject({ repro: null, steps: null, result: { outcome: "no-longer-fits" } });
});

test("shrinkAgain() takes steps of the script away, too", async () => {
  const scripted = scenario(
    "scripted",
    { script: { parse: (json): unknown[] => (Array.isArray(json) ? json : []) } },
    (world, script) => {
      let last: unknown = null;
      const save = (step: unknown): void => {
        last = step;
      };
      const steps = script.map((step): [string, () => void] => {
        return [String(step), () => void world.io(`${step}:save`, () => save(step))];
      });
      world.events("user", steps);
      world.atQuiescence("the last one counts", () => last === null || last === script.at(-1));
    },
  );
  const found = await explore(scripted, { script: ["a", "b"] });
  if (found.outcome !== "violated") throw new Error("expected a violation");
  const padded: Repro = { ...found.repro, script: ["x", "a", "b"], choices: null };
  const { repro: now } = await shrinkAgain(scripted, padded);
  expect(now?.script).toHaveLength(2);
  expect((await replay(scripted, now ?? padded)).outcome).toBe("violated");
  // Interrupted from the start, nothing is taken away that would have to be tried; what is left fails as it did.
  const { repro: early } = await shrinkAgain(scripted, padded, AbortSignal.abort());
  expect(early).toMatchObject({ script: padded.script, criticalPair: null, violates: padded.violates });
  expect((await replay(scripted, early ?? padded)).outcome).toBe("violated");
});
