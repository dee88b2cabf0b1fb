import { expect, test } from "vitest";
import type { PossibleDelivery } from "../execution.ts";
import { streamSeed } from "../random.ts";
import { countsOf } from "../testing/sampled.ts";
import { Sampling, SamplingChooser } from "./sampling.ts";

const seed = streamSeed("sampling", "schedule");
const delivery: PossibleDelivery = {
  name: "a:x#1",
  source: "a",
  kind: "io",
  family: { id: 1, label: "x" },
  touches: null,
  observed: null,
};

/** What a chooser answers to one question of each kind, in 8,000 executions. */
function answers(ask: (chooser: SamplingChooser) => number): ReadonlyMap<string, number> {
  const chooser = new SamplingChooser(seed);
  const seen = Array.from({ length: 8_000 }, (_, index) => {
    chooser.restart(index);
    return `${ask(chooser)}`;
  });
  return new Map([...countsOf(seen)].sort());
}

test("SamplingChooser draws deliveries, data and ticks uniformly", () => {
  for (const [least, ask] of [
    [0, (chooser: SamplingChooser) => chooser.delivery([], 4)],
    [0, (chooser: SamplingChooser) => chooser.data("x", 4)],
    [1, (chooser: SamplingChooser) => chooser.ticks(4, delivery)],
  ] as const) {
    const counts = answers(ask);
    expect([...counts.keys()]).toEqual([0, 1, 2, 3].map((index) => `${least + index}`));
    for (const count of counts.values()) expect(Math.abs(count - 2_000)).toBeLessThan(160);
  }
});

test("SamplingChooser lets somebody arrive in one drain of four, and draws one fault in four", () => {
  for (const ask of [
    (chooser: SamplingChooser) => Math.min(1, chooser.companion([delivery], 1, delivery)),
    (chooser: SamplingChooser) => (chooser.fault(delivery, ["none", "fail"]) > 0 ? 1 : 0) * 2,
  ]) {
    const counts = answers(ask);
    const nobody = counts.get("0") ?? 0;
    // Half of the faults that are drawn are none.
    const expected = counts.has("2") ? 7_000 : 6_000;
    expect(Math.abs(nobody - expected)).toBeLessThan(160);
  }
});

test("Sampling gives one chooser, at the start of the execution that is asked for", () => {
  const strategy = new Sampling("random", new SamplingChooser(seed));
  const word = (index: number): number => strategy.next(index).delivery([], 1_000_000);
  const words = [0, 1, 2, 3].map(word);
  expect([3, 1, 0, 2].map(word)).toEqual([3, 1, 0, 2].map((index) => words[index]));
  expect(new Set(words).size).toBe(4);
});
