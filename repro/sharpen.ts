import type { Execution } from "../sim/execution.ts";
import { type Schedule, ScheduleChooser } from "../sim/schedule.ts";
import { type ChooserRuns, type CriticalPair, findCriticalPair } from "./critical-pair.ts";
import { inOrderOf } from "./orderings.ts";
import { isSameViolation } from "./shrink.ts";

export type Sharpened = { readonly schedule: Schedule; readonly execution: Execution; readonly pair: CriticalPair };

/**
 * Puts the critical pair itself in place of an ordering of a minimal schedule, where that fails in the same way and
 * makes nothing else needless: the facts and the swap that decides then tell one story. Null where they cannot.
 */
export async function sharpen(
  schedule: Schedule,
  { pair, failing }: CriticalPair,
  runs: ChooserRuns,
  limit: number,
): Promise<Sharpened | null> {
  const [first, then] = pair;
  const { violation } = failing;
  if (violation === null || schedule.orderings.some((each) => each.first === first && each.then === then)) return null;
  const fails = async (candidate: Schedule): Promise<Execution | null> => {
    const execution = await runs(new ScheduleChooser(candidate));
    return isSameViolation(violation, execution.violation) ? execution : null;
  };
  for (const replaced of schedule.orderings.toReversed()) {
    const others = schedule.orderings.filter((ordering) => ordering !== replaced);
    const sharper: Schedule = { ...schedule, orderings: [...others, { first, then }] };
    const execution = await fails(sharper);
    if (execution === null || (await anyNeedless(sharper, fails))) continue;
    const again = await findCriticalPair(sharper, execution, runs, limit);
    if (again?.pair[0] !== first || again.pair[1] !== then) continue;
    return { schedule: { ...sharper, orderings: inOrderOf(execution, sharper.orderings) }, execution, pair: again };
  }
  return null;
}

/** Tells whether the schedule fails with one ordering, fault or choice of data less. */
async function anyNeedless(
  { orderings, faults, data }: Schedule,
  fails: (schedule: Schedule) => Promise<Execution | null>,
): Promise<boolean> {
  const lesser: Schedule[] = [
    ...orderings.map((taken) => ({ orderings: orderings.filter((each) => each !== taken), faults, data })),
    ...faults.map((taken) => ({ orderings, faults: faults.filter((each) => each !== taken), data })),
    ...data.flatMap((index, at) => (index === 0 ? [] : [{ orderings, faults, data: data.with(at, 0) }])),
  ];
  for (const less of lesser) if ((await fails(less)) !== null) return true;
  return false;
}
