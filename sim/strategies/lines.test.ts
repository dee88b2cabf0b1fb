import { expect, test } from "vitest";
import type { PossibleDelivery } from "../execution.ts";
import { Lines, type Victim } from "./lines.ts";

const delivery = (source: string, label: string, id: number): PossibleDelivery => ({
  name: `${source}:${label}#1`,
  source,
  kind: "io",
  family: { id, label },
  touches: null,
  observed: null,
});

const a = delivery("a", "x", 1);
const aToo = delivery("a", "y", 2);
const b = delivery("b", "x", 3);

function victims(lines: Lines): Victim[] {
  const all: Victim[] = [];
  for (let next = lines.next(); next !== null; next = lines.next()) {
    lines.tries(next);
    all.push(next);
  }
  return all;
}

test("Lines.next() gives each source, and each family open beside another, from each of its deliveries on", () => {
  const lines = new Lines();
  lines.begin();
  lines.possible([b, a, aToo], 3);
  for (const each of [b, a, a, aToo]) lines.delivered(each);
  lines.learn(-1);
  expect(victims(lines).map(({ kind, id, from }) => `${kind} ${id} from ${from}`)).toEqual([
    "source 0 from 0",
    "source 1 from 0",
    "family 1 from 0",
    "family 2 from 0",
    "source 1 from 1",
    "family 1 from 1",
    "source 1 from 2",
  ]);
});

test("Lines learn nothing of an execution that did not end", () => {
  const lines = new Lines();
  lines.begin();
  lines.possible([a, aToo], 2);
  for (const each of [a, aToo]) lines.delivered(each);
  lines.begin();
  lines.possible([a], 1);
  lines.delivered(a);
  lines.learn(-1);
  expect(victims(lines)).toEqual([{ kind: "source", id: 0, from: 0 }]);
});

test("Lines.holds() begins to hold after so many deliveries", () => {
  const lines = new Lines();
  lines.begin();
  const victim: Victim = { kind: "source", id: lines.sources.idOf(a), from: 2 };
  const held: boolean[] = [];
  for (const each of [a, b, aToo, a]) {
    held.push(lines.holds(a, victim));
    lines.delivered(each);
  }
  expect(held).toEqual([false, false, false, true]);
  expect(lines.holds(b, victim)).toBe(false);
});
