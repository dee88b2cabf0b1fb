import type { Execution } from "../sim/execution.ts";
import type { Scenario } from "../sim/scenario.ts";
import { decodeChoices, type RecordedChoices } from "./choices.ts";
import { type Drift, driftOf, type Guesses, noGuesses, parts } from "./drift.ts";
import { type Answer, type Followed, failsAsRecorded, follow } from "./follow.ts";
import { quoted } from "./quoted.ts";
import { leadingTo, type NewComes } from "./recorded-order.ts";
import { checkRepro, type Repro, ReproError } from "./repro.ts";
import { shiftsOf, type Taken } from "./shifts.ts";

export type ReplayResult = Answer & {
  /** What has changed since it was recorded; absent where nothing has that could be known. */
  readonly drift?: Drift;
};

export type ReplayOptions = { readonly mode?: "strict" | "best-effort" };

/** A replay with its execution, for those who go on from there. */
export type Replayed = Followed & { readonly result: ReplayResult; readonly guesses: Guesses };

/**
 * Replays a repro against a scenario, which may be another one of the same family. Strict (the default for a failure
 * that carries its choices) follows every choice or says where it no longer fits. Best-effort follows the orderings and
 * says which were met; where they do not lead to the violation in an execution that has changed, it looks a little
 * further, and `drift` says with which guesses it was seen. That something holds never rests on a guess. Everything runs
 * twice and is compared. Throws ReproError, ScenarioError and ExploreOptionsError.
 */
export async function replay(scenario: Scenario, repro: Repro, options: ReplayOptions = {}): Promise<ReplayResult> {
  return (await replayInFull(scenario, repro, options)).result;
}

/** The same, with the execution. After a strict replay that no longer fits, that is the one of best-effort. */
export async function replayInFull(scenario: Scenario, repro: Repro, options: ReplayOptions = {}): Promise<Replayed> {
  const checked = checkRepro(repro, "the repro");
  const mode = modeOf(checked, options);
  const choices = choicesOf(checked, mode);
  if (mode === "best-effort") return bestEffort(scenario, checked, choices);
  const strict = await follow(scenario, checked, choices, "choices");
  if (strict.answer.firstDifference === undefined) return { ...strict, result: strict.answer, guesses: noGuesses };
  // What came after the first difference was first come, first served, and says nothing; the orderings say more.
  const loose = await bestEffort(scenario, checked, choices);
  const { drift } = loose.result;
  return { ...loose, result: drift === undefined ? strict.answer : { ...strict.answer, drift } };
}

async function bestEffort(scenario: Scenario, repro: Repro, choices: RecordedChoices | null): Promise<Replayed> {
  const literal = await follow(scenario, repro, choices, "orderings");
  const tried = choices === null ? null : await lookFurther(scenario, repro, choices, literal);
  const { followed, nearest, guesses } = tried ?? { followed: literal, nearest: literal.execution, guesses: noGuesses };
  const drift = driftOf(repro, choices?.steps ?? null, followed, nearest, guesses);
  return { ...followed, guesses, result: drift === null ? followed.answer : { ...followed.answer, drift } };
}

type Tried = { readonly followed: Followed; readonly nearest: Execution; readonly guesses: Guesses };

/**
 * Looks for the recorded violation near the orderings, where they led to another execution than was recorded: under other
 * numbers, and in the recorded order. Null where there is nothing to look for.
 */
async function lookFurther(
  scenario: Scenario,
  repro: Repro,
  choices: RecordedChoices,
  literal: Followed,
): Promise<Tried | null> {
  const { outcome, violation } = literal.answer;
  const untrusted = outcome === "leaked" || outcome === "diverged";
  // To see a livelock takes seconds.
  if (failsAsRecorded(literal, repro) || untrusted || violation?.kind === "livelock") return null;
  if (!parts(choices.steps, literal.execution)) return null;
  let wouldMeet: readonly Taken[] = [];
  for (const { repro: shifted, taken } of shiftsOf(repro, choices.steps, literal.execution, outcome === "held")) {
    const found = await follow(scenario, shifted, choices, "orderings");
    if (isWhole(found) && failsAsRecorded(found, repro)) {
      return { followed: found, nearest: found.execution, guesses: { ...noGuesses, taken } };
    }
    if (found.answer.violation?.kind === "livelock") break;
    const holds = outcome === "no-longer-fits" && found.answer.outcome === "held";
    if (holds && wouldMeet.length === 0) wouldMeet = taken;
  }
  const inOrder = (comesFirst: (name: string) => boolean): Promise<Followed> =>
    follow(scenario, repro, choices, { comesFirst });
  const last = await inOrder(() => false);
  const first = await inOrder(() => true);
  const leading = leadingTo(choices.steps, first.execution);
  const orders: readonly (readonly [NewComes, Followed])[] = [
    ["last", last],
    ["first", first],
    ["leading first", await inOrder((name) => leading.has(name))],
  ];
  for (const [newComes, found] of orders) {
    if (!isWhole(found) || !failsAsRecorded(found, repro)) continue;
    return { followed: found, nearest: found.execution, guesses: { ...noGuesses, newComes } };
  }
  const wouldViolate = orders.some(([, found]) => failsAsRecorded(found, repro));
  return { followed: literal, nearest: last.execution, guesses: { ...noGuesses, wouldMeet, wouldViolate } };
}

/** True when all that the repro names was there, and came as it says. */
function isWhole({ answer }: Followed): boolean {
  return answer.unmet.length === 0 && answer.neverAppeared.length === 0;
}

function modeOf(repro: Repro, { mode }: ReplayOptions): "strict" | "best-effort" {
  if (mode === undefined) return repro.choices !== null && repro.expect === "violation" ? "strict" : "best-effort";
  if (mode !== "strict" && mode !== "best-effort") {
    throw new ReproError(`Cannot replay: expected mode "strict" or "best-effort", found ${quoted(mode)}`);
  }
  return mode;
}

function choicesOf(repro: Repro, mode: "strict" | "best-effort"): RecordedChoices | null {
  if (repro.choices === null) {
    if (mode === "best-effort") return null;
    throw new ReproError('Cannot replay strictly: expected choices, found null; replay it with mode "best-effort"');
  }
  try {
    return decodeChoices(repro.choices);
  } catch (error) {
    // Best-effort needs the bounds at most, and is what is left when the choices can no longer be read.
    if (mode === "best-effort" && error instanceof ReproError) return null;
    throw error;
  }
}
