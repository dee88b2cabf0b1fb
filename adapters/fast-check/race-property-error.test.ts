import { inspect } from "node:util";
import { expect, test } from "vitest";
import { explore } from "../../repro/explore.ts";
import { lostWakeup } from "../../repro/testing/lost-wakeup.ts";
import { RaceProject } from "../testing/race-project.ts";
import { RaceError } from "../vitest/race-error.ts";
import { RacePropertyError } from "./race-property-error.ts";

const result = await explore(lostWakeup);
const errors = [
  new RacePropertyError("wakes", result, [[1]]),
  new RaceError("wakes", result, { path: "a.json", keep: "move it" }),
] as const;

test.each(errors)("$name is shown by its message, and still tells what was found", (error) => {
  expect(error.result).toBe(result);
  expect(Object.getOwnPropertyNames(error).sort()).toEqual(["message", "name", "stack"]);
  expect(inspect(error)).not.toContain("orderings:");
  expect(JSON.parse(JSON.stringify(error))).toEqual({ name: error.name, message: error.message });
});

test("RacePropertyError has the values, and says how to come back to them", () => {
  const [error] = errors;
  expect(error.values).toEqual([[1]]);
  expect(error.message).toMatch(
    /\n\n {2}Replay it: fc\.assert\(property, \{ seed, path, endOnFailure: true \}\) with the seed and the path that fast-check tells$/,
  );
});

test("Vitest prints a race that fails without its result, and what it says to replay fails alike", async () => {
  await using project = await RaceProject.make();
  const property = (parameters: string): string => `
    import fc from "fast-check";
    import { test } from "vitest";
    import { raceProperty } from ${JSON.stringify(import.meta.resolve("./index.ts").slice("file://".length))};
    test("nothing is lost", () => {
      const property = raceProperty(fc.array(fc.nat(50)), (world, amounts) => {
        let balance = 0;
        world.events("user", amounts.map((amount, nth) => ["deposit " + nth, async () => {
          const read = balance;
          if (amount > 5) await world.io("save " + nth, () => 0);
          balance = read + amount;
        }]));
        world.atQuiescence("all count", () => balance === amounts.reduce((one, other) => one + other, 0));
      });
      return fc.assert(property, ${parameters});
    });`;
  await project.writeRaces("races.test.ts", `race("never", (world) => world.atQuiescence("holds", () => false));`);
  await project.write("property.test.ts", property("{ seed: 3 }"));
  const found = await project.vitest();
  expect(found.out).toContain("2 failed (2)");
  expect(found.err).toContain("RacePropertyError: ✗");
  expect(found.err).toContain("RaceError: ✗");
  for (const dumped of ["Serialized Error", "foundBy", "toJSON"]) expect(found.err).not.toContain(dumped);
  const told = /\{ seed: 3, path: "[\d:]+", endOnFailure: true \}/.exec(found.err)?.[0] ?? "";
  expect(found.err).toContain("Replay it: fc.assert(property, { seed, path, endOnFailure: true })");
  await project.write("property.test.ts", property(told));
  const again = await project.vitest();
  expect(counterexampleOf(again.err)).toBe(counterexampleOf(found.err));
});

function counterexampleOf(output: string): string {
  return /Counterexample: .+/.exec(output)?.[0] ?? "none";
}
