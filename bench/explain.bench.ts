/**
 * How small a failure gets, and what that takes: for every program of the search bench and every subject that is wrong on
 * purpose, from failures that the portfolio and a random walk find. The counts are the same on every machine.
 */
import { Command, InvalidArgumentError } from "commander";
import { type ExploreResult, explore } from "../index.ts";
import { builtInScenarios, parksLateWakes } from "../properties/index.ts";
import type { ExploreOptions, StrategyName } from "../sim/result.ts";
import type { Scenario } from "../sim/scenario.ts";
import { others, programs } from "./search/all.ts";
import { scenarioOf } from "./search/microloom.ts";
import type { Program } from "./search/program.ts";
import { table } from "./search/table.ts";

/** What is promised of 95 of 100 failures. */
const promised = { share: 0.95, orderings: 3, shrinking: 50, pair: 12 };

type Subject = { readonly name: string; readonly scenario: Scenario; readonly options: ExploreOptions };
type Violated = Extract<ExploreResult, { readonly outcome: "violated" }>;
type Told = {
  readonly orderings: number;
  readonly script: number;
  readonly shrinking: number;
  readonly pair: number;
  /** A swap of neighbours decides: one order fails, the other holds. Null where nothing was reordered. */
  readonly decides: boolean | null;
};
type Flags = { readonly seeds: number; readonly json: boolean };

const strategies: readonly StrategyName[] = ["portfolio", "random"];
const executions: Partial<Record<StrategyName, number>> = { random: 3_000 };
const fixture: ExploreOptions = { executions: 20_000 };

const ofProgram = (program: Program): Subject => ({
  name: program.name,
  scenario: scenarioOf(program),
  options: fixture,
});
/** Those that are right have nothing to tell. */
const wrong = [...builtInScenarios.values()].filter(({ name }) => !/[/](core|by-the-book)$/.test(name));
/** One of them is right but where a wake comes in the drain of another delivery. */
const ofSubject = (scenario: Scenario): Subject => ({
  name: scenario.name.replace(/^microloom:/, ""),
  scenario,
  options: scenario.name.endsWith("/looks-then-leaves") ? { ...fixture, level: "jitter" } : fixture,
});
const send = (id: string, wake = true) => ({ type: "send", message: { id, lane: "next-turn", wake } });
/** The story of a late wake among steps that have nothing to do with it. */
const longScript = [
  { type: "retract", id: "z" },
  send("a"),
  send("c", false),
  { type: "cancel", cause: "stop", keepInbox: true },
  send("b"),
  { type: "retract", id: "c" },
];
const parts: readonly (readonly [title: string, subjects: readonly Subject[]])[] = [
  [
    "programs and subjects",
    [
      ...programs.map(ofProgram),
      ...wrong.map(ofSubject),
      { name: "parks-late-wakes, long script", scenario: parksLateWakes, options: { ...fixture, script: longScript } },
    ],
  ],
  ["others", others.map(ofProgram)],
];

const command = new Command("bench:explain")
  .description("Orderings that are left of a failure, and the executions that it takes to find them")
  .option("--seeds <n>", "campaigns of each strategy", whole, 20)
  .option("--json", "every number instead of tables", false)
  .parse();

await main(command.opts<Flags>());

async function main({ seeds, json }: Flags): Promise<void> {
  for (const [title, subjects] of parts) {
    const all: Told[] = [];
    const rows: string[][] = [];
    for (const subject of subjects) {
      for (const strategy of strategies) {
        const told = await tellAll(subject, strategy, seeds);
        all.push(...told);
        if (json) console.log(JSON.stringify({ name: subject.name, strategy, told }));
        else if (told.length > 0) rows.push([subject.name, strategy, String(told.length), ...cells(told)]);
      }
    }
    if (json) continue;
    const head = [title, "found by", "failures", "orderings", "shrinking", "script", "pair"];
    console.log(`${table(head, rows)}\n\n${shares(all).join("\n")}\n`);
  }
}

async function tellAll({ scenario, options }: Subject, strategy: StrategyName, seeds: number): Promise<Told[]> {
  const told: Told[] = [];
  for (let seed = 1; seed <= seeds; seed++) {
    const budget = executions[strategy] ?? options.executions ?? 2_000;
    const result = await explore(scenario, { ...options, strategy, executions: budget, seed: String(seed) });
    if (result.outcome === "violated") told.push(tell(result));
    else if (result.outcome !== "held") throw new Error(`"${scenario.name}" has ${result.outcome}: ${result.detail}`);
  }
  return told;
}

function tell({ repro, swap, extra }: Violated): Told {
  const reordered = repro.orderings.length > 0 || repro.faults.some(({ kind }) => kind === "late");
  const both = swap != null && swap.failing.violation?.name === repro.violates && swap.passing.violation === null;
  return {
    orderings: repro.orderings.length,
    script: extra?.script ?? 0,
    shrinking: extra?.schedule ?? 0,
    pair: extra?.pair ?? 0,
    decides: reordered ? both : null,
  };
}

/** Median, 95th percentile and maximum. */
function cells(told: readonly Told[]): string[] {
  return (["orderings", "shrinking", "script", "pair"] as const).map((key) => {
    const sorted = told.map((each) => each[key]).sort((a, b) => a - b);
    const at = (share: number): number => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
    return `${at(0.5)} / ${at(0.95)} / ${at(1)}`;
  });
}

function shares(told: readonly Told[]): string[] {
  const small = told.filter((each) => each.orderings <= promised.orderings && each.shrinking <= promised.shrinking);
  const reordered = told.filter(({ decides }) => decides !== null);
  const decided = reordered.filter(({ decides, pair }) => decides === true && pair <= promised.pair);
  return [
    share(small.length, told.length, `at most ${promised.orderings} orderings after ${promised.shrinking} executions`),
    share(decided.length, reordered.length, `a critical pair within ${promised.pair} executions, one order violating`),
  ];
}

function share(count: number, of: number, what: string): string {
  const reached = of === 0 ? 1 : count / of;
  const mark = reached >= promised.share ? "" : `, less than ${promised.share * 100} %`;
  return `${(reached * 100).toFixed(1)} % (${count} of ${of}): ${what}${mark}`;
}

function whole(text: string): number {
  const value = Number(text);
  if (!Number.isInteger(value) || value < 1) throw new InvalidArgumentError("Expected a whole number of at least 1");
  return value;
}
