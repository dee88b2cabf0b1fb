/**
 * Runs two deliveries that were taken for independent in both orders, and says what differs. The touches that a scenario
 * declares are a promise; where it is broken, classes are too large and a certificate would lie.
 */
import type { Chooser, Execution, PossibleDelivery, TraceNote, TraceStep } from "./execution.ts";
import { describeReason } from "./native/reasons.ts";
import type { Mistaken } from "./result.ts";
import type { IndependentPair } from "./strategy.ts";

/** An execution that begins with a pair in one order. */
export type Side = {
  readonly execution: Execution;
  readonly reached: ReadonlySet<string>;
  /** Goals reached when the first of the two had run: the other order never comes by there. */
  readonly between: ReadonlySet<string>;
};

/** Says what the order of a pair has changed; null: nothing. */
export function mistaken({ first, then, at }: IndependentPair, one: Side, other: Side): Mistaken | null {
  const differs = difference(at, one, other);
  return differs === null ? null : { first, then, differs };
}

/** Follows a prefix, then these names as far as they are possible, then the first-come schedule. */
export class NamedChooser implements Chooser {
  readonly measures = false;
  readonly #pair: IndependentPair;
  readonly #names: readonly string[];
  readonly #look: () => Iterable<string>;
  between: ReadonlySet<string> = new Set();
  #given = 0;
  #placed = 0;
  #name = "";
  readonly #answered = new Map<string, number>();

  /** `look` tells the goals that were reached so far. */
  constructor(pair: IndependentPair, names: readonly string[], look: () => Iterable<string>) {
    this.#pair = pair;
    this.#names = names;
    this.#look = look;
  }

  restart(): void {
    this.#given = 0;
    this.#placed = 0;
    this.#name = "";
    this.#answered.clear();
  }

  delivery(possible: readonly PossibleDelivery[], count: number): number {
    if (this.#placed < this.#pair.at) return this.#prefix(count);
    const name = this.#names[this.#placed - this.#pair.at];
    for (let index = 0; index < count; index++) if (possible[index]?.name === name) return index;
    return 0;
  }

  fault({ name }: PossibleDelivery, kinds: readonly string[]): number {
    return this.#answer(name, this.#placed, kinds.length);
  }

  data(_label: string, count: number): number {
    return this.#answer(this.#name, this.#placed - 1, count);
  }

  delivered({ name }: PossibleDelivery): void {
    if (this.#placed === this.#pair.at + 1) this.between = new Set(this.#look());
    this.#name = name;
    this.#placed++;
  }

  companion(): number {
    return 0;
  }

  ticks(): number {
    return 1;
  }

  drained(): void {}

  /** `at`: the index of the delivery that is asked. */
  #answer(name: string, at: number, count: number): number {
    if (at < this.#pair.at) return this.#prefix(count);
    const { first, then, answers } = this.#pair;
    const own = name === first ? answers.first : name === then ? answers.then : [];
    const answered = this.#answered.get(name) ?? 0;
    this.#answered.set(name, answered + 1);
    return within(own[answered], count);
  }

  #prefix(count: number): number {
    return within(this.#pair.prefix[this.#given++], count);
  }
}

function within(answer = 0, count: number): number {
  return answer < count ? answer : 0;
}

function difference(at: number, one: Side, other: Side): string | null {
  const [a, b] = [one.execution, other.execution];
  const [first, then] = [a.steps[at], a.steps[at + 1]];
  const [first2, then2] = [b.steps[at + 1], b.steps[at]];
  if (first === undefined || then === undefined || first.name !== first2?.name || then.name !== then2?.name) {
    return "what is possible: one of them is not, once the other was delivered";
  }
  return (
    notesDiffer(first, first2) ??
    notesDiffer(then, then2) ??
    tailsDiffer(a.steps.slice(at + 2), b.steps.slice(at + 2)) ??
    violationsDiffer(a, b) ??
    goalsDiffer(one, other)
  );
}

function tailsDiffer(one: readonly TraceStep[], other: readonly TraceStep[]): string | null {
  for (let index = 0; index < Math.max(one.length, other.length); index++) {
    const [step, step2] = [one[index], other[index]];
    const sets = [step, step2].map((each) => [...(each?.possible ?? [])].sort().join(", "));
    if (sets[0] !== sets[1]) {
      const where = index === 0 ? "afterwards" : `${index} deliveries later`;
      return `what is possible ${where}: ${sets.map((set) => (set === "" ? "nothing" : set)).join(" or ")}`;
    }
    const notes = step === undefined || step2 === undefined ? null : notesDiffer(step, step2);
    if (notes !== null) return notes;
  }
  return null;
}

function notesDiffer({ name, notes }: TraceStep, other: TraceStep): string | null {
  // What a condition notes stands with whichever delivery came last; it has looked at both.
  const own = [notes, other.notes].map((list) => list.filter(({ byCondition }) => byCondition !== true));
  const told = own.map(described);
  return told[0] === told[1] ? null : `what ${name} notes: ${told.join(" or ")}`;
}

function described(notes: readonly TraceNote[]): string {
  if (notes.length === 0) return "nothing";
  return notes.map(({ event, data }) => (data === undefined ? event : `${event} ${describeReason(data)}`)).join(", ");
}

function violationsDiffer(...sides: readonly Execution[]): string | null {
  const told = sides.map(({ violation }) => (violation === null ? "held" : `${violation.name}: ${violation.detail}`));
  return told[0] === told[1] ? null : `the outcome: ${told.join(" or ")}`;
}

function goalsDiffer(one: Side, other: Side): string | null {
  const [missing] = [...goalsOnlyIn(one, other), ...goalsOnlyIn(other, one)];
  return missing === undefined ? null : `the goal "${missing}": reached in one order only`;
}

function goalsOnlyIn(one: Side, other: Side): string[] {
  return [...one.reached].filter((goal) => !other.reached.has(goal) && !one.between.has(goal));
}
