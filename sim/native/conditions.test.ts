import { describe, expect, test } from "vitest";
import { parksLateWakes } from "../../properties/agent/scenarios.ts";
import { explore } from "../../repro/explore.ts";
import { replay } from "../../repro/replay.ts";
import { type Scenario, scenario } from "../scenario.ts";

const why = "Whoever reads it is misled.";

async function violationOf(subject: Scenario) {
  const result = await explore(subject);
  if (result.outcome !== "violated") throw new Error(result.outcome);
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
    expect(violation.declaredAt).toMatchObject({ file: "properties/agent/scenarios.ts" });
  });

  test("refuses a reason that is no sentence", async () => {
    const subject = scenario("wrong", (world) => Reflect.apply(world.always, world, ["it holds", () => true, 5]));
    await expect(explore(subject)).rejects.toThrow(
      'Cannot declare always "it holds": expected a sentence that says why, found 5',
    );
  });
});
