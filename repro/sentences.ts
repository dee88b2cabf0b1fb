/**
 * Says a schedule in plain sentences, with the reader's own labels. A delivery may be an answer, a timer, an event or
 * the start of an actor, so it "comes": that is true of all of them.
 */
import type { Execution } from "../sim/execution.ts";
import { parseName } from "../sim/names.ts";
import type { Fault, Ordering } from "../sim/result.ts";
import { anchorOf } from "./orderings.ts";
import { cutInTheMiddle, escaped, invisible, quoted } from "./quoted.ts";
import type { Repro } from "./repro.ts";
import type { ToldChoice } from "./telling.ts";

type Choice = Pick<ToldChoice, "label" | "value">;

/** Nobody may read it as a law about all executions. */
const swapping = "in this execution, swapping just these two decides: it fails";
const labelLimit = 60;
const valueLimit = 100;
/** Of a longer name only the ends can be seen; nobody waits until all of it was read. */
const nameLimit = 1_000;

/** Names a delivery: `"stop" (user)`, and from the second on `the second "stop" (user)`. */
export function deliveryPhrase(name: string): string {
  const parsed = parseName(cutInTheMiddle(name, nameLimit));
  if (parsed === null) return quoted(name, labelLimit);
  const { source, label, occurrence } = parsed;
  const phrase = `${quoted(label, labelLimit)} (${quoted(source, labelLimit).slice(1, -1)})`;
  return occurrence === 1 ? phrase : `the ${ordinal(occurrence)} ${phrase}`;
}

export function orderingSentence({ first, then }: Ordering): string {
  return sentence(`${deliveryPhrase(first)} came before ${deliveryPhrase(then)}`);
}

/** Says what a fault did. `anchor` is the delivery in whose drain a late one arrived, where it is known. */
export function faultSentence({ at, kind, arg }: Fault, anchor: string | null = null): string {
  const struck = deliveryPhrase(at);
  switch (kind) {
    case "late": {
      const drain = anchor === null ? "the delivery before it" : deliveryPhrase(anchor);
      return sentence(`${struck} came while the microtasks of ${drain} ran, at tick ${arg ?? 1}`);
    }
    case "fail":
      return sentence(`${struck} failed with ${failureOf(at)}`);
    case "hang":
      return sentence(`${struck} never settled`);
    case "partial":
      return sentence(`${struck} was done in part${arg === undefined ? "" : ` (${arg})`}`);
    case "crash":
      return sentence(`the process crashed at ${struck}`);
  }
}

/** What a delivery that is made to fail is rejected with. */
function failureOf(at: string): string {
  return quoted(`${at.length > nameLimit ? cutInTheMiddle(at, nameLimit) : at} was made to fail`, valueLimit);
}

/** Says which option a choice of data took; both are counted from 1. `choices` are those of the execution, where known. */
export function dataSentence(choice: number, index: number, choices: readonly Choice[] = []): string {
  const told = choices[choice - 1];
  if (told === undefined) return `The ${ordinal(choice)} choice of data took its ${ordinal(index + 1)} option.`;
  const { label, value } = told;
  const before = choices.slice(0, choice - 1).filter((each) => each.label === label).length;
  const name = quoted(label, labelLimit);
  const which = before === 0 ? `the choice ${name}` : `the ${ordinal(before + 1)} choice ${name}`;
  return sentence(`${which} came out as ${value.replace(invisible, escaped)}, its ${ordinal(index + 1)} option`);
}

/** Says which swap alone flips the outcome here. `late` when the second arrives inside the drain of the first. */
export function swapSentence([first, then]: readonly [string, string], late = false): string {
  const a = deliveryPhrase(first);
  const b = deliveryPhrase(then);
  if (late) {
    return sentence(
      `${swapping} when ${b} comes while the microtasks of ${a} run, and holds when it comes outside of them`,
    );
  }
  return sentence(`${swapping} when ${a} comes before ${b}, and holds when ${b} comes first`);
}

/** Says all that leads to a failure: orderings, faults, data, then the swap that decides. */
export function reproSentences(repro: Repro, execution: Execution | null = null): string[] {
  const swap = decidingSwap(repro);
  return swap === null ? factSentences(repro, execution) : [...factSentences(repro, execution), swap];
}

