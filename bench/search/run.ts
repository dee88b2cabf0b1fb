/**
 * How many executions each strategy needs until the first violation, beside fast-check's scheduler, and how many all
 * schedules take. The counts are the same on every machine: one process, one program after the other, own seeds.
 */
import { Command, InvalidArgumentError } from "commander";
import { strategyNames } from "../../sim/bounds.ts";
import { others, programs } from "./all.ts";
import { exhaustive, type Found, type Searcher, type Total, untilExhausted, untilViolation } from "./measure.ts";
import type { Program } from "./program.ts";
import { foundCell, table, totalCell } from "./table.ts";

type Flags = {
  readonly seeds: number;
  readonly cap: number;
  readonly totalCap: number;
  readonly only?: readonly string[];
  readonly strategy?: readonly string[];
  readonly undeclared: boolean;
  readonly totals: boolean;
  readonly json: boolean;
};
type Row = { readonly searcher: Searcher; readonly found: readonly Found[] };
type TotalRow = { readonly strategy: Searcher; readonly totals: readonly Total[] };
type Part = { readonly title: string; readonly programs: readonly Program[] };

const searchers: readonly Searcher[] = [...strategyNames, "fast-check"];
const names = [...programs, ...others].map(({ name }) => name);

const command = new Command("bench:search")
  .description("Executions until the first violation, for every strategy and fast-check's scheduler")
  .option("--seeds <n>", "campaigns of each strategy", whole, 60)
  .option("--cap <n>", "executions after which a campaign has missed", whole, 3_000)
  .option("--total-cap <n>", "executions after which counting all schedules is given up", whole, 20_000)
  .option("--only <program...>", `some of ${names.join(", ")}`)
  .option("--strategy <name...>", `some of ${searchers.join(", ")}`)
  .option("--undeclared", "leave open what deliveries touch", false)
  .option("--no-totals", "do not count all schedules")
  .option("--json", "every number instead of tables", false)
  .parse();

await main(command.opts<Flags>());

async function main(flags: Flags): Promise<void> {
  const chosen = known("--strategy", flags.strategy ?? searchers, searchers);
  const only = known("--only", flags.only ?? names, names);
  const budget = { seeds: flags.seeds, cap: flags.cap, declared: !flags.undeclared };
  const parts: readonly Part[] = [
    { title: "programs", programs: programs.filter(({ name }) => only.includes(name)) },
    { title: "others", programs: others.filter(({ name }) => only.includes(name)) },
  ];
  const told = [];
  for (const part of parts.filter((each) => each.programs.length > 0)) {
    const rows: Row[] = [];
    for (const searcher of chosen) {
      const found: Found[] = [];
      for (const program of part.programs) {
        progress(`${searcher} on ${program.name}`);
        found.push(await untilViolation(searcher, program, budget));
      }
      rows.push({ searcher, found });
    }
    const totals: TotalRow[] = [];
    for (const strategy of exhaustive) {
      if (!flags.totals || !chosen.includes(strategy)) continue;
      const row: Total[] = [];
      for (const program of part.programs) {
        progress(`all schedules of ${program.name} by ${strategy}`);
        row.push(await untilExhausted(strategy, program, { cap: flags.totalCap, declared: budget.declared }));
      }
      totals.push({ strategy, totals: row });
    }
    told.push({ part, rows, totals });
  }
  progress(null);
  if (flags.json) {
    const shown = told.map(({ part, rows, totals }) => ({
      programs: part.programs.map(({ name }) => name),
      rows,
      totals: totals.map(({ strategy, totals }) => ({ strategy, totals: totals.map(({ ms: _, ...total }) => total) })),
    }));
    console.log(JSON.stringify({ ...budget, totalCap: flags.totalCap, parts: shown }, null, 2));
    return;
  }
  const touches = budget.declared ? "declared" : "undeclared";
  console.log(
    `Executions to the first violation: median / 90th percentile of ${flags.seeds} seeds (seeds that missed),`,
  );
  console.log(`cap ${flags.cap}, touches ${touches}; "all": classes (+ executions that only repeat)`);
  for (const { part, rows, totals } of told) {
    const head = [part.title, ...part.programs.map(({ name }) => name)];
    const lines = rows.map(({ searcher, found }) => [searcher, ...found.map((each) => foundCell(each, flags.cap))]);
    const last = totals.map(({ strategy, totals }) => [
      `${strategy}: all`,
      ...totals.map((total) => totalCell(total, flags.totalCap)),
    ]);
    console.log(`\n${table(head, [...lines, ...last])}`);
  }
}

function known<Name extends string>(flag: string, asked: readonly string[], all: readonly Name[]): readonly Name[] {
  const wrong = asked.find((name) => !all.some((each) => each === name));
  if (wrong !== undefined) command.error(`error: ${flag}: expected some of ${all.join(", ")}, found "${wrong}"`);
  return all.filter((name) => asked.includes(name));
}

function whole(text: string): number {
  const value = Number(text);
  if (!Number.isInteger(value) || value < 1) throw new InvalidArgumentError("Expected a whole number of at least 1");
  return value;
}

/** Says on a terminal what is under way. */
function progress(what: string | null): void {
  if (process.stderr.isTTY) process.stderr.write(`\r\u001b[K${what ?? ""}`);
}
