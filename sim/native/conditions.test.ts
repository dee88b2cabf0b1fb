import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { describe, expect, test } from "vitest";
import { run } from "../../cli/testing/command.ts";
import { parksLateWakes } from "../../properties/agent/scenarios.ts";
import { explore } from "../../repro/explore.ts";
import { replay } from "../../repro/replay.ts";
import { type Scenario, ScenarioError, scenario, type World } from "../scenario.ts";

const why = "Whoever reads it is misled.";

async function violationOf(subject: Scenario) {
  const result = await foundIn(subject);
  expect((await replay(subject, result.repro)).violation).toEqual(result.violation);
  return result.violation;
}

describe("a violation", () => {
  test.each(["always", "atQuiescence"] as const)("says why world.%s() was declared", async (when) => {
    const subject = scenario("says why", (world) => world[when]("it holds", () => false, why));
    expect(await violationOf(subject)).toMatchObject({ name: "it holds", why });
    const silent = scenario("does not say why", (world) => world[when]("it holds", () => false));
    expect(await violationOf(silent)).not.toHaveProperty("why");
  });

  test("says why an invariant matters", async () => {
    const violation = await violationOf(parksLateWakes);
    expect(violation.why).toMatch(/^A wake is lost only to something that happened after it\./);
    // It was declared by a file of this package, where nobody sets a breakpoint.
    expect(violation).not.toHaveProperty("declaredAt");
  });

  test("refuses a reason that is no sentence", async () => {
    const subject = scenario("wrong", (world) => Reflect.apply(world.always, world, ["it holds", () => true, 5]));
    await expect(explore(subject)).rejects.toThrow(
      'Cannot declare always "it holds": expected a sentence that says why, found 5',
    );
  });
});

const whens = ["always", "atQuiescence", "sometimes"] as const;
const ioOfCondition = async (world: World): Promise<boolean> => world.io("look", () => true);

describe("a condition that answers what nobody can judge is a mistake in the scenario", () => {
  const answers: readonly (readonly [what: string, told: string, answer: (world: World) => unknown])[] = [
    ["a promise", "a promise; await in an actor, and let the condition look at what came of it", async () => true],
    ["a promise that is rejected", "a promise; await in an actor", () => Promise.reject(new Error("of a condition"))],
    ["a promise of the world's", "a promise; await in an actor", ioOfCondition],
    ["what is like a promise", "a promise; await in an actor", () => ({ then: () => undefined })],
    ["nothing", "undefined; return what must hold, as in () => count === 2", () => undefined],
    ["null", "null; return a comparison of it", () => null],
    ["a number", "2; return a comparison of it", () => 2],
    ["an object", '{"ok":true}; return a comparison of it', () => ({ ok: true })],
    ["what cannot be read", "", () => new Proxy({}, { get: refuse, has: refuse, ownKeys: refuse })],
  ];
  for (const when of whens) {
    const expected = when === "sometimes" ? "true or false" : "true, false or a string (what it saw)";
    const must = `Cannot check ${when} "c": a condition must be synchronous and return ${expected}, and it returned `;
    test.each(answers)(`world.${when}() with %s`, async (_what, told, answer) => {
      const subject = asking(when, answer);
      await expect(explore(subject)).rejects.toThrow(ScenarioError);
      await expect(explore(subject)).rejects.toThrow(must + told);
      const held = scenario(subject.name, () => undefined);
      const { repro } = await foundIn(scenario("c", (world) => world.always("c", () => false)));
      expect((await replay(held, { ...repro, choices: null })).outcome).toBe("held");
      await expect(replay(subject, { ...repro, choices: null })).rejects.toThrow(must + told);
    });

    test(`world.${when}() with an answer that is wrong in one order alone`, async () => {
      const subject = scenario("in one order", (world) => {
        const seen: string[] = [];
        world.actor("ada", () => seen.push("ada"));
        world.actor("bob", () => seen.push("bob"));
        // A goal that was reached is not asked again.
        const answer = (): unknown => (seen[0] === "bob" ? undefined : when !== "sometimes");
        Reflect.apply(world[when], world, ["c", answer]);
      });
      await expect(explore(subject)).rejects.toThrow(`${must}undefined`);
    });

    test(`world.${when}() that changes the world`, async () => {
      const subject = asking(when, (world) => world.choose("coin", [true, false]));
      await expect(explore(subject)).rejects.toThrow("Cannot call world.choose() from a condition");
    });
  }

  test("a string is no answer of a goal", async () => {
    await expect(explore(asking("sometimes", () => "two"))).rejects.toThrow('and it returned "two"');
  });

  test("the command exits as for wrong usage, and calls nothing a bug", async () => {
    const folder = await mkdtemp(resolve(".microloom-conditions-"));
    try {
      const source = `import { scenario } from "microloom";
        export const wrong = scenario("asks later", (world) => world.always("c", async () => true));`;
      await writeFile(join(folder, "asks.scenario.ts"), source);
      const ran = await run(process.execPath, [resolve("dist/cli/main.js"), "explore", folder]);
      expect(ran.code).toBe(64);
      expect(ran.err).toContain('asks later: Cannot check always "c": a condition must be synchronous');
      expect(ran.out + ran.err).not.toContain("bug");
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });
});

function refuse(): never {
  throw new Error("not to be looked at");
}

/** With a delivery, so that a goal is looked for after it, too. */
function asking(when: (typeof whens)[number], answer: (world: World) => unknown): Scenario {
  return scenario("asks", (world) => {
    world.actor("ada", () => undefined);
    Reflect.apply(world[when], world, ["c", () => answer(world)]);
  });
}

async function foundIn(subject: Scenario) {
  const result = await explore(subject);
  if (result.outcome !== "violated") throw new Error(result.outcome);
  return result;
}
