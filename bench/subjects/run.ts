/**
 * Judges every subject by the kit, as a stranger's class is judged: how many executions it takes until its fault is found
 * (median of the seeds), and that the controls have none. `npm run explore:all`.
 */
import { Command } from "commander";
import { createAgent, createLeaseScheduler } from "../../core/index.ts";
import { defaultPolicy } from "../../core/lease/state.ts";
import { agentCheck, type MakeAgent } from "../../properties/agent/check-agent.ts";
import { ByTheBook } from "../../properties/agent/subjects/by-the-book.ts";
import { agentSubjects } from "../../properties/agent/subjects/table.ts";
import { leaseCheck, type MakeLeaseScheduler } from "../../properties/lease/check-lease-scheduler.ts";
import { ByTheBook as LeasesByTheBook } from "../../properties/lease/subjects/by-the-book.ts";
import { leaseSubjects } from "../../properties/lease/subjects/table.ts";
import type { Level } from "../../sim/result.ts";
import { type Checked, findAnything, findBreach } from "./found.ts";
import { controlRow, heading, subjectRow } from "./rows.ts";

type Subject = { readonly name: string; readonly breaks: string; readonly level: Level; readonly checked: Checked };
type Control = { readonly name: string; readonly checked: Checked };

const ofAgent =
  (make: MakeAgent): Checked =>
  (plan) =>
    agentCheck(make, plan);
const ofLeases =
  (make: MakeLeaseScheduler): Checked =>
  (plan) =>
    leaseCheck(make, plan);
const subjects: readonly Subject[] = [
  ...agentSubjects.map(({ name, level, make, breaks: [first] }) => ({
    ...{ name, level, breaks: first },
    checked: ofAgent(make),
  })),
  ...leaseSubjects.map(({ name, level, make, breaks: [first] }) => ({
    ...{ name: `leases: ${name}`, level, breaks: first },
    checked: ofLeases(make),
  })),
];
const controls: readonly Control[] = [
  { name: "agent by the book", checked: ofAgent((ports) => new ByTheBook(ports)) },
  { name: "agent of the core", checked: ofAgent((ports) => createAgent(ports)) },
  { name: "leases by the book", checked: ofLeases((ports) => new LeasesByTheBook(ports, defaultPolicy)) },
  { name: "leases of the core", checked: ofLeases((ports) => createLeaseScheduler(ports)) },
];

const program = new Command("explore:all")
  .option("--seeds <count>", "how often each subject is judged", Number, 20)
  .option("--executions <count>", "budget of one check", Number, 3_000)
  .option("--controls <count>", "budget of each control", Number, 10_000)
  .option("--only <name>", "a part of the name of what is judged", "")
  .parse();
const {
  seeds,
  executions,
  controls: controlled,
  only,
} = program.opts<{
  readonly seeds: number;
  readonly executions: number;
  readonly controls: number;
  readonly only: string;
}>();

let bad = false;
process.stdout.write(`${heading.join("\n")}\n`);
for (const { name, breaks, level, checked } of subjects.filter((each) => each.name.includes(only))) {
  const found = [];
  for (let seed = 0; seed < seeds; seed++)
    found.push(await findBreach(checked, breaks, { seed: String(seed), executions, level }));
  bad ||= found.includes(null);
  process.stdout.write(`${subjectRow(name, breaks, level, found)}\n`);
}
for (const { name, checked } of controls.filter((each) => each.name.includes(only))) {
  for (const level of ["spec", "jitter"] as const) {
    const report = await findAnything(checked, { executions: controlled, scripts: Math.ceil(controlled / 50), level });
    bad ||= report.broken.length + report.problems.length + report.notReached.length > 0;
    process.stdout.write(`${controlRow(name, level, report)}\n`);
  }
}
process.exitCode = bad ? 1 : 0;
