/**
 * What a failing execution has to tell beside its schedule: who asked for the deliveries that matter, what each choice of
 * data came out as, and the last that was noted. Plain data, the same bytes on every machine.
 */
import type { Execution } from "../sim/execution.ts";
import type { Fault } from "../sim/result.ts";
import type { NativeRunner } from "../sim/runner.ts";
import { Sources } from "./hands-on.ts";
import { type AskedStack, framesOf, type PlacedNote, plainNote, type StackFrame, stackOf } from "./swap.ts";

export type Telling = {
  /** Where the two of the critical pair were asked for; null without a pair. */
  readonly pair: readonly [AskedStack, AskedStack] | null;
  /** Where the deliveries were asked for that faults have struck; at most `struckTold`. */
  readonly struck: readonly StruckStack[];
  /** The choices of data, in order; at most `choicesTold`. */
  readonly choices: readonly ToldChoice[];
  /** The last that was noted; at most `notesTold`. */
  readonly notes: readonly LastNote[];
  /** How many notes there were before these. */
  readonly notesBefore: number;
};

export type StruckStack = AskedStack & { readonly kind: Fault["kind"] };

/** `index` of the option; `value` in a few words; `frames` of whoever chose, innermost first. */
export type ToldChoice = {
  readonly label: string;
  readonly index: number;
  readonly value: string;
  readonly frames: readonly StackFrame[];
};

/** `at`: the delivery in whose drain it was noted; null: before the first. */
export type LastNote = Omit<PlacedNote, "at"> & { readonly at: string | null };

const struckTold = 10;
const choicesTold = 100;
const notesTold = 10;

/** Of the execution that `runner` has run last, with `asked`. */
export function tellingOf(
  runner: Pick<NativeRunner, "askedAt" | "picked">,
  { opening, steps }: Execution,
  faults: readonly Fault[],
  pair: readonly [string, string] | null,
): Telling {
  const sources = new Sources();
  const asked = (delivery: string): AskedStack => stackOf(delivery, runner.askedAt(delivery), sources);
  const struck = faults.filter(({ kind }) => kind !== "late").slice(0, struckTold);
  const noted = [
    ...opening.map((note): LastNote => ({ at: null, ...plainNote(note) })),
    ...steps.flatMap(({ name, notes }) => notes.map((note): LastNote => ({ at: name, ...plainNote(note) }))),
  ];
  return {
    pair: pair === null ? null : [asked(pair[0]), asked(pair[1])],
    struck: struck.map(({ at, kind }) => ({ kind, ...asked(at) })),
    choices: runner
      .picked()
      .slice(0, choicesTold)
      .map(({ label, index, value, asked }) => {
        return { label, index, value, frames: framesOf(asked.stack ?? "", sources) };
      }),
    notes: noted.slice(-notesTold),
    notesBefore: Math.max(0, noted.length - notesTold),
  };
}
