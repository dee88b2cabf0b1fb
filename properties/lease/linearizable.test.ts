import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createLeaseScheduler } from "../../core/lease/host.ts";
import { search } from "../../sim/search.ts";
import type { Situation } from "./flows.ts";
import type { LeaseHistory } from "./history.ts";
import { parentChildExclusive, singleWriter } from "./invariants/leases.ts";
import { canBeOrdered, linearizable, type Operation } from "./linearizable.ts";
import { leaseSituation } from "./situation.ts";
import { situations } from "./situations.ts";
import { type MakeSubject, wrongSubjects } from "./subjects/all.ts";
import { ByTheBook } from "./subjects/by-the-book.ts";
import { RefusesSiblings } from "./subjects/refuses-siblings.ts";

/** By trying every order of every choice of what may not have happened. Shares nothing with what it checks. */
function byTrying(operations: readonly Operation[], meets: (one: number, other: number) => boolean): boolean {
  const isSure = ({ to }: Operation) => to < Number.POSITIVE_INFINITY;
  const tryFrom = (order: readonly Operation[], left: readonly Operation[]): boolean => {
    if (left.every((one) => !isSure(one)) && isLegal(order)) return true;
    return left.some((next) =>
      tryFrom(
        [...order, next],
        left.filter((one) => one !== next),
      ),
    );
  };
  const isLegal = (order: readonly Operation[]): boolean => {
    const inTime = order.every((later, at) => order.slice(0, at).every((earlier) => !(later.to < earlier.from)));
    const skipped = operations.filter((one) => !order.includes(one));
    if (!inTime || skipped.some(isSure)) return false;
    const states = new Map<number, "held" | "over">();
    return order.every(({ does, lease }) => {
      if (does === "give back") {
        const wasThere = states.has(lease);
        states.set(lease, "over");
        return wasThere;
      }
      const isFree = [...states].every(([other, state]) => state === "over" || !meets(lease, other));
      states.set(lease, "held");
      return isFree;
    });
  };
  return tryFrom([], operations);
}

/** Up to four leases, each taken once and perhaps given back, at times that overlap. */
const histories = fc
  .array(
    fc.record({
      times: fc.tuple(...Array.from({ length: 4 }, () => fc.nat({ max: 20 }))),
      givesBack: fc.constantFrom("surely", "surely", "perhaps", "never"),
      place: fc.constantFrom(1, 2, 4, 3, 7),
    }),
    { minLength: 1, maxLength: 4 },
  )
  .map((leases) => ({
    places: leases.map(({ place }) => place),
    operations: leases.flatMap(({ times, givesBack }, lease): readonly Operation[] => {
      const [asked = 0, heard = 0, released = 0, over = 0] = times.toSorted((one, other) => one - other);
      const take: Operation = { does: "take", lease, from: asked, to: heard };
      if (givesBack === "never") return [take];
      const to = givesBack === "perhaps" ? Number.POSITIVE_INFINITY : over;
      return [take, { does: "give back", lease, from: released + 1, to: Math.max(to, released + 1) }];
    }),
  }));

test("canBeOrdered() says what trying every order says", () => {
  const seen = { yes: 0, no: 0 };
  fc.assert(
    fc.property(histories, ({ places, operations }) => {
      // Places are sets of files, as bits.
      const meets = (one: number, other: number) => one !== other && ((places[one] ?? 0) & (places[other] ?? 0)) !== 0;
      const expected = byTrying(operations, meets);
      seen[expected ? "yes" : "no"]++;
      expect(canBeOrdered(operations, meets)).toBe(expected);
    }),
    { numRuns: 120, seed: 1018 },
  );
  expect(Math.min(seen.yes, seen.no)).toBeGreaterThan(20);
});

describe("linearizable", () => {
  const right: readonly (readonly [string, MakeSubject])[] = [
    ["the core", (ports, policy) => createLeaseScheduler(ports, policy)],
    ["by the book", (ports, policy) => new ByTheBook(ports, policy)],
  ];
  const wrong: readonly (readonly [string, MakeSubject])[] = [
    ...wrongSubjects,
    ["refuses-siblings", (ports) => new RefusesSiblings(ports)],
  ];

  /** The histories of some executions, the one of the first breach among them. */
  async function historiesOf(make: MakeSubject, situation: Situation, executions: number) {
    const seen: LeaseHistory[] = [];
    const onHistory = (history: LeaseHistory) => seen.push(history);
    const scenario = leaseSituation({ name: "histories", make, situation, onHistory });
    await search(scenario, { level: "jitter", strategy: "random", executions, seed: "histories" });
    return seen;
  }

  test.each(right)("holds in every history of %s", async (_, make) => {
    for (const situation of Object.values(situations)) {
      for (const history of await historiesOf(make, situation, 6))
        expect(linearizable.violation(history)).toBeUndefined();
    }
  });

  test("in those that get it wrong, sees nothing that the contract does not, and all that single-writer does", async () => {
    const stories: ReadonlyMap<string, Situation> = new Map<string, Situation>(Object.entries(situations));
    const broken = new Set<string>();
    for (const [name, make] of wrong) {
      const situation = stories.get(name) ?? situations["does-not-pump-on-cancel"];
      for (const history of await historiesOf(make, situation, 60)) {
        const own = linearizable.violation(history);
        const single = singleWriter.violation(history);
        if (single !== undefined) expect([name, single, own]).not.toEqual([name, single, undefined]);
        if (own === undefined) continue;
        broken.add(name);
        expect([name, own, single ?? parentChildExclusive.violation(history)]).not.toEqual([name, own, undefined]);
      }
    }
    expect([...broken].sort()).toEqual(["compares-raw-paths", "forgets-intents", "releases-by-name"]);
  });
});
