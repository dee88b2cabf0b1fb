/**
 * What has changed between the execution that a repro was recorded from and the one that its orderings lead to now. It is
 * told beside a replay's outcome and never decides it.
 */
import { chosenSteps, type Execution } from "../sim/execution.ts";
import type { Answer, Followed } from "./follow.ts";
import { type LookAlike, lookAlikes } from "./look-alike.ts";
import type { RecordedStep } from "./packed-steps.ts";
import type { NewComes } from "./recorded-order.ts";
import { familyOf, namesIn } from "./renamed.ts";
import type { Repro } from "./repro.ts";
import type { Taken } from "./shifts.ts";
import { describeStep, type FirstDifference, theEnd } from "./strict.ts";

export type Drift = {
  /** Deliveries that the recorded execution did not have; none where the repro carries no choices. */
  readonly added: readonly string[];
  /** Deliveries that it had, or that the repro names, and that did not appear. */
  readonly gone: readonly string[];
  /** What those that are gone may be called now. A guess: nothing is run by it. */
  readonly lookAlikes: readonly LookAlike[];
  /** Where the two first part, and in what; null where the recorded one is not known, or they do not. */
  readonly parting: (FirstDifference & { readonly why: Why }) | null;
  /** What best-effort replay answers; it may rest on a guess. */
  readonly bestEffort: Pick<Answer, "outcome" | "met" | "unmet"> & { readonly violates: string | null };
  readonly guesses: Guesses;
};

/** What was tried where the orderings as they stand did not lead to the violation. */
export type Guesses = {
  /** Deliveries that were taken for others of the same source and label; with that the violation was seen. */
  readonly taken: readonly Taken[];
  /** All were kept in their recorded order, and what is new came first or last; with that the violation was seen. */
  readonly newComes: NewComes | null;
  /** With these taken for others, everything would be met and hold. That is no pass: only the reader can say so. */
  readonly wouldMeet: readonly Taken[];
  /** The recorded order leads to the violation, but not with everything that the repro names. That is no failure. */
  readonly wouldViolate: boolean;
};

export const noGuesses: Guesses = { taken: [], newComes: null, wouldMeet: [], wouldViolate: false };

/** In what two executions first differ. */
export type Why =
  | "a delivery is new"
  | "a delivery is gone"
  | "the order is another"
  | "more is possible"
  | "less is possible"
  | "it arrives at another tick"
  | "the fault is another"
  | "it goes on for longer"
  | "it ends earlier";

/**
 * Tells the drift of a best-effort replay; null where nothing has changed that could be known. `nearest` is the execution
 * that comes nearest to the recorded one: with another outcome much comes or is missing that the code still has.
 */
export function driftOf(
  repro: Repro,
  recorded: readonly RecordedStep[] | null,
  { answer, execution }: Followed,
  nearest: Execution,
  guesses: Guesses,
): Drift | null {
  const steps = placed(nearest);
  const appeared = new Set([...steps.map(({ name }) => name), ...nearest.left]);
  const before = new Set(recorded?.map(({ name }) => name));
  const gone = [...new Set([...before, ...(recorded === null ? answer.neverAppeared : namesIn(repro))])].filter(
    (name) => !appeared.has(name),
  );
  const added = recorded === null ? [] : steps.map(({ name }) => name).filter((name) => !before.has(name));
  const parting = recorded === null ? null : partingOf(recorded, steps, new Set(added), new Set(gone));
  const same = recorded === null || (parting === null && !parts(recorded, execution));
  if (same && gone.length === 0 && answer.unmet.length === 0) return null;
  const { outcome, met, unmet, violation } = answer;
  return {
    added,
    gone,
    lookAlikes: lookAlikes(
      without(gone, [...appeared]),
      recorded === null ? without([...appeared], namesIn(repro)) : without(added, [...before]),
      partingNames(recorded, steps, parting),
    ),
    parting,
    bestEffort: { outcome, met, unmet, violates: violation?.name ?? null },
    guesses,
  };
}

/** True when the execution is another one than was recorded. */
export function parts(recorded: readonly RecordedStep[], execution: Execution): boolean {
  return partingOf(recorded, placed(execution), new Set(), new Set()) !== null;
}

function placed(execution: Execution): RecordedStep[] {
  return chosenSteps(execution).map((step) => ({ ...step, possible: step.possible.length }));
}

/** The names whose source and label none of the others has: what has more or fewer of a kind was not renamed. */
function without(names: readonly string[], others: readonly string[]): string[] {
  const known = new Set(others.map(familyOf));
  return names.filter((name) => !known.has(familyOf(name)));
}

/** What stands in one place in the two executions. */
function partingNames(
  recorded: readonly RecordedStep[] | null,
  now: readonly RecordedStep[],
  parting: Drift["parting"],
): readonly [gone: string, now: string] | null {
  if (parting === null) return null;
  const [one, other] = [recorded?.[parting.step - 1], now[parting.step - 1]];
  return one === undefined || other === undefined ? null : [one.name, other.name];
}

function partingOf(
  recorded: readonly RecordedStep[],
  now: readonly RecordedStep[],
  added: ReadonlySet<string>,
  gone: ReadonlySet<string>,
): Drift["parting"] {
  for (let at = 0; at < Math.max(recorded.length, now.length); at++) {
    const [one, other] = [recorded[at], now[at]];
    const why = whyOf(one, other, added, gone);
    if (why === null) continue;
    const told = (step: RecordedStep | undefined): string => (step === undefined ? theEnd : describeStep(step));
    return { step: at + 1, recorded: told(one), now: told(other), why };
  }
  return null;
}

function whyOf(
  one: RecordedStep | undefined,
  other: RecordedStep | undefined,
  added: ReadonlySet<string>,
  gone: ReadonlySet<string>,
): Why | null {
  if (one === undefined) return "it goes on for longer";
  if (other === undefined) return "it ends earlier";
  if (one.name !== other.name) {
    if (added.has(other.name)) return "a delivery is new";
    return gone.has(one.name) ? "a delivery is gone" : "the order is another";
  }
  if (one.tick !== other.tick) return "it arrives at another tick";
  if (one.fault !== other.fault) return "the fault is another";
  if (one.possible === other.possible) return null;
  return one.possible < other.possible ? "more is possible" : "less is possible";
}
