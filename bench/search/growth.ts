/**
 * How the number of executions until every schedule is accounted for grows: with the number of actors and the deliveries
 * of each, and with the length of a script that the core's host is given. The counts are the same on every machine; the
 * times are of this one.
 */
import { Command, InvalidArgumentError } from "commander";
import { coreAgent } from "../../properties/agent/scenarios.ts";
import { send } from "../../properties/agent/script.ts";
import type { StrategyName } from "../../sim/result.ts";
import { type Scenario, scenario, scenarioParts } from "../../sim/scenario.ts";
import { exhaust, type Total, untilExhausted } from "./measure.ts";
import type { Program } from "./program.ts";
import { table, totalCell } from "./table.ts";
import { undeclared } from "./undeclared.ts";

type Flags = { readonly cap: number };
/** Which deliveries of an actor touch what the others touch; the rest touch what is its own. */
type Sharing = "last" | "every second";
type Column = { readonly head: string; readonly strategy: StrategyName; readonly declared: boolean };

const actorsMost = 5;
const deliveriesMost = 6;
const sendsMost = 5;
const columns: readonly Column[] = [
  { head: "dpor, undeclared", strategy: "dpor", declared: false },
  { head: "depth-first", strategy: "depth-first", declared: false },
];

const command = new Command("bench:growth")
  .description("Executions until every schedule is accounted for, as scenarios grow")
  .option("--cap <n>", "executions after which counting is given up", whole, 5_000)
  .parse();

await main(command.opts<Flags>());

async function main({ cap }: Flags): Promise<void> {
  console.log(`Classes (+ executions that only repeat) and time until every schedule is accounted for, cap ${cap}\n`);
  const rows: string[][] = [];
  for (let actors = 2; actors <= actorsMost; actors++) {
    for (let deliveries = 1; deliveries <= deliveriesMost; deliveries++) {
      const row = [String(actors), String(deliveries)];
      for (const sharing of ["last", "every second"] as const) {
        const program = actorsSharing(actors, deliveries, sharing);
        row.push(cell(await untilExhausted("dpor", program, { cap, declared: true }), cap));
      }
      const program = actorsSharing(actors, deliveries, "last");
      for (const { strategy, declared } of columns) {
        row.push(cell(await untilExhausted(strategy, program, { cap, declared }), cap));
      }
      rows.push(row);
    }
  }
  const shared = ["dpor, last shared", "dpor, every second shared"];
  console.log(table(["actors", "deliveries each", ...shared, ...columns.map(({ head }) => head)], rows));
  console.log(`\n${await agentTable(cap)}`);
}

async function agentTable(cap: number): Promise<string> {
  const rows: string[][] = [];
  const withoutTouches = undeclaredTwin(coreAgent);
  for (let sends = 1; sends <= sendsMost; sends++) {
    const script = Array.from({ length: sends }, (_, nth) => send(`m${nth + 1}`));
    const options = { script, executions: cap };
    rows.push([
      String(sends),
      cell(await exhaust(coreAgent, { ...options, strategy: "dpor" }), cap),
      cell(await exhaust(withoutTouches, { ...options, strategy: "dpor" }), cap),
      cell(await exhaust(withoutTouches, { ...options, strategy: "depth-first" }), cap),
    ]);
  }
  return table(["sends to the core's host", "dpor, as declared", "dpor, undeclared", "depth-first"], rows);
}

function actorsSharing(actors: number, deliveries: number, sharing: Sharing): Program {
  return {
    name: `${actors} actors, ${deliveries} deliveries each, ${sharing} shared`,
    start(outside) {
      for (let actor = 1; actor <= actors; actor++) {
        outside.actor(`actor ${actor}`, async (step) => {
          for (let left = deliveries; left > 0; left--) {
            const isShared = sharing === "last" ? left === 1 : left % 2 === 1;
            await step("work", { writes: [isShared ? "shared" : `own ${actor}`] });
          }
        });
      }
      return () => null;
    },
  };
}

function undeclaredTwin(subject: Scenario): Scenario {
  const { body, options } = scenarioParts(subject);
  return scenario(`${subject.name}, undeclared`, options, (world, ...rest) => body(undeclared(world), ...rest));
}

function cell(total: Total, cap: number): string {
  const { ms } = total;
  return `${totalCell(total, cap)}, ${ms < 1_000 ? `${Math.round(ms)} ms` : `${(ms / 1_000).toFixed(1)} s`}`;
}

function whole(text: string): number {
  const value = Number(text);
  if (!Number.isInteger(value) || value < 1) throw new InvalidArgumentError("Expected a whole number of at least 1");
  return value;
}
