/**
 * Both engines, over every scenario of the tree: at the levels that Node can have, lowered code on our own queue does what
 * it does on V8's, and what the code does that was never lowered, execution by execution. One campaign for each scenario;
 * with `MICROLOOM_ENGINES=all` (every night) each in every way.
 */
import { resolve } from "node:path";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { run } from "../cli/testing/command.ts";

const { MICROLOOM_ENGINES: asked } = process.env;
const budget = asked === "all" ? ["100", "every"] : ["15"];

const campaign = z.looseObject({ outcome: z.string(), longestDrain: z.number() });
const keptCase = z.object({
  file: z.string(),
  expected: z.string(),
  byChoices: z.string().nullable(),
  byOrderings: z.string().nullable(),
  foundAgain: z.boolean().nullable(),
});
const kept = z.object({
  wakes: z.record(z.string(), z.object({ lost: z.array(z.number()), ticks: z.number() })),
  situations: z.record(z.string(), z.string().nullable()),
  cases: z.array(keptCase),
});
const toldSchema = z.object({
  campaigns: z.record(z.string(), z.record(z.string(), campaign)),
  kept: kept.optional(),
  free: z.array(z.object({ what: z.string(), verdict: z.string(), name: z.string() })).optional(),
  lowered: z.array(z.string()),
});
type Told = z.infer<typeof toldSchema>;

const [plain, lowered] = await Promise.all([
  toldBy([], "native"),
  toldBy(["--import", resolve("adapters/loader/index.ts")], "native,microtask"),
]);

describe("the microtask engine and the native one", () => {
  test("explore the whole tree, and all kinds of outcomes come of it", () => {
    const found = Object.values(plain.campaigns.native ?? {});
    expect(found.length).toBeGreaterThan(80);
    const outcomes = new Set(found.map(({ outcome }) => outcome));
    expect([...outcomes].sort()).toEqual(["held", "leaked", "violated"]);
    expect(Math.max(...found.map(({ longestDrain }) => longestDrain))).toBeGreaterThan(10);
  });

  test("of libraries, too: they are lowered, where there is anything to lower", () => {
    expect(plain.lowered).toEqual([]);
    expect(lowered.lowered).toEqual(["p-limit", "p-queue", "p-retry", "rxjs", "lru-cache"]);
  });

  test.each(["native", "microtask"])("find the same in lowered code as in plain code: %s", (engine) => {
    const [before = {}, after = {}] = [plain.campaigns.native, lowered.campaigns[engine]];
    expect(Object.keys(after)).toEqual(Object.keys(before));
    for (const [name, found] of Object.entries(after)) expect({ name, ...found }).toEqual({ name, ...before[name] });
  });
});

describe("what is kept by name, on the microtask engine", () => {
  test("a wake is lost at the ticks at which V8 loses it", () => {
    expect(lowered.kept?.wakes).toEqual({
      "the core, completed": { lost: [], ticks: 5 },
      "the core, stopped": { lost: [], ticks: 5 },
      "by the book, completed": { lost: [], ticks: 9 },
      "by the book, stopped": { lost: [], ticks: 9 },
      "looks-then-leaves, completed": { lost: [4, 5], ticks: 9 },
      "looks-then-leaves, stopped": { lost: [5], ticks: 9 },
    });
  });

  test("who is right holds in every kept situation, and who is wrong breaks the promise that it is about", () => {
    const situations = Object.entries(lowered.kept?.situations ?? {});
    const held = situations.filter(([, broken]) => broken === null);
    expect(held.map(([who]) => who.replace(/^.*: /, ""))).toEqual(
      held.map((_, at) => (at % 2 === 0 ? "the core" : "by the book")),
    );
    expect(situations.filter(([, broken]) => broken !== null)).toEqual([
      [expect.stringMatching(/: latches-when-disposed$/), "agent/dispose-fence"],
      [expect.stringMatching(/: fresh-controller-at-boundary$/), "agent/parked-stays-parked"],
      [expect.stringMatching(/: parks-late-wakes$/), "agent/no-dropped-wake"],
      [expect.stringMatching(/: parks-late-wakes$/), "agent/no-dropped-wake"],
      [expect.stringMatching(/: fresh-controller-at-boundary$/), "agent/parked-stays-parked"],
      [expect.stringMatching(/: first-cause-decides-dispose$/), "agent/dispose-fence"],
    ]);
  });

  test("kept repros replay there by their choices and by their orderings, and are found again to the letter", () => {
    const { cases = [] } = lowered.kept ?? {};
    expect(cases.length).toBeGreaterThan(20);
    for (const { file, expected, byChoices, byOrderings, foundAgain } of cases) {
      const searched = foundAgain !== null || asked === "all" || file === "agent-looks-then-leaves.json";
      expect({ file, byChoices, byOrderings, foundAgain }).toEqual({
        ...{ file, byChoices: expected, byOrderings: expected },
        foundAgain: searched ? true : null,
      });
    }
  });
});

/**
 * Between the moment when a call is granted and the one when its caller hears of it lie jobs, one for each grant: at level free
 * a caller may hear late, after its run was closed, or after somebody whose grant came later. No scheduler that answers with
 * promises can promise more, and the scheduler's own state is right in each of these orders.
 */
const heardLate = ["lease/arrival-order", "lease/no-grant-to-the-dead"];

describe("the hosts of the core at level free", () => {
  test("rely nowhere on the order of jobs, but for who hears of a grant first", () => {
    const found = lowered.free ?? [{ what: "nothing was looked at", verdict: "", name: "" }];
    const allowed = found.filter(({ verdict, name }) => verdict === "unordered" && heardLate.includes(name));
    expect(found).toEqual(allowed);
    for (const { what } of found) expect(what).toMatch(/lease/);
  });
});

/** What a process of its own says, whose code goes through these imports. */
async function toldBy(imports: readonly string[], engines: string): Promise<Told> {
  const flags = ["--import", "tsx", "--conditions=microloom-source", ...imports];
  const program = resolve("adapters/testing/engines/run.ts");
  const { code, out, err } = await run(process.execPath, [...flags, program, engines, ...budget]);
  expect({ code, err }).toEqual({ code: 0, err: "" });
  return toldSchema.parse(JSON.parse(out));
}
