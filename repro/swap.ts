/**
 * What the swap of the critical pair changes: the failing execution beside the passing one that differs from it by the
 * order of two deliveries, the first thing that differs after them, and where each of the two was asked for. Plain data,
 * the same bytes on every machine.
 */
import type { Execution, TraceNote, TraceStep } from "../sim/execution.ts";
import type { SourceLocation, Violation } from "../sim/result.ts";
import { type Stack, stackLines } from "../sim/stack.ts";
import { describeValue } from "../sim/words.ts";
import { Sources } from "./hands-on.ts";

export type Swap = {
  /** As they stand in the failing execution. */
  readonly pair: readonly [string, string];
  readonly failing: SwapSide;
  readonly passing: SwapSide;
  readonly differs: SwapDifference;
  /** Where the two were asked for, in the order of `pair`. */
  readonly stacks: readonly [AskedStack, AskedStack];
};

/** One of the two executions, from the first delivery of the pair on. */
export type SwapSide = {
  /** The number of the first of `steps`, counted from 1: what came before is the same on both sides. */
  readonly from: number;
  /** At most `stepsTold` of them. */
  readonly steps: readonly SwapStep[];
  /** How many more steps there were. */
  readonly more: number;
  /** Null on the passing side. */
  readonly violation: Violation | null;
};

export type SwapStep = {
  readonly name: string;
  /** 0: on an empty microtask queue; k: at tick k of the drain of the step before it. */
  readonly tick: number;
  readonly fault: "fail" | "hang" | null;
  readonly notes: readonly TraceNote[];
};

/** What differs between the sides, apart from the order of the pair. */
export type SwapDifference = {
  /** Null where nothing differs but what the conditions saw. */
  readonly first: FirstDifference | null;
  /** Deliveries that ran on one side only, in the order of that side; at most `namesTold` each. */
  readonly deliveries: { readonly failing: readonly string[]; readonly passing: readonly string[] };
  /** Notes that were written on one side only, in the order of that side; at most `namesTold` each. */
  readonly notes: { readonly failing: readonly PlacedNote[]; readonly passing: readonly PlacedNote[] };
};

/**
 * `note`: the same delivery wrote other notes. `possible`: other deliveries were possible. `step`: another delivery
 * came, or one side was at its end.
 */
export type FirstDifference = {
  readonly kind: "note" | "possible" | "step";
  readonly failing: SwapPlace;
  readonly passing: SwapPlace;
};

/** A step of one side, or the end of it. */
export type SwapPlace = {
  /** Counted from 1. */
  readonly step: number;
  /** Null: the side is at its end. */
  readonly name: string | null;
  /** The first note that the other side does not have at this place; null where it is not a note that differs. */
  readonly note: TraceNote | null;
  /** What could have been delivered there, by name. */
  readonly possible: readonly string[];
};

export type PlacedNote = TraceNote & { readonly at: string };

/** The async stack of whoever asked for a delivery, innermost first. `step`: a step of the scenario, which declares it. */
export type AskedStack = {
  readonly delivery: string;
  readonly frames: readonly StackFrame[];
  readonly step?: true;
};

/** As the engine has kept it. */
export type Asked = {
  readonly by: Stack;
  readonly step: boolean;
  readonly stands?: true;
  readonly callers?: readonly Stack[];
};

/**
 * `name`: the function, where it has one. `async`: it was waiting there for the frame before it. `handsOn`: the line only
 * returns what it calls, so whoever waits is further out.
 */
export type StackFrame = {
  readonly name: string | null;
  readonly at: SourceLocation;
  readonly async: boolean;
  readonly handsOn?: true;
};

export const stepsTold = 20;
export const namesTold = 10;

/** The ends of an execution that lie in its nature; any other violation cuts it off in the middle. */
const naturalEnds: ReadonlySet<Violation["kind"]> = new Set(["quiescence", "stuck"]);

type Sides = {
  readonly pair: readonly [string, string];
  readonly failing: Execution;
  readonly passing: Execution;
};

