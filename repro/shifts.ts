/**
 * Numbers of deliveries that may have moved: a call that was added before others of the same source and label makes the
 * 1st the 2nd. Which of them a repro means now cannot be known, so it is tried, and what was taken for what is told with
 * the result. Only a violation is believed, because that one happened; that something holds is never concluded from a guess.
 */
import { chosenSteps, type Execution } from "../sim/execution.ts";
import { parseName } from "../sim/names.ts";
import type { RecordedStep } from "./packed-steps.ts";
import { familyOf, namesIn, renamed } from "./renamed.ts";
import type { Repro } from "./repro.ts";

export type Taken = { readonly recorded: string; readonly now: string };
export type Shift = { readonly repro: Repro; readonly taken: readonly Taken[] };

/** No more than so many are tried, the likeliest first. */
const shiftsMost = 24;

/**
 * The repro with the numbers of one source and label moved, from some number on. Where the execution met every ordering,
 * only those whose count has changed: without that nothing says that a number means another delivery now.
 */
export function shiftsOf(repro: Repro, recorded: readonly RecordedStep[], now: Execution, fits: boolean): Shift[] {
  const before = countsOf(recorded.map(({ name }) => name));
  const after = countsOf([...chosenSteps(now).map(({ name }) => name), ...now.left]);
  const named = namesIn(repro);
  const likely: Shift[] = [];
  const others: Shift[] = [];
  for (const family of new Set(named.map(familyOf))) {
    const change = (after.get(family) ?? 0) - (before.get(family) ?? 0);
    if (fits && change === 0) continue;
    const numbers = [...new Set(named.filter((name) => familyOf(name) === family).map(numberOf))].sort((a, b) => a - b);
    for (const by of new Set([change, Math.sign(change), 1, -1])) {
      if (by === 0) continue;
      for (const from of numbers) {
        if (from + by < 1) continue;
        (Math.sign(by) === Math.sign(change) ? likely : others).push(shifted(repro, named, family, from, by));
      }
    }
  }
  return [...likely, ...others].slice(0, shiftsMost);
}

function shifted(repro: Repro, named: readonly string[], family: string, from: number, by: number): Shift {
  const rename = (name: string): string =>
    familyOf(name) === family && numberOf(name) >= from ? `${family}#${numberOf(name) + by}` : name;
  const taken = named.map((name) => ({ recorded: name, now: rename(name) }));
  return { repro: renamed(repro, rename), taken: taken.filter((each) => each.recorded !== each.now) };
}

function countsOf(names: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const name of names) counts.set(familyOf(name), (counts.get(familyOf(name)) ?? 0) + 1);
  return counts;
}

function numberOf(name: string): number {
  return parseName(name)?.occurrence ?? 1;
}
