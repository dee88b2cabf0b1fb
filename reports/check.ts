/**
 * A check as a table for a terminal: what was broken, with the repro of each breach, what is wrong with the subject
 * itself, what held, what was left out and what was never reached.
 */
import pc from "picocolors";
import type { Repro } from "../repro/repro.ts";
import type { Verdict, Violation } from "../sim/result.ts";
import { scriptWords } from "./described.ts";
import { happenedLines, seenLines, swapLines, whyLines } from "./failure.ts";
import { type ConsoleOptions, fitted, plain, type Section } from "./lines.ts";
import { counted, oneLine, verdictMeaning } from "./wording.ts";

/** What the kit reports, and where the repro files of it lie, in the same order. */
export type RenderedCheck = {
  readonly held: readonly string[];
  readonly broken: readonly {
    readonly invariant: string;
    readonly verdict: Verdict;
    readonly violation: Violation;
    readonly repro: Repro;
  }[];
  readonly skipped: readonly { readonly invariant: string; readonly because: string }[];
  readonly notReached: readonly string[];
  readonly executions: number;
  readonly problems: readonly { readonly kind: string; readonly detail: string; readonly repro?: Repro }[];
};
export type CheckPlaces = {
  /** How code replays a repro, where no command can because a test makes the subject; then these are paths. */
  readonly inCode?: string;
  /** What to add to `replay` to see it again; null where no file was written. */
  readonly broken: readonly (string | null)[];
  readonly problems: readonly (string | null)[];
};

const nameLimit = 120;
/** A command is as long as its paths. */
const commandLimit = 8_192;
const wordsWidth = 100;

export function renderCheck(
  name: string,
  check: RenderedCheck,
  places: CheckPlaces,
  options: ConsoleOptions,
): string[] {
  const { broken, problems, held } = check;
  return fitted(
    [
      kept([headline(name, check, options)]),
      {
        lines: broken.flatMap((each, at) => brokenLines(each, placeWords(places, places.broken[at]), options)),
        least: 2,
        rank: 7,
      },
      {
        lines: problems.flatMap((each, at) => problemLines(each, placeWords(places, places.problems[at]), options)),
        least: 2,
        rank: 6,
      },
      { lines: told("held", held.map(bare), options), least: 1, rank: 3 },
      { lines: told("skipped", skippedWords(check), options), least: 1, rank: 2 },
      {
        lines: told("not reached", goalWords(check), options),
        least: 1,
        rank: 5,
      },
      { lines: firstLines(check, options), least: 4, rank: 4 },
      ...(broken.length === 0 ? [] : [kept(againLines(places, options))]),
    ],
    options,
  );
}

function kept(lines: readonly string[]): Section {
  return { lines, least: lines.length, rank: 9 };
}

function headline(name: string, check: RenderedCheck, options: ConsoleOptions): string {
  const { broken, held, skipped, problems, executions } = check;
  const colors = pc.createColors(options.color);
  const wrong = new Set(broken.map(({ invariant }) => invariant)).size;
  const bad = wrong > 0 || problems.length > 0;
  const mark = bad ? colors.red("✗") : check.notReached.length > 0 ? colors.yellow("!") : colors.green("✓");
  const counts = [
    `${counted(held.length, "promise")} held`,
    ...(wrong > 0 ? [`${wrong} broken`] : []),
    ...(skipped.length > 0 ? [`${skipped.length} skipped`] : []),
    ...(problems.length > 0 ? [counted(problems.length, "problem")] : []),
  ];
  return `${mark} ${colors.bold(oneLine(name, nameLimit))}  ${counts.join(", ")}, ${counted(executions, "execution")}`;
}

function brokenLines(
  { invariant, verdict, repro }: RenderedCheck["broken"][number],
  place: string | null,
  options: ConsoleOptions,
): string[] {
  const { orderings, faults, data } = repro;
  const sizes = [
    counted(orderings.length, "ordering"),
    ...(faults.length > 0 ? [counted(faults.length, "fault")] : []),
    ...(data.length > 0 ? [counted(data.length, "choice")] : []),
  ];
  const lines = [`  broken       ${oneLine(invariant)}  ${verdict}, ${sizes.join(", ")}: ${scriptWords(repro.script)}`];
  if (place !== null) lines.push(`               ${place}`);
  return lines.map((line, at) => (at === 0 ? plain(line, options) : line));
}

function problemLines(
  { kind, detail, repro }: RenderedCheck["problems"][number],
  place: string | null,
  options: ConsoleOptions,
): string[] {
  const script = repro === undefined || repro.script.length === 0 ? "" : `: ${scriptWords(repro.script)}`;
  const lines = [
    plain(`  problem      ${oneLine(kind)}${script}`, options),
    plain(`               ${detail}`, options),
  ];
  if (place !== null) lines.push(`               ${place}`);
  return lines;
}

/** One title, and as many lines of words as it takes. */
function told(title: string, words: readonly string[], options: ConsoleOptions): string[] {
  if (words.length === 0) return [];
  const lines: string[] = [];
  for (const word of words) {
    const last = lines.at(-1);
    if (last === undefined || last.length + word.length > wordsWidth) lines.push(word);
    else lines[lines.length - 1] = `${last}, ${word}`;
  }
  return lines.map((line, at) => plain(`  ${(at === 0 ? title : "").padEnd(11)}  ${line}`, options));
}

/** Those that were left out for one reason stand together. */
function skippedWords({ skipped, executions }: RenderedCheck): readonly string[] {
  const reasons = new Map<string, string[]>();
  for (const { invariant, because } of skipped) {
    const others = reasons.get(because) ?? [];
    reasons.set(because, [...others, bare(invariant)]);
  }
  return [...reasons].map(([because, names]) => {
    const which = executions === 0 && names.length === skipped.length ? "everything" : names.join(", ");
    return `${which} (${oneLine(because)})`;
  });
}

/** Where nothing ran, nobody asks what was reached. */
function goalWords({ notReached, executions }: RenderedCheck): readonly string[] {
  return executions === 0 ? [] : notReached.map((goal) => `"${oneLine(goal)}"`);
}

/** The family's name says nothing new in a list of its own promises. */
function bare(invariant: string): string {
  return oneLine(invariant.slice(invariant.indexOf("/") + 1));
}

/** The first breach in full: what was seen, why it matters, what happened, which swap decides. */
function firstLines({ broken }: RenderedCheck, options: ConsoleOptions): string[] {
  const [first] = broken;
  if (first === undefined) return [];
  const { violation, repro, verdict } = first;
  return [
    "",
    ...seenLines(violation, options),
    ...whyLines(violation, options),
    `  ${verdict}: ${verdictMeaning[verdict]}`,
    ...happenedLines(repro, null, options),
    ...swapLines(repro, options),
  ];
}

function placeWords({ inCode }: CheckPlaces, place: string | null | undefined): string | null {
  if (place === null || place === undefined) return null;
  return `${inCode === undefined ? "replay" : "repro"} ${oneLine(place, commandLimit)}`;
}

function againLines({ inCode, broken }: CheckPlaces, { command }: ConsoleOptions): string[] {
  const first = broken.find((place) => place !== null);
  if (first === undefined) return [];
  const how = inCode ?? `${command} replay ${oneLine(first ?? "", commandLimit)}`;
  return ["", `  See one in full: ${how}`];
}
