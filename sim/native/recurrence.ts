/** Finds what a long sequence of deliveries repeats. */

export type Recurrence = {
  /** Each once, in the order of their coming; where there is no cycle, the most frequent first. */
  readonly names: readonly string[];
  /** They come in a cycle, always the same. */
  readonly cycle: boolean;
};

/** Tells what recurs in the last half of `delivered` (sources and labels): a cycle, or what came more than once. */
export function recurring(delivered: readonly string[]): Recurrence {
  const tail = delivered.slice(Math.floor(delivered.length / 2));
  for (let period = 1; period <= tail.length / 2; period++) {
    if (tail.every((name, at) => at < period || name === tail[at - period])) {
      return { names: [...new Set(tail.slice(0, period))], cycle: true };
    }
  }
  const counts = new Map<string, number>();
  for (const name of tail) counts.set(name, (counts.get(name) ?? 0) + 1);
  const often = [...counts].sort(([, one], [, other]) => other - one).map(([name]) => name);
  const again = often.filter((name) => (counts.get(name) ?? 0) > 1);
  return { names: again.length > 0 ? again : often, cycle: false };
}
