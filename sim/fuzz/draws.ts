/**
 * The numbers a generator draws, kept in order. The same numbers make the same program again, fewer and smaller ones
 * make a smaller one: whoever draws puts the simplest alternative first, because past the end of the list all are 0.
 */
import type { Random } from "../random.ts";

export class Draws {
  readonly #drawn: number[] = [];
  readonly #next: () => number;

  private constructor(next: () => number) {
    this.#next = next;
  }

  static fresh(random: Random): Draws {
    return new Draws(() => random.below(wordCount));
  }

  static again(kept: readonly number[]): Draws {
    let at = 0;
    return new Draws(() => kept[at++] ?? 0);
  }

  /** All that was drawn so far. */
  get kept(): readonly number[] {
    return this.#drawn;
  }

  /** Draws an integer from 0 to `count - 1`. */
  below(count: number): number {
    const drawn = this.#next() % count;
    this.#drawn.push(drawn);
    return drawn;
  }

  /** True once in `count` times. */
  oneIn(count: number): boolean {
    return this.below(count) === count - 1;
  }

  any<T>(options: readonly [T, ...T[]]): T {
    const [first, ...rest] = options;
    const index = this.below(options.length);
    return index === 0 ? first : (rest[index - 1] ?? first);
  }
}

/** A multiple of every count that is drawn, as near as makes no difference. */
const wordCount = 1 << 24;
