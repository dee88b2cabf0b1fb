/** The result of an exhaustive exploration as lines for a terminal. */
import pc from "picocolors";
import type { Violation } from "../sim/model/judge.ts";
import type { LivenessResult } from "../sim/model/liveness.ts";
import type { ModelResult } from "../sim/model/result.ts";
import { counted, grouped, oneLine } from "./wording.ts";

type AnyModelResult = ModelResult<unknown, unknown, unknown>;
type AnyLivenessResult = LivenessResult<unknown, unknown, unknown>;
type Steps = readonly { readonly text: string }[];

export type ProofOptions = {
  readonly color: boolean;
  /** Goals, and all steps of a counterexample. */
  readonly full: boolean;
  readonly command: string;
  /** What to add to `replay` to see the counterexample in the host; null when no repro was written. */
  readonly replayArguments: string | null;
  /** Why the counterexample is no repro. */
  readonly noRepro: string | null;
};

/** Steps of a counterexample that are shown unless all are asked for. */
const stepsShown = 24;

export function renderProof(
  safety: AnyModelResult,
  liveness: AnyLivenessResult | null,
  { color, full, command, replayArguments, noRepro }: ProofOptions,
): string[] {
  const colors = pc.createColors(color);
  const broken = safety.violation !== null || liveness?.violation != null;
  const proved = safety.outcome === "proved" && (liveness === null || liveness.outcome === "proved");
  const mark = broken ? colors.red("✗") : proved ? colors.green("✓") : colors.yellow("?");
  const outcome = broken ? "violated" : proved ? "proved" : "incomplete";
  const size = `${counted(safety.states, "state")}, ${counted(safety.edges, "edge")}, depth ${safety.depth}`;
  const bounds = Object.entries(safety.bounds).map(([name, size]) => `${name} ${grouped(size)}`);
  const lines = [
    `${mark} ${colors.bold(oneLine(safety.model))}  ${outcome}: ${size}`,
    `    within: ${bounds.join(", ")}`,
    ...[safety.why, liveness?.why].flatMap((why) => (why == null ? [] : [`    ${oneLine(why)}`])),
    ...goalLines(safety, full),
  ];
  if (safety.violation !== null)
    lines.push(...violationLines(safety.violation, safety.counterexample?.steps ?? [], full));
  if (replayArguments !== null) lines.push(`  Replay it in the host: ${command} replay ${replayArguments}`);
  if (noRepro !== null) lines.push(`  No repro for the host: ${oneLine(noRepro)}`);
  if (liveness !== null) lines.push(...livenessLines(liveness, full));
  return lines;
}

function goalLines({ goals, outcome }: AnyModelResult, full: boolean): string[] {
  const all = Object.entries(goals);
  const missing = all.filter(([, depth]) => depth === null).map(([name]) => name);
  const lines = [`    ${grouped(all.length - missing.length)} of ${counted(all.length, "goal")} reached`];
  const why = outcome === "proved" ? "unreachable within these bounds" : "not reached so far";
  for (const name of missing) lines.push(`    ${why}: ${oneLine(name)}`);
  if (full) {
    for (const [name, depth] of all) if (depth !== null) lines.push(`    at depth ${depth}: ${oneLine(name)}`);
  }
  return lines;
}

function violationLines({ name, saw }: Violation, steps: Steps, full: boolean): string[] {
  return [
    `  ${oneLine(name)}: ${oneLine(saw)}`,
    `  The shortest way there, ${counted(steps.length, "input")}:`,
    ...numbered(steps, full),
  ];
}

function livenessLines({ violation, pending, outcome }: AnyLivenessResult, full: boolean): string[] {
  if (violation === null) {
    const names = Object.entries(pending).map(([name, states]) => `${oneLine(name)} (pending in ${grouped(states)})`);
    return outcome === "proved" ? [`    comes to an end, if the host answers: ${names.join(", ")}`] : [];
  }
  const { obligation, stem, cycle } = violation;
  const lines = [`  ${oneLine(obligation)} stays pending for ever, after:`, ...numbered(stem.steps, full)];
  if (cycle.length === 0) return [...lines, "  and then nothing happens any more"];
  return [...lines, "  and then, again and again:", ...numbered(cycle, full)];
}

function numbered(steps: Steps, full: boolean): string[] {
  const shown = full ? steps : steps.slice(0, stepsShown);
  const lines = shown.map(({ text }, at) => `    ${at + 1}. ${oneLine(text)}`);
  const hidden = steps.length - shown.length;
  return hidden > 0 ? [...lines, `    … ${counted(hidden, "more input")}; --full shows all`] : lines;
}
