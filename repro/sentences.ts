/**
 * Says a schedule in plain sentences, with the reader's own labels. A delivery may be an answer, a timer, an event or
 * the start of an actor, so it "comes": that is true of all of them.
 */
import type { Execution } from "../sim/execution.ts";
import { parseName } from "../sim/names.ts";
import type { Fault, Ordering } from "../sim/result.ts";
import { anchorOf } from "./orderings.ts";
import { quoted } from "./quoted.ts";
import type { Repro } from "./repro.ts";

const labelLimit = 60;

/** Names a delivery: `"stop" (user)`, and from the second on `the 2nd "stop" (user)`. */
export function deliveryPhrase(name: string): string {
  const parsed = parseName(name);
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
      return sentence(`${struck} came at tick ${arg ?? 1} of the microtasks of ${drain}`);
    }
    case "fail":
      return sentence(`${struck} failed`);
    case "hang":
      return sentence(`${struck} never settled`);
    case "partial":
      return sentence(`${struck} was done in part${arg === undefined ? "" : ` (${arg})`}`);
    case "crash":
      return sentence(`the process crashed at ${struck}`);
  }
}

/** Says which option a choice of data took; both are counted from 1. */
export function dataSentence(choice: number, index: number): string {
  return `The ${ordinal(choice)} choice of data took its ${ordinal(index + 1)} option.`;
}

/** Says which swap alone flips the outcome. `late` when the second arrives inside the drain of the first. */
export function swapSentence([first, then]: readonly [string, string], late = false): string {
  const a = deliveryPhrase(first);
  const b = deliveryPhrase(then);
  if (late)
    return sentence(`it fails when ${b} comes inside the microtasks of ${a}, and holds when it comes outside of them`);
  return sentence(`it fails when ${a} comes before ${b}, and holds when ${b} comes before ${a}`);
}

/** Says all that leads to a failure: orderings, faults, data, then the swap that decides. */
export function reproSentences(repro: Repro, execution: Execution | null = null): string[] {
  const anchor = ({ at }: Fault): string | null => {
    if (execution !== null) return anchorOf(execution, at);
    return repro.criticalPair?.[1] === at ? repro.criticalPair[0] : null;
  };
  const late = (name: string): boolean => repro.faults.some(({ at, kind }) => at === name && kind === "late");
  const facts = [
    ...repro.orderings.map(orderingSentence),
    ...repro.faults.map((fault) => faultSentence(fault, anchor(fault))),
    ...repro.data.flatMap((index, at) => (index === 0 ? [] : [dataSentence(at + 1, index)])),
  ];
  if (facts.length === 0) facts.push("It fails without any reordering.");
  const { criticalPair } = repro;
  return criticalPair === null ? facts : [...facts, swapSentence(criticalPair, late(criticalPair[1]))];
}

function sentence(words: string): string {
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}.`;
}

function ordinal(count: number): string {
  const teen = count % 100 >= 11 && count % 100 <= 13;
  const suffix = teen ? "th" : (["th", "st", "nd", "rd"][count % 10] ?? "th");
  return `${count}${suffix}`;
}
