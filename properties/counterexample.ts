/**
 * From a run of a model to a repro of the host: the scenario runs once in the order of the run, and what it violates then is
 * shrunk, explained and written down like anything that a search finds. The model says where to look; the host is the judge.
 */
import { explain, type Found } from "../repro/explain.ts";
import { reproOf } from "../repro/explore.ts";
import { planOf } from "../sim/bounds.ts";
import type { Execution, PossibleDelivery } from "../sim/execution.ts";
import type { Violation } from "../sim/model/judge.ts";
import { withRunner } from "../sim/runner.ts";
import type { Scenario } from "../sim/scenario.ts";
import { FirstComeChooser } from "../sim/strategy.ts";
import type { Converted } from "./proof.ts";

/** One input of the run, and the delivery that gives it to the host. */
export type Move = {
  /** The input in words. */
  readonly text: string;
  fits(delivery: PossibleDelivery): boolean;
};

/** Brings about what the run did and returns its repro; or says at which input the host did not follow, or that nothing was seen. */
export async function counterexampleOf(
  scenario: Scenario,
  { script, moves, violation }: { script: readonly unknown[]; moves: readonly Move[]; violation: Violation },
): Promise<Converted> {
  const { settings } = planOf(scenario, { level: "spec", script });
  const following = new FollowingChooser(moves);
  const execution = await withRunner(scenario, settings, (runner) => runner.run(following));
  if (execution.violation === null) return { repro: null, because: unseen(violation, following, execution) };
  const found: Found = {
    outcome: "violated",
    execution,
    violation: execution.violation,
    level: "spec",
    settings,
    // Nothing was searched: the orderings came with the run.
    strategy: "orderings",
    index: 0,
    executions: 1,
    reached: { goals: {}, missing: [] },
    seed: settings.seed,
    ambiguous: execution.ambiguous,
  };
  const repro = reproOf(scenario, found, await explain(scenario, found), script);
  const { name } = violation;
  const seen = repro.violates === name ? name : `${name}, seen from outside as ${repro.violates}`;
  return { repro: { ...repro, title: `The shortest way to break ${seen}` } };
}

/** Delivers in the order of the moves, and then as it comes. */
class FollowingChooser extends FirstComeChooser {
  readonly #moves: readonly Move[];
  #at = 0;
  #lost: string | null = null;

  constructor(moves: readonly Move[]) {
    super(false);
    this.#moves = moves;
  }

  /** The first move that could not be made, in words. */
  get lost(): string | null {
    return this.#lost;
  }

  override delivery(possible: readonly PossibleDelivery[] = [], count = 0): number {
    const move = this.#lost === null ? this.#moves[this.#at] : undefined;
    if (move === undefined) return 0;
    for (let index = 0; index < count; index++) {
      const candidate = possible[index];
      if (candidate !== undefined && move.fits(candidate)) return index;
    }
    return 0;
  }

  override delivered(delivery?: PossibleDelivery): void {
    const move = this.#moves[this.#at];
    if (this.#lost !== null || move === undefined || delivery === undefined) return;
    if (move.fits(delivery)) this.#at += 1;
    else this.#lost = `input ${this.#at + 1} (${move.text})`;
  }
}

function unseen({ name }: Violation, { lost }: FollowingChooser, { steps }: Execution): string {
  return lost === null
    ? `the host does the same, and from outside nothing is seen of ${name} in ${steps.length} deliveries`
    : `the host did not come to ${lost}`;
}
