import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, expectTypeOf, test } from "vitest";
import { scenario } from "../../sim/scenario.ts";
import { RaceProject } from "../testing/race-project.ts";
import { race } from "./race.ts";

race(
  scenario("race() takes a scenario and passes when it holds", (world) => {
    world.events("user", [["go", () => undefined]]);
    world.atQuiescence("holds", () => true);
  }),
);

race("race() takes a name, options and a body", { strategy: "depth-first", level: "jitter" }, (world) => {
  const seen: number[] = [];
  world.events("user", [
    ["first", () => seen.push(1)],
    ["second", () => seen.push(2)],
  ]);
  world.atQuiescence("in order", () => seen.join() === "1,2" || seen.join());
});

race.each([
  [1, "one"],
  [2, "two"],
])("race.each() spreads rows: %i is %s", (world, count, word) => {
  world.atQuiescence("given", () => [undefined, "one", "two"][count] === word);
});

race.each([{ count: 3 }, { count: 4 }])("race.each() names cases: $count", { executions: 3 }, (world, { count }) => {
  world.atQuiescence("given", () => count === 3 || count === 4);
});

race.each`
  left | sum
  ${1} | ${2}
  ${5} | ${10}
`("race.each() takes a table: $left", (world, { left, sum }) => {
  world.atQuiescence("given", () => sum === 2 * Number(left));
});

race.runIf(true)("race.runIf() runs", (world) => world.atQuiescence("holds", () => true));
race.fails("race.fails() passes where it fails", { out: "/dev/null" }, (world) => {
  world.atQuiescence("never", () => false);
});

race.prop("race.prop() takes one arbitrary", fc.nat(9), (world, count) => {
  expectTypeOf(count).toEqualTypeOf<number>();
  world.atQuiescence("small", () => count < 10);
});

race.prop(
  "race.prop() takes a list of arbitraries",
  [fc.nat(9), fc.constantFrom("a", "b")],
  (world, count, letter) => {
    expectTypeOf(letter).toEqualTypeOf<string>();
    world.sometimes("b", () => letter === "b");
    world.atQuiescence("small", () => count < 10);
  },
  { executions: 5, level: "jitter", parameters: { numRuns: 10, examples: [[3, "a"]] } },
);

describe("race() in a project of its own", () => {
  test("fails in Vitest's own frame with the orderings, the swap and the repro's place", async () => {
    await using project = await RaceProject.make();
    const out = JSON.stringify(join(project.folder, "repros"));
    // By the package's own name, as a user says it.
    await project.write(
      "lost.test.ts",
      `import { race } from "microloom/vitest";
       race("no update is lost", { out: ${out} }, (world) => {
         let value = 0;
         const add = async () => { const read = await world.io("read", () => value); await world.io("write", () => { value = read + 1; }); };
         world.actor("ada", add);
         world.actor("bob", add);
         world.atQuiescence("both count", () => value === 2 || \`value is \${value}\`);
       });
       race("a goal", { strategy: "depth-first", out: ${out} }, (world) => {
         world.events("user", [["go", () => 1]]);
         world.sometimes("never", () => false);
       });`,
    );
    const ran = await project.vitest();
    const output = ran.out + ran.err;
    expect(ran.code).toBe(1);
    expect(output).toContain("both count (quiescence): value is 1");
    expect(output).toContain('came before "write" (ada).');
    expect(output).toContain("The swap that decides:");
    expect(output).toContain('held, but never reached "never" (unreachable within these bounds)');
    const kept: unknown = JSON.parse(await project.read("repros/no-update-is-lost.json"));
    expect(kept).toMatchObject({ format: 1, scenario: "no update is lost", verdict: "bug" });
  });

  test("race.prop() fails with the values, fast-check's seed and path, and writes the repro", async () => {
    const { ran, repro } = await inProject(
      `import fc from "fast-check";
       race.prop("no deposit is lost", fc.array(fc.nat(50)), (world, amounts) => {
         let balance = 0;
         world.events("user", amounts.map((amount, nth) => ["deposit " + nth, () => { void (async () => {
           const read = balance;
           if (amount > 5) await world.io("db:save " + nth, () => 0);
           balance = read + amount;
         })(); }]));
         world.atQuiescence("all count", () => balance === amounts.reduce((one, other) => one + other, 0));
       }, { out: OUT, parameters: { seed: 3 } });
       race.prop("a goal of no value", fc.nat(3), (world) => world.sometimes("never", () => false), { out: OUT });
       race.prop("a goal of some values", fc.nat(3), (world, value) => world.sometimes("two", () => value === 2));
       race.prop("no arbitrary", {}, () => undefined);`,
      "no-deposit-is-lost.json",
    );
    expect(ran.code).toBe(1);
    expect(ran.out).toContain("3 failed | 1 passed");
    expect(ran.err).toContain("with [6,1]");
    expect(ran.err).toMatch(/fast-check: \{ seed: 3, path: "[\d:]+", endOnFailure: true \}/);
    expect(ran.err).toContain('"deposit 1" (user) came before "save 0" (db).');
    expect(ran.err).toContain("The swap that decides:");
    expect(ran.err).toContain('never reached "never"');
    expect(ran.err).toContain("expected an arbitrary of fast-check");
    expect(repro).toMatchObject({ scenario: "no deposit is lost", script: [[6, 1]] });
  });

  test("race.only(), race.skip() and race.todo() are Vitest's own", async () => {
    const { ran } = await inProject(
      `race("left out", (world) => world.atQuiescence("never", () => false));
       race.only("the only one", (world) => world.atQuiescence("holds", () => true));
       race.only.each([1, 2])("case %i", (world, count) => world.atQuiescence("holds", () => count < 3));
       race.skip("skipped", () => { throw new Error("ran"); });
       race.skipIf(true)("skipped, too", () => { throw new Error("ran"); });
       race.runIf(false)("not run", () => { throw new Error("ran"); });
       race.todo("to be done");`,
    );
    expect(ran.code).toBe(0);
    expect(ran.out).toContain("3 passed | 4 skipped | 1 todo");
  });
});

/** Runs a test file, in which OUT is a folder for repros, in Vitest of its own. */
async function inProject(body: string, reproFile?: string) {
  await using project = await RaceProject.make();
  await project.writeRaces("some.test.ts", body.replaceAll("OUT", JSON.stringify(project.folder)));
  const ran = await project.vitest();
  const repro: unknown = reproFile && JSON.parse(await project.read(reproFile));
  return { ran, repro };
}