/** Compares the two sides of a critical pair; `askedAt` gives whoever asked for a delivery. */
export function swapOf({ pair, failing, passing }: Sides, askedAt: (delivery: string) => Asked | null): Swap {
  const from = equalSteps(failing, passing);
  const [first, then] = pair;
  const sources = new Sources();
  return {
    pair,
    failing: sideOf(failing, from),
    passing: sideOf(passing, from),
    differs: differenceOf({ pair, failing, passing }, from),
    stacks: [stackOf(first, askedAt(first), sources), stackOf(then, askedAt(then), sources)],
  };
}

function sideOf({ steps, violation }: Execution, from: number): SwapSide {
  const told = steps.slice(from, from + stepsTold).map(({ name, tick, fault, notes }): SwapStep => {
    return { name, tick, fault, notes: notes.map(plainNote) };
  });
  return { from: from + 1, steps: told, more: Math.max(0, steps.length - from - stepsTold), violation };
}

/** How many steps are the same on both sides, from the start. */
function equalSteps({ steps: one }: Execution, { steps: other }: Execution): number {
  const differs = one.findIndex((step, at) => keyOf(step) !== keyOf(other[at]));
  return differs < 0 ? Math.min(one.length, other.length) : differs;
}

function keyOf(step: TraceStep | undefined): string {
  return JSON.stringify([step?.name, step?.tick, step?.fault, step?.notes.map(plainNote)]);
}

/** A step of one side, with its number in the whole execution. */
type Numbered = TraceStep & { readonly number: number };

function differenceOf({ pair, failing, passing }: Sides, from: number): SwapDifference {
  const numbered = ({ steps }: Execution): Numbered[] =>
    steps.map((step, at) => ({ ...step, number: at + 1 })).slice(from);
  const [inFailing, inPassing] = [numbered(failing), numbered(passing)];
  // Where the failure cuts its side off, what the other side goes on to do is no difference.
  const cut = failing.violation !== null && !naturalEnds.has(failing.violation.kind);
  const compared = cut ? inPassing.slice(0, inFailing.length) : inPassing;
  const only = (steps: readonly Numbered[], others: readonly Numbered[]): readonly string[] => {
    const names = new Set(others.map(({ name }) => name));
    return steps.flatMap(({ name }) => (names.has(name) ? [] : [name])).slice(0, namesTold);
  };
  return {
    first:
      differenceInPair(pair, inFailing, inPassing) ??
      differenceInRest(pair, { failing: inFailing, passing: compared, cut }, [failing, passing]),
    deliveries: { failing: only(inFailing, inPassing), passing: only(compared, inFailing) },
    notes: { failing: notesOnlyIn(inFailing, inPassing), passing: notesOnlyIn(compared, inFailing) },
  };
}

/** The notes of the two deliveries themselves, whichever came first. */
function differenceInPair(
  pair: readonly [string, string],
  failing: readonly Numbered[],
  passing: readonly Numbered[],
): FirstDifference | null {
  for (const name of pair) {
    const one = failing.find((step) => step.name === name);
    const other = passing.find((step) => step.name === name);
    const found = one === undefined || other === undefined ? null : differenceInNotes(one, other);
    if (found !== null) return found;
  }
  return null;
}

/** What came beside the two, step by step. */
function differenceInRest(
  pair: readonly [string, string],
  { failing, passing, cut }: Readonly<Record<"failing" | "passing", readonly Numbered[]>> & { readonly cut: boolean },
  [wholeFailing, wholePassing]: readonly [Execution, Execution],
): FirstDifference | null {
  const rest = (steps: readonly Numbered[]): Numbered[] => steps.filter(({ name }) => !pair.includes(name));
  const [ofFailing, ofPassing] = [rest(failing), rest(passing)];
  for (let at = 0; at < Math.max(ofFailing.length, ofPassing.length); at++) {
    const [one, other] = [ofFailing[at], ofPassing[at]];
    if (one === undefined || other === undefined) {
      if (one === undefined && cut) return null;
      return { kind: "step", failing: placeOf(one, wholeFailing), passing: placeOf(other, wholePassing) };
    }
    const places = { failing: placeOf(one, wholeFailing), passing: placeOf(other, wholePassing) };
    if (possibleBeside(pair, one) !== possibleBeside(pair, other)) return { kind: "possible", ...places };
    if (one.name !== other.name || one.tick !== other.tick || one.fault !== other.fault)
      return { kind: "step", ...places };
    const noted = differenceInNotes(one, other);
    if (noted !== null) return noted;
  }
  return null;
}