/** Says which swap decides; null where none is known. */
export function decidingSwap({ criticalPair, faults }: Repro): string | null {
  if (criticalPair === null) return null;
  const late = faults.some(({ at, kind }) => at === criticalPair[1] && kind === "late");
  return swapSentence(criticalPair, late);
}

/** Says what came before what, and what befell whom; what is told of one delivery in a row becomes one sentence. */
export function factSentences(
  repro: Repro,
  execution: Execution | null = null,
  choices: readonly Choice[] = [],
): string[] {
  return factsOf(repro, execution, choices).map((said) => said());
}

/** The first `most` of these sentences, and how many more there are. */
export function firstFacts(
  repro: Repro,
  most: number,
  choices: readonly Choice[] = [],
): { readonly sentences: readonly string[]; readonly more: number } {
  const facts = factsOf(repro, null, choices);
  return { sentences: facts.slice(0, most).map((said) => said()), more: Math.max(0, facts.length - most) };
}

/** Each sentence once it is asked for: there may be thousands of facts, and few are told. */
function factsOf(repro: Repro, execution: Execution | null, choices: readonly Choice[]): (() => string)[] {
  const anchor = ({ at }: Fault): string | null => {
    if (execution !== null) return anchorOf(execution, at);
    return repro.criticalPair?.[1] === at ? repro.criticalPair[0] : null;
  };
  const struck = new Map(repro.faults.map((fault) => [fault.at, fault]));
  // Who comes while the microtasks of another run has come after it.
  const said = repro.orderings.filter(({ first, then }) => {
    const fault = struck.get(then);
    return fault?.kind !== "late" || anchor(fault) !== first;
  });
  const groups = grouped(said);
  const last = groups.at(-1);
  const [next] = repro.faults;
  const follows = last?.then.length === 1 && next !== undefined && last.then[0] === next.at ? fate(next) : null;
  const facts = [
    ...groups.map((group) => () => groupSentence(group, group === last ? follows : null)),
    ...repro.faults.slice(follows === null ? 0 : 1).map((fault) => () => faultSentence(fault, anchor(fault))),
    ...repro.data.flatMap((index, at) => (index === 0 ? [] : [() => dataSentence(at + 1, index, choices)])),
  ];
  return facts.length === 0 ? [() => "It fails without any reordering."] : facts;
}

/** Each of `first` before each of `then`; one of the two lists has one name. */
type Group = { readonly first: readonly string[]; readonly then: readonly string[] };

/** Orderings in a row that share a delivery, as one. */
function grouped(orderings: readonly Ordering[]): Group[] {
  const groups: { readonly first: string[]; readonly then: string[] }[] = [];
  for (const { first, then } of orderings) {
    const last = groups.at(-1);
    if (last !== undefined && last.then.length === 1 && last.then[0] === then) last.first.push(first);
    else if (last !== undefined && last.first.length === 1 && last.first[0] === first) last.then.push(then);
    else groups.push({ first: [first], then: [then] });
  }
  return groups;
}

function groupSentence({ first, then }: Group, follows: string | null): string {
  const before = listed(then, (name) => `before ${deliveryPhrase(name)}`);
  return sentence(`${listed(first, deliveryPhrase)} came ${before}${follows === null ? "" : `, ${follows}`}`);
}

/** What became of a delivery, said after its name. */
function fate({ at, kind }: Fault): string | null {
  return kind === "fail" ? `which failed with ${failureOf(at)}` : kind === "hang" ? "which never settled" : null;
}

/** More than a few names are counted: a sentence must remain one. */
function listed(names: readonly string[], phrase: (name: string) => string): string {
  const most = 4;
  if (names.length === 1) return names.map(phrase).join("");
  const shown = names.slice(0, names.length > most ? most - 1 : -1).map(phrase);
  const last = names.length > most ? `${names.length - shown.length} more` : names.slice(-1).map(phrase).join("");
  return `${shown.join(", ")} and ${last}`;
}

function sentence(words: string): string {
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}.`;
}

const ordinals = "first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth".split(" ");

function ordinal(count: number): string {
  const word = ordinals[count - 1];
  if (word !== undefined) return word;
  const teen = count % 100 >= 11 && count % 100 <= 13;
  const suffix = teen ? "th" : (["th", "st", "nd", "rd"][count % 10] ?? "th");
  return `${count}${suffix}`;
}
