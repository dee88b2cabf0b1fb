/**
 * Records a repro anew after a change that was meant. What it says may change in two ways only: the choices are those of
 * the same violation today, or it is expected to hold from now on; its title says which. Nothing that was guessed gets into
 * the file.
 */
import type { Scenario } from "../sim/scenario.ts";
import { encodeChoices } from "./choices.ts";
import { applyRenames, familyOf } from "./renamed.ts";
import { type Replayed, type ReplayResult, replayInFull } from "./replay.ts";
import { checkRepro, type Repro } from "./repro.ts";
import { shellWord } from "./shell-word.ts";
import { titleOnceHeld, titleWhileBroken } from "./title.ts";

export type Recording = {
  /** The repro as it is to be written; null when it was refused. */
  readonly repro: Repro | null;
  /** What was done, or why nothing was, in words. */
  readonly said: string;
  readonly result: ReplayResult;
};

/**
 * Replays a repro best-effort, with the names that the reader says have changed, and returns what its file should say now.
 * Throws ReproError, ScenarioError and ExploreOptionsError.
 */
export async function recordAgain(
  scenario: Scenario,
  repro: Repro,
  renames: readonly string[] = [],
): Promise<Recording> {
  const named = applyRenames(checkRepro(repro, "the repro"), renames);
  const replayed = await replayInFull(scenario, named, { mode: "best-effort" });
  const result = withoutSaid(replayed.result, new Set(renames));
  const refused = (said: string): Recording => ({ repro: null, said, result });
  switch (result.outcome) {
    case "held": {
      const held: Repro = { ...named, title: titleOnceHeld(named.title), expect: "held", choices: null };
      return { repro: held, said: "it holds with every ordering met, and is expected to from now on", result };
    }
    case "violated": {
      if (result.violation?.name !== named.violates) return refused("something else is violated");
      if (named.expect === "held") return refused("the file expects it to hold, and it is broken again");
      const guess = guessOf(replayed);
      if (guess !== null) return refused(guess);
      return { repro: withChoices(named, replayed), said: "it fails as recorded; the choices are today's", result };
    }
    case "no-longer-fits":
      return refused("it no longer fits");
    default:
      return refused(`the execution ${result.outcome}`);
  }
}

/** What the reader has said is no guess any more. */
function withoutSaid(result: ReplayResult, said: ReadonlySet<string>): ReplayResult {
  const { drift } = result;
  if (drift === undefined) return result;
  const open = drift.lookAlikes.filter(({ gone, now }) => {
    return !said.has(`${gone}=${now}`) && !said.has(`${familyOf(gone)}=${familyOf(now)}`);
  });
  return { ...result, drift: { ...drift, lookAlikes: open } };
}

function guessOf({ guesses: { taken, newComes } }: Replayed): string | null {
  if (taken.length > 0) {
    const renames = taken.map(({ recorded, now }) => `--rename ${shellWord(`${recorded}=${now}`)}`);
    return `it fails only when deliveries are taken for others; if they are those, say so: ${renames.join(" ")}`;
  }
  if (newComes === null) return null;
  return "its orderings no longer lead there by themselves; shrink it, which finds those that do";
}

function withChoices(repro: Repro, { execution, settings, index }: Replayed): Repro {
  const { overtakes, stepLimit } = settings;
  const known = new Set([...execution.steps.map(({ name }) => name), ...execution.left]);
  const pair = repro.criticalPair;
  return {
    ...repro,
    title: titleWhileBroken(repro.title),
    // A swap of what no longer comes decides nothing.
    criticalPair: pair?.every((name) => known.has(name)) === true ? pair : null,
    choices: encodeChoices(execution, { index, overtakes, stepLimit }),
  };
}
