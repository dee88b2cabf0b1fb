/** What a user's TypeScript makes of the built package, fast-check's own types among it. */
import { expect, test } from "vitest";
import type { Ran } from "../cli/testing/command.ts";
import { RunnerProject } from "./testing/runner-project.ts";

/** TypeScript takes its time, on a busy machine more than a test usually has. */
const timeout = 600_000;

/** Nothing is skipped: what our own declarations name has to be there, too. */
const tsconfig = JSON.stringify({
  compilerOptions: {
    ...{ strict: true, target: "es2023", lib: ["es2023", "esnext.disposable"], module: "nodenext" },
    ...{ types: ["node"], noEmit: true, skipLibCheck: false },
  },
});

const plain = `
  import { explore, scenario } from "microloom";
  import { race } from "microloom/vitest";
  const subject = scenario("s", (world) => world.atQuiescence("holds", () => true));
  export const outcome: "held" | "violated" | "leaked" | "diverged" = (await explore(subject)).outcome;
  race("r", { level: "jitter" }, (world) => world.note("n"));
  race.each([[1, "one"]])("%i", (world, count, word) => world.note(word.trim(), count + 1));`;

const generating = `
  import type { Arbitrary } from "fast-check";
  import { fc, raceProperty, scheduler, scripted } from "microloom/fast-check";
  import { scenario } from "microloom";
  import { race } from "microloom/vitest";
  const property = raceProperty([fc.nat(3), fc.string()], (world, count, text) => {
    const [one, other]: [number, string] = [count, text];
    world.note(other, one);
  });
  await fc.assert(property, { seed: 1, numRuns: 3 });
  export const ours: Arbitrary<fc.Scheduler> = fc.scheduler();
  export const same: fc.Arbitrary<fc.Scheduler> = scheduler();
  export const { counterexample } = await scripted(scenario("s", () => undefined), fc.array(fc.boolean()));
  race.prop("p", fc.nat(3), (world, count) => world.note("n", count.toFixed()));
  // @ts-expect-error a number is no string
  export const wrong: Arbitrary<string> = fc.nat(3);
  // @ts-expect-error there is no such arbitrary
  fc.nothingOfTheKind();`;

test("fc is fast-check's own, types and all, and every value has its type", { timeout }, async () => {
  await using project = await typedProject();
  await project.write("plain.ts", plain);
  await project.write("generating.ts", generating);
  expect(await compiled(project)).toEqual({ code: 0, out: "", err: "" });
});

async function typedProject(): Promise<RunnerProject> {
  const project = await RunnerProject.make();
  for (const name of ["typescript", "@types/node"]) await project.link(name);
  await project.write("tsconfig.json", tsconfig);
  return project;
}

function compiled(project: RunnerProject): Promise<Ran> {
  return project.node("node_modules/typescript/bin/tsc", "--project", ".");
}
