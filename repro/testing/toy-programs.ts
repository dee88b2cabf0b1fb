/** Random little worlds and random choosers for the toy engine. */
import fc from "fast-check";
import type { Chooser } from "../../sim/execution.ts";
import type { Toy, ToyScenario } from "./toy-engine.ts";

/** What an event or a continuation does. */
export type Op =
  | { readonly kind: "io"; readonly label: string; readonly may: 0 | 1 | 2 | 3; readonly then: readonly Op[] }
  | { readonly kind: "timer"; readonly label: string; readonly then: readonly Op[] }
  | { readonly kind: "later"; readonly then: readonly Op[] }
  | { readonly kind: "choose"; readonly count: number };

export type Program = readonly (readonly (readonly Op[])[])[];

const { ops } = fc.letrec<{ op: Op; ops: readonly Op[] }>((tie) => ({
  ops: fc.array(tie("op"), { maxLength: 3, depthIdentifier: "op" }),
  op: fc.oneof(
    { depthIdentifier: "op", maxDepth: 4 },
    fc.record({ kind: fc.constant("choose"), count: fc.integer({ min: 1, max: 3 }) }),
    fc.record({
      kind: fc.constant("io"),
      label: fc.constantFrom("model", "write"),
      may: fc.constantFrom(0, 0, 1, 2, 3),
      then: tie("ops"),
    }),
    fc.record({ kind: fc.constant("timer"), label: fc.constantFrom("pause"), then: tie("ops") }),
    fc.record({ kind: fc.constant("later"), then: tie("ops") }),
  ),
}));

export const programs: fc.Arbitrary<Program> = fc.array(fc.array(ops, { minLength: 1, maxLength: 3 }), {
  minLength: 1,
  maxLength: 3,
});

/** A world in which every continuation leaves a note, so that equal traces mean equal orders. */
export function worldOf(program: Program): ToyScenario {
  return (toy) => {
    program.forEach((steps, index) => {
      const source = `s${index}`;
      toy.events(
        source,
        steps.map((step, at) => [`step ${at}`, () => perform(toy, source, step)]),
      );
    });
  };
}

function perform(toy: Toy, source: string, list: readonly Op[]): void {
  for (const op of list) {
    toy.note(`${source} ${op.kind}`);
    const next = (ok: boolean): void => perform(toy, source, ok && "then" in op ? op.then : []);
    if (op.kind === "io") toy.io(source, op.label, next, { mayFail: op.may % 2 === 1, mayHang: op.may > 1 });
    else if (op.kind === "timer") toy.timer(source, op.label, () => next(true));
    else if (op.kind === "later") toy.later(() => next(true));
    else toy.note(`${toy.choose("option", op.count)}`);
  }
}

/** Answers every question with the next number of a list, and 0 once it has run out. */
export function listChooser(numbers: readonly number[]): Chooser {
  let at = 0;
  const below = (count: number): number => (numbers[at++] ?? 0) % count;
  return {
    measures: false,
    delivery: (_possible, count) => below(count),
    companion: (_candidates, count) => below(count + 1),
    ticks: (most) => 1 + below(most),
    data: (_label, count) => below(count),
    fault: (_delivery, kinds) => below(kinds.length),
    delivered: () => undefined,
    drained: () => undefined,
  };
}
