/** What has changed since a repro was recorded, in a few lines; whatever is a guess says so. */
import type { Drift } from "../repro/drift.ts";
import { familyOf } from "../repro/renamed.ts";
import type { ReplayResult } from "../repro/replay.ts";
import { shellWord } from "../repro/shell-word.ts";
import type { ConsoleOptions } from "./lines.ts";
import { oneLine } from "./wording.ts";

/** So many names of each kind are told, unless all are asked for. */
const namesShown = 3;

export function driftLines(result: ReplayResult, options: ConsoleOptions): string[] {
  const { outcome, firstDifference, drift } = result;
  const lines: string[] = [];
  const parting = firstDifference ?? drift?.parting ?? null;
  if (parting !== null) {
    const why = drift?.parting?.step === parting.step ? `: ${drift.parting.why}` : "";
    lines.push(`  first difference at step ${parting.step}${why}`);
    lines.push(`    recorded: ${oneLine(parting.recorded)}`, `    now:      ${oneLine(parting.now)}`);
  }
  if (drift === undefined) return lines;
  if (drift.added.length > 0) lines.push(`  new since: ${names(drift.added, options)}`);
  const missing = new Set([...neverAppeared(result), ...drift.lookAlikes.map(({ gone }) => gone)]);
  const gone = drift.gone.filter((name) => !missing.has(name));
  if (gone.length > 0) lines.push(`  gone since: ${names(gone, options)}`);
  lines.push(...alikeLines(drift, options), ...guessLines(drift));
  if (outcome === "no-longer-fits") lines.push(...bestEffortLines(drift));
  return lines;
}

/** Deliveries that the repro names and that are not told in another way: by what they may be called now. */
export function neverAppeared({ neverAppeared, drift }: ReplayResult): readonly string[] {
  if (drift === undefined) return neverAppeared;
  const told = new Set(drift.lookAlikes.map(({ gone }) => gone));
  return neverAppeared.filter((name) => drift.gone.includes(name) && !told.has(name));
}

/** What the reader may do next: the words after `replay`, to be completed by the file. Null where nothing is known. */
export function nextStep({ outcome, drift }: ReplayResult): { readonly verb: string; readonly when: string } | null {
  if (drift === undefined) return null;
  const { bestEffort, guesses, lookAlikes } = drift;
  if (guesses.newComes !== null) return { verb: "shrink --write", when: "To have orderings that lead there again" };
  const taken = [...guesses.taken, ...guesses.wouldMeet].map(({ recorded, now }) => `${recorded}=${now}`);
  if (taken.length > 0) return { verb: `replay --record ${renames(taken)}`, when: "If that is so, record it" };
  const alike = lookAlikes
    .filter(({ gone }) => bestEffort.unmet.some((ordering) => ordering.includes(gone)))
    .map(({ gone, now }) => `${familyOf(gone)}=${familyOf(now)}`);
  if (alike.length > 0) return { verb: `replay --record ${renames(alike)}`, when: "If it was renamed, record it" };
  if (bestEffort.outcome === "held") return { verb: "replay --record", when: "If it is fixed, record that it holds" };
  const again = outcome === "no-longer-fits" && bestEffort.outcome === "violated";
  return again ? { verb: "replay --record", when: "If the change is meant, record it again" } : null;
}

function alikeLines({ lookAlikes }: Drift, { full }: ConsoleOptions): string[] {
  const seen = new Set<string>();
  const firsts = lookAlikes.filter(({ gone }) => !seen.has(familyOf(gone)) && seen.add(familyOf(gone)));
  return firsts.slice(0, full ? firsts.length : namesShown).map(({ gone, now, differs }) => {
    const same = differs === "label" ? "the same source" : "the same label";
    return `  ${named(gone)} never appeared; did you mean ${named(now)}? A guess: it has ${same}`;
  });
}

function guessLines({ guesses: { taken, newComes, wouldMeet, wouldViolate } }: Drift): string[] {
  const pairs = (all: Drift["guesses"]["taken"]): string =>
    all.map(({ recorded, now }) => `${named(recorded)} for ${named(now)}`).join(", ");
  const lines: string[] = [];
  if (taken.length > 0) lines.push(`  a guess: it fails as recorded once we take ${pairs(taken)}`);
  if (newComes !== null) {
    lines.push(`  a guess: it fails as recorded in the recorded order, where what is new comes ${when[newComes]}`);
  }
  if (wouldMeet.length > 0)
    lines.push(`  a guess: every ordering would be met once we took ${pairs(wouldMeet)}, and it held`);
  if (wouldViolate) lines.push("  in the recorded order it still fails, but without deliveries that the file names");
  return lines;
}

const when: Readonly<Record<NonNullable<Drift["guesses"]["newComes"]>, string>> = {
  first: "first",
  last: "last",
  "leading first": "first where it leads to what is not",
};

function bestEffortLines({ bestEffort: { outcome, met, unmet, violates } }: Drift): string[] {
  const count = `${met.length} of ${met.length + unmet.length} met`;
  if (outcome === "violated") return [`  best-effort: "${oneLine(violates ?? "")}" is violated, ${count}`];
  return [`  best-effort: ${outcome === "held" ? "it holds" : outcome.replaceAll("-", " ")}, ${count}`];
}

function names(all: readonly string[], { full }: ConsoleOptions): string {
  const shown = all.slice(0, full ? all.length : namesShown).map((name) => oneLine(name, 60));
  return [...shown, ...(all.length > shown.length ? [`${all.length - shown.length} more`] : [])].join(", ");
}

function renames(pairs: readonly string[]): string {
  return [...new Set(pairs)].map((pair) => `--rename ${shellWord(oneLine(pair, 240))}`).join(" ");
}

function named(name: string): string {
  return `"${oneLine(name, 60)}"`;
}
