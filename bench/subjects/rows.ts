/** The table of the subjects, in Markdown. */
import type { CheckReport } from "../../properties/kit/check-report.ts";
import type { Level } from "../../sim/result.ts";
import type { Found } from "./found.ts";

export const heading: readonly string[] = [
  "| subject | breaks | level | verdict | found | executions, median (most) | orderings, median (most) |",
  "|---|---|---|---|---|---|---|",
];

export function subjectRow(name: string, breaks: string, level: Level, all: readonly (Found | null)[]): string {
  const found = all.filter((each) => each !== null);
  const verdicts = [...new Set(found.map(({ verdict }) => verdict))].join(", ");
  const executions = spread(found.map((each) => each.executions));
  const orderings = spread(found.map((each) => each.orderings));
  return `| ${name} | ${breaks} | ${level} | ${verdicts} | ${found.length} of ${all.length} | ${executions} | ${orderings} |`;
}

export function controlRow(
  name: string,
  level: Level,
  { executions, broken, problems, notReached }: Pick<CheckReport, "executions" | "broken" | "problems" | "notReached">,
): string {
  const findings = [
    ...broken.map(({ invariant }) => invariant),
    ...problems.map(({ kind, detail }) => `${kind}: ${detail}`),
  ];
  const clean = findings.length === 0 ? "nothing" : findings.join("; ");
  const goals = notReached.length === 0 ? "every goal reached" : `never reached: ${notReached.join("; ")}`;
  return `| ${name} | ${clean} | ${level} | | | ${executions} | ${goals} |`;
}

function spread(values: readonly number[]): string {
  const sorted = values.toSorted((one, other) => one - other);
  return sorted.length === 0 ? "" : `${sorted[Math.floor((sorted.length - 1) / 2)]} (${sorted.at(-1)})`;
}
