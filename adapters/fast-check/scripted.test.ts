import fc from "fast-check";
import { expect, test } from "vitest";
import { parksLateWakes } from "../../properties/agent/scenarios.ts";
import { parseScript } from "../../properties/agent/script.ts";
import { describeScript, scripts } from "../../properties/agent/scripts.ts";
import { replay } from "../../repro/replay.ts";
import { ExploreOptionsError } from "../../sim/bounds.ts";
import { ScenarioError, scenario } from "../../sim/scenario.ts";
import { scripted } from "./scripted.ts";

type Command = "open" | "write" | "close";

const words: readonly unknown[] = ["open", "write", "close"];
const schema = {
  parse(json: unknown): readonly unknown[] {
    if (!Array.isArray(json) || !json.every((word) => words.includes(word))) throw new Error("unknown command");
    return json;
  },
};
const commands = fc.array(fc.constantFrom<Command>("open", "write", "close"), { maxLength: 6 });

/** A write that comes back after a close is lost. */
const file = scenario("a file", { script: schema }, (world, script) => {
  let open = false;
  let lost = false;
  const write = async (): Promise<void> => {
    if (!open) return;
    await world.io("disk:write", () => undefined);
    lost ||= !open;
  };
  const acts = {
    open: () => {
      open = true;
    },
    write: () => void write(),
    close: () => {
      open = false;
    },
  };
  world.events(
    "user",
    script.flatMap((word) => (word === "open" || word === "write" || word === "close" ? [[word, acts[word]]] : [])),
  );
  world.sometimes("it was open", () => open);
  world.atQuiescence("nothing is lost", () => !lost);
});

test("scripted() shrinks script and schedule, and the repro carries both", async () => {
  const result = await scripted(file, commands, { seed: "1" });
  if (result.outcome !== "violated") throw new Error(result.outcome);
  expect(result.counterexample).toEqual([["open", "write", "close"]]);
  expect(result.repro).toMatchObject({
    scenario: "a file",
    script: ["open", "write", "close"],
    orderings: [{ first: "user:close#1", then: "disk:write#1" }],
    criticalPair: ["user:close#1", "disk:write#1"],
  });
  expect(result.fastCheck.path).not.toBeNull();
  expect(await replay(file, result.repro)).toMatchObject({ outcome: "violated", unmet: [] });
});

test("scripted() gives the same from the same seed, and another one from another", async () => {
  const results = [];
  for (const seed of ["1", "1", "2"]) results.push(await scripted(file, commands, { seed }));
  const [one, again, other] = results.map((result) => JSON.stringify(result));
  expect(again).toBe(one);
  expect(other).not.toBe(one);
});

test("scripted() finds and shrinks the late wake among scripts of an agent", async () => {
  const result = await scripted(parksLateWakes, scripts(6), { executions: 40 });
  if (result.outcome !== "violated") throw new Error(result.outcome);
  expect(result.violation.name).toBe("agent/no-dropped-wake");
  expect(describeScript(parseScript(result.repro.script))).toMatch(/^\w+ a, cancel \w+, \w+ b$/);
  expect((await replay(parksLateWakes, result.repro)).outcome).toBe("violated");
});

test("scripted() that holds says what all scripts came to together", async () => {
  const harmless = commands.map((list) => list.filter((word) => word !== "close"));
  const result = await scripted(file, harmless, { executions: 5, parameters: { numRuns: 12 } });
  expect(result).toMatchObject({ outcome: "held", certificate: null, counterexample: null, ended: "spent" });
  expect(result.executions).toBeGreaterThanOrEqual(12);
  expect(result.fastCheck).toMatchObject({ path: null, values: 12 });
  // Some scripts never open it, others do.
  expect(result.outcome === "held" && result.reached).toMatchObject({ missing: [] });
  const never = await scripted(file, fc.constant([]), { executions: 2, parameters: { numRuns: 2 } });
  expect(never.outcome === "held" && never.reached).toEqual({ goals: { "it was open": 0 }, missing: ["it was open"] });
});

test("scripted() refuses a scenario without a schema, scripts that it refuses, and options that are none", async () => {
  const plain = scenario("plain", () => undefined);
  await expect(scripted(plain, commands)).rejects.toThrow(ScenarioError);
  await expect(scripted(file, fc.constant(["delete"]))).rejects.toThrow(ExploreOptionsError);
  await expect(scripted(file, commands, { executions: 0 })).rejects.toThrow(ExploreOptionsError);
  const rare = commands
    .filter(() => true)
    .map((list) => {
      fc.pre(list.length > 99);
      return list;
    });
  await expect(scripted(file, rare)).rejects.toThrow();
});

test("scripted() goes on from examples and comes back by path", async () => {
  const examples: [Command[]][] = [[["open", "open", "write", "write", "close"]]];
  const result = await scripted(file, commands, { parameters: { examples } });
  const { path, seed } = result.fastCheck;
  expect(path?.startsWith("0")).toBe(true);
  const again = await scripted(file, commands, {
    parameters: { examples, seed, path: path ?? "", endOnFailure: true },
  });
  expect(again.outcome === "violated" && again.repro).toEqual(result.outcome === "violated" && result.repro);
});
