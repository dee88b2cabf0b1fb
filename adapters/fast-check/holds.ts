/**
 * Which tasks may be overtaken, and how often: what is taken away from a schedule on its way to first-come.
 *
 * fast-check comes back to a failure by the path of its shrinking, without running anything on the way. So a smaller
 * schedule cannot be made from what a run has shown; it is the same plan with less allowed. Tasks are counted in the
 * order in which the plan first wants them overtaken: the first is 0, whatever it is called.
 */
export type Holds = {
  /** How often each may be overtaken. */
  readonly most: readonly number[];
  /** The same for all that `most` does not tell: nothing or everything. */
  readonly others: 0 | "any";
};

const any = Number.POSITIVE_INFINITY;
/** The longest list of tasks that is tried. */
const longest = 4_096;

export const allHolds: Holds = { most: [], others: "any" };

/** Everything that allows less, the most drastic first; nothing allows less than first-come. */
export function* lesserHolds({ most, others }: Holds): Generator<Holds> {
  if (others === "any") {
    yield { most: [], others: 0 };
    for (let count = 1; count <= longest; count *= 2)
      yield { most: Array.from({ length: count }, () => any), others: 0 };
    return;
  }
  // Blocks first and single tasks last, from the end, because what comes early in a run explains more.
  for (let size = Math.ceil(most.length / 2); size >= 1; size = size === 1 ? 0 : Math.ceil(size / 2)) {
    for (let end = most.length; end > 0; end -= size) {
      const less = most.map((each, at) => (at < end && at >= end - size ? 0 : each));
      if (less.some((each, at) => each !== most[at])) yield { most: withoutTrailingZeros(less), others };
    }
  }
  for (const [at, each] of most.entries()) {
    for (const fewer of fewerThan(each)) yield { most: most.with(at, fewer), others };
  }
}

/** Keeps to the holds in one run. */
export class HoldKeeper {
  readonly #holds: Holds;
  readonly #numbers = new Map<number, number>();
  readonly #times = new Map<number, number>();

  constructor(holds: Holds) {
    this.#holds = holds;
  }

  /** Which of the waiting tasks (their ids, the oldest first) goes, when `wanted` is what a plan wants. */
  choose(waiting: readonly number[], wanted: number): number {
    const overtaken = waiting.slice(0, wanted);
    for (const id of overtaken) if (!this.#numbers.has(id)) this.#numbers.set(id, this.#numbers.size);
    const refused = overtaken.findIndex((id) => (this.#times.get(id) ?? 0) >= this.#mostOf(id));
    const chosen = refused < 0 ? wanted : refused;
    for (const id of overtaken.slice(0, chosen)) this.#times.set(id, (this.#times.get(id) ?? 0) + 1);
    return chosen;
  }

  #mostOf(id: number): number {
    const { most, others } = this.#holds;
    return most[this.#numbers.get(id) ?? 0] ?? (others === "any" ? any : 0);
  }
}

/** Smaller numbers from 1 on; 0 is a hold that is taken away. */
function* fewerThan(count: number): Generator<number> {
  if (count === any) for (let fewer = 1; fewer <= longest; fewer *= 2) yield fewer;
  else for (let less = Math.floor(count / 2); less >= 1; less = Math.floor(less / 2)) yield count - less;
}

function withoutTrailingZeros(most: readonly number[]): readonly number[] {
  const last = most.findLastIndex((each) => each !== 0);
  return most.slice(0, last + 1);
}
