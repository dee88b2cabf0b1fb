/** Random lives of the reducer, and who sees in them that it is a mutant: a second reading of the contract, and the core's own invariants. */
import { isDeepStrictEqual } from "node:util";
import fc from "fast-check";
import type { AgentPolicy } from "../../../../core/agent/state.ts";
import { invariants } from "../../../../core/agent/testing/invariants.ts";
import { type Move, play, type Run } from "../../../../core/agent/testing/model-host.ts";
import { moves, policies } from "../../../../core/agent/testing/moves.ts";
import { secondReading } from "../../../../core/agent/testing/second-reading.ts";
import { atMostOnce, noDroppedWake, replaysWhatIsDue } from "../../../../core/agent/testing/wakes.ts";

export type Life = { readonly policy: AgentPolicy; readonly moves: readonly Move[] };

export function randomLives(count: number, seed: number): readonly Life[] {
  return fc.sample(fc.tuple(policies, moves), { numRuns: count, seed }).map(([policy, moves]) => ({ policy, moves }));
}

/** The type of the first input that the second reading answers otherwise; null where the two agree on all lives. */
export function firstDifference(lives: readonly Life[], rules: Partial<AgentPolicy> = {}): string | null {
  return firstOf(lives, rules, ({ policy, history }) => {
    for (const { before, input, after, effects } of history) {
      if (input.type === "restart") continue;
      const reading = secondReading(policy, before, input);
      if (!isDeepStrictEqual({ state: after, effects }, reading)) return input.type;
    }
    return null;
  });
}

const all = [...invariants, noDroppedWake, replaysWhatIsDue, atMostOnce];

/** The name of the first of the core's invariants that is broken; null where all hold in all lives. */
export function firstBroken(lives: readonly Life[], rules: Partial<AgentPolicy> = {}): string | null {
  return firstOf(lives, rules, (run) => all.find(({ violation }) => violation(run) !== undefined)?.name ?? null);
}

function firstOf(lives: readonly Life[], rules: Partial<AgentPolicy>, see: (run: Run) => string | null): string | null {
  for (const { policy, moves } of lives) {
    const seen = see(play({ ...policy, ...rules }, moves));
    if (seen !== null) return seen;
  }
  return null;
}
