/** Results as plain tables that are Markdown, too. */
import type { Found, Total } from "./measure.ts";

/** Median and 90th percentile, and in brackets how many seeds found nothing; one number where there is one seed. */
export function foundCell(found: Found, cap: number): string {
  const sorted = found.map((runs) => runs ?? Number.POSITIVE_INFINITY).sort((a, b) => a - b);
  const misses = found.filter((runs) => runs === null).length;
  const text = (runs: number): string => (Number.isFinite(runs) ? String(runs) : `> ${cap}`);
  if (misses === found.length) return "never";
  if (found.length === 1) return text(at(sorted, 0));
  const both = `${text(at(sorted, 0.5))} / ${text(at(sorted, 0.9))}`;
  return misses === 0 ? both : `${both} (${misses})`;
}

/** Classes, and behind a plus the executions that only repeated something. */
export function totalCell({ classes, blocked }: Total, cap: number): string {
  if (classes === null) return `> ${cap}`;
  return blocked === 0 ? String(classes) : `${classes} + ${blocked}`;
}

export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = head.map((_, column) => Math.max(3, ...[head, ...rows].map((row) => row[column]?.length ?? 0)));
  const line = (row: readonly string[]): string =>
    `| ${widths.map((width, column) => (row[column] ?? "").padEnd(width)).join(" | ")} |`;
  return [line(head), `|${widths.map((width) => "-".repeat(width + 2)).join("|")}|`, ...rows.map(line)].join("\n");
}

function at(sorted: readonly number[], share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.POSITIVE_INFINITY;
}
