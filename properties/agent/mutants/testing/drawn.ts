/** Which mutants a slow table judges: five, drawn by `MICROLOOM_MUTANTS`, or all where that says so. */
import { Random, streamSeed } from "../../../../sim/random.ts";

const count = 5;

export function drawn<Mutant>(
  mutants: readonly Mutant[],
  by = process.env.MICROLOOM_MUTANTS ?? "mutants",
): readonly Mutant[] {
  if (by === "all") return mutants;
  const random = new Random(streamSeed(by, "schedule"));
  random.restart(0);
  const left = [...mutants];
  while (left.length > count) left.splice(random.below(left.length), 1);
  return left;
}