function differenceInNotes(one: Numbered, other: Numbered): FirstDifference | null {
  for (let at = 0; at < Math.max(one.notes.length, other.notes.length); at++) {
    const [noted, otherwise] = [one.notes[at], other.notes[at]];
    if (noteKey(noted) === noteKey(otherwise)) continue;
    return { kind: "note", failing: placeOfStep(one, noted), passing: placeOfStep(other, otherwise) };
  }
  return null;
}

function placeOfStep({ number, name, possible }: Numbered, note?: TraceNote): SwapPlace {
  return { step: number, name, note: note === undefined ? null : plainNote(note), possible };
}

function placeOf(step: Numbered | undefined, { steps, left }: Execution): SwapPlace {
  return step === undefined
    ? { step: steps.length + 1, name: null, note: null, possible: left.slice(0, namesTold) }
    : placeOfStep(step);
}

/** The first-come order of what is possible says when it was asked for, and the swap turns that as well. */
function possibleBeside(pair: readonly [string, string], { possible }: Numbered): string {
  return JSON.stringify(possible.filter((name) => !pair.includes(name)).sort());
}

function notesOnlyIn(steps: readonly Numbered[], others: readonly Numbered[]): PlacedNote[] {
  const noted = new Set(others.flatMap(({ name, notes }) => notes.map((note) => `${name} ${noteKey(note)}`)));
  return steps
    .flatMap(({ name, notes }) =>
      notes.flatMap((note) => (noted.has(`${name} ${noteKey(note)}`) ? [] : [{ at: name, ...plainNote(note) }])),
    )
    .slice(0, namesTold);
}

function noteKey(note: TraceNote | undefined): string {
  return note === undefined ? "" : JSON.stringify(plainNote(note));
}

/** What is noted may be anything; a result is plain data. */
export function plainNote({ event, data }: TraceNote): TraceNote {
  return { event, data: plain(data) };
}

function plain(data: unknown): unknown {
  if (data === undefined) return undefined;
  try {
    return JSON.parse(JSON.stringify(data) ?? "null");
  } catch {
    return describeValue(data);
  }
}

/** Whoever asked for a delivery, by the stack that was kept. */
export function stackOf(delivery: string, asked: Asked | null, sources: Sources): AskedStack {
  const stack = framesOf(asked?.by.stack ?? "", sources, asked?.stands === true);
  const callers = (asked?.callers ?? []).flatMap((caller) => {
    const [innermost] = framesOf(caller.stack ?? "", sources);
    return innermost === undefined ? [] : [{ ...innermost, async: true }];
  });
  // Where a function goes on, whoever called it before has returned; those are left that wait for it.
  const frames = [...(asked?.stands === true && callers.length > 0 ? stack.slice(0, 1) : stack), ...callers];
  return { delivery, frames, ...(asked?.step === true ? { step: true } : {}) };
}

/** The lines of user code in a stack. `stands`: the innermost is where somebody waits, whatever else it does. */
export function framesOf(stack: string, sources: Sources, stands = false): StackFrame[] {
  const lines = stackLines(stack);
  const innermost = stands ? lines.findIndex(({ frame }) => frame !== null) : -1;
  return lines.flatMap(({ frame }, index) => {
    if (frame === null) return [];
    const { name, at, async } = frame;
    const handsOn = index !== innermost && sources.handsOn(frame, lines[index + 1]?.text ?? "");
    return [{ name: name ?? null, at, async, ...(handsOn ? { handsOn } : {}) }];
  });
}
