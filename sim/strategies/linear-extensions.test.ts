import { describe, expect, test } from "vitest";
import { Random } from "../random.ts";
import { logOrders, type Ordered } from "./linear-extensions.ts";

/** A random order of deliveries of a few sources: those of one source depend on each other, others now and then. */
function drawn(random: Random, count: number, sources: number): Ordered {
  const names = Array.from({ length: count }, () => `s${random.below(sources)}`);
  const pasts = names.map(() => new Uint32Array(1));
  names.forEach((name, at) => {
    const past = pasts[at];
    for (let before = 0; past !== undefined && before < at; before++) {
      const depends = names[before] === name || random.below(6) === 0;
      if (depends) past[0] = (past[0] ?? 0) | (1 << before) | (pasts[before]?.[0] ?? 0);
    }
  });
  return { sources: names, pasts };
}

/** Places one delivery after the other, in every way there is. */
function counted({ pasts }: Ordered, placed = 0): number {
  if (placed === 2 ** pasts.length - 1) return 1;
  let orders = 0;
  pasts.forEach((past, at) => {
    const bit = 1 << at;
    if ((placed & bit) === 0 && ((past[0] ?? 0) & ~placed) === 0)
      orders += counted({ sources: [], pasts }, placed | bit);
  });
  return orders;
}

describe("logOrders()", () => {
  test("logOrders() counts what placing one by one counts", () => {
    const random = new Random([7, 1, 8, 2]);
    const differs: string[] = [];
    for (let round = 0; round < 300; round++) {
      const ordered = drawn(random, 1 + random.below(8), 1 + random.below(4));
      const orders = Math.exp(logOrders(ordered) ?? Number.NaN);
      if (Math.abs(orders - counted(ordered)) > 1e-6 * orders) differs.push(`${orders} for ${counted(ordered)}`);
    }
    expect(differs).toEqual([]);
  });

  test("logOrders() merges parts that nothing connects without looking at their product", () => {
    // Twenty chains of seven: 8^20 beginnings, if they were one part.
    const sources = Array.from({ length: 140 }, (_, at) => `s${at % 20}`);
    const pasts = sources.map((_, at) => {
      const past = new Uint32Array(5);
      for (let before = at % 20; before < at; before += 20)
        past[before >>> 5] = (past[before >>> 5] ?? 0) | (1 << (before & 31));
      return past;
    });
    const factorials = (count: number): number => (count < 2 ? 0 : Math.log(count) + factorials(count - 1));
    expect(logOrders({ sources, pasts })).toBeCloseTo(factorials(140) - 20 * factorials(7), 6);
  });

  test("logOrders() gives up where there are too many beginnings, and says so", () => {
    // Twenty sources that one last delivery waits for.
    const sources = Array.from({ length: 21 }, (_, at) => `s${at}`);
    const pasts = sources.map((_, at) => Uint32Array.of(at === 20 ? 2 ** 20 - 1 : 0));
    expect(logOrders({ sources, pasts })).toBeNull();
  });

  test("logOrders() knows one order of nothing", () => {
    expect(logOrders({ sources: [], pasts: [] })).toBe(0);
  });
});
