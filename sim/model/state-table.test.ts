import { expect, test } from "vitest";
import { full, known, StateTable } from "./state-table.ts";

/** Many different states of a few words, in no order. */
function words(number: number, count: number): Int32Array {
  return Int32Array.from(
    { length: count },
    (_, word) => Math.imul(number + 1, 0x9e37_79b1 + 2 * word) ^ (number >>> word),
  );
}

test.each([1, 2, 5])("add() numbers states of %i words in the order of finding and knows them again", (count) => {
  const table = new StateTable(count);
  const total = 20_000;
  const numbers: number[] = [];
  let again = 0;
  for (let number = 0; number < total; number++) {
    numbers.push(table.add(words(number, count), 0, number >>> 1));
    if (table.add(words(number >>> 2, count), 0, 0) === known) again++;
  }
  const all = Array.from({ length: total }, (_, number) => number);
  expect(numbers).toEqual(all);
  expect({ states: table.states, again }).toEqual({ states: total, again: total });
  expect(all.map((number) => table.find(words(number, count), 0))).toEqual(all);
  expect(all.map((number) => table.parent(number))).toEqual(all.map((number) => number >>> 1));
  const at = table.offset(total - 1);
  expect(table.chunk(total - 1).slice(at, at + count)).toEqual(words(total - 1, count));
  expect(table.find(words(total, count), 0)).toBe(-1);
});

test("states whose hashes meet are told apart", () => {
  // Two words hash to 32 bits: among 300,000 states about ten pairs meet.
  const table = new StateTable(2);
  const state = new Int32Array(2);
  const total = 300_000;
  for (let number = 0; number < total; number++) {
    state[0] = Math.imul(number, 0x0001_0003);
    state[1] = number ^ 0x5555;
    table.add(state, 0, 0);
  }
  expect(table.states).toBe(total);
});

test("bytes is what the arrays take, and stays within the limit", () => {
  const table = new StateTable(1);
  const limit = 1_000_000;
  table.limit(limit, Number.POSITIVE_INFINITY);
  let added = 0;
  while (table.add(Int32Array.of(added), 0, 0) !== full) added++;
  expect(table.states).toBe(added);
  expect(table.fullOf).toBe("memory");
  expect(table.bytes).toBeLessThanOrEqual(limit);
  // Slots are pairs of words, doubled when five of eight are taken; a chunk is 4,096 states of two words.
  const slots = 2 ** Math.ceil(Math.log2(added / 0.625)) * 8;
  expect(table.bytes).toBe(slots + Math.ceil(added / 4096) * 4096 * 8);

  table.limit(Number.POSITIVE_INFINITY, added + 1);
  expect(table.add(Int32Array.of(0), 0, 0)).toBe(known);
  expect(table.add(Int32Array.of(added), 0, 0)).toBe(added);
  expect(table.add(Int32Array.of(added + 1), 0, 0)).toBe(full);
  expect(table.fullOf).toBe("states");
});
