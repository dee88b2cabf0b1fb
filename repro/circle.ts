import type { Ordering } from "../sim/result.ts";

/**
 * Finds orderings that no execution can meet together, because each begins where the one before it ends and the last one
 * leads back to the first. Tells them by their places, in the order of the circle; null where there is none.
 */
export function circleIn(orderings: readonly Ordering[]): readonly number[] | null {
  const remaining = withoutLoose(orderings);
  let at = remaining.values().next().value;
  if (at === undefined) return null;
  // Whatever remains has one that remains before it, so a walk backwards comes round.
  const before = new Map([...remaining].map((each) => [orderings[each]?.then, each]));
  const walked: number[] = [];
  const places = new Map<number, number>();
  while (!places.has(at)) {
    places.set(at, walked.length);
    walked.push(at);
    const earlier = before.get(orderings[at]?.first);
    if (earlier === undefined) return null;
    at = earlier;
  }
  const circle = walked.slice(places.get(at)).reverse();
  const start = circle.indexOf(Math.min(...circle));
  return [...circle.slice(start), ...circle.slice(0, start)];
}

/** Takes away, again and again, what begins with a delivery that nothing holds: it is on no circle. */
function withoutLoose(orderings: readonly Ordering[]): ReadonlySet<number> {
  const holding = new Map<string, number>();
  const leaving = new Map<string, number[]>();
  for (const [at, { first, then }] of orderings.entries()) {
    holding.set(then, (holding.get(then) ?? 0) + 1);
    const others = leaving.get(first);
    if (others === undefined) leaving.set(first, [at]);
    else others.push(at);
  }
  const remaining = new Set(orderings.keys());
  const loose = [...leaving.keys()].filter((name) => !holding.has(name));
  for (let name = loose.pop(); name !== undefined; name = loose.pop()) {
    for (const at of leaving.get(name) ?? []) {
      remaining.delete(at);
      const then = orderings[at]?.then ?? name;
      const left = (holding.get(then) ?? 0) - 1;
      holding.set(then, left);
      if (left === 0) loose.push(then);
    }
  }
  return remaining;
}
