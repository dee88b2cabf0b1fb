import { expect, test } from "vitest";
import { Random, type StreamName, streamSeed } from "./random.ts";

const draws = (seed: string, stream: StreamName, execution: number, count = 64): number[] => {
  const random = new Random(streamSeed(seed, stream));
  random.restart(execution);
  return Array.from({ length: count }, () => random.word());
};

test("Random.word() gives the same numbers on every machine", () => {
  expect(draws("seed", "schedule", 0, 4)).toMatchInlineSnapshot(`
    [
      -1076259854,
      1877987139,
      998322140,
      -542641514,
    ]
  `);
  expect(draws("seed", "schedule", 1, 4)).toMatchInlineSnapshot(`
    [
      -1066403012,
      -619432185,
      -612859878,
      1321402163,
    ]
  `);
});

test("Random.restart() gives an execution the same numbers whatever ran before", () => {
  const random = new Random(streamSeed("seed", "world"));
  for (let execution = 0; execution < 10; execution++) {
    random.restart(execution);
    for (let draw = 0; draw < execution; draw++) random.word();
  }
  random.restart(5);
  expect(Array.from({ length: 64 }, () => random.word())).toEqual(draws("seed", "world", 5));
});

test("streamSeed() and Random.restart() make streams that share nothing", () => {
  const streams = ["a", "b"].flatMap((seed) =>
    (["schedule", "world", "math", "crypto"] as const).flatMap((stream) =>
      Array.from({ length: 50 }, (_, execution) => draws(seed, stream, execution, 16)),
    ),
  );
  expect(new Set(streams.map(([first]) => first)).size).toBeGreaterThan(streams.length - 2);
  expect(new Set(streams.flat()).size).toBeGreaterThan(streams.length * 16 - 20);
});

test("Random.below() is even over the first draws of many executions", () => {
  const random = new Random(streamSeed("seed", "schedule"));
  const seen = [0, 0, 0, 0, 0, 0, 0];
  for (let execution = 0; execution < 7_000; execution++) {
    random.restart(execution);
    const drawn = random.below(7);
    seen[drawn] = (seen[drawn] ?? 0) + 1;
  }
  expect(seen.length).toBe(7);
  for (const count of seen) expect(Math.abs(count - 1_000)).toBeLessThan(150);
});

test("Random.fraction() stays in [0, 1)", () => {
  const random = new Random(streamSeed("seed", "math"));
  const fractions = Array.from({ length: 10_000 }, () => random.fraction());
  expect(Math.min(...fractions)).toBeGreaterThanOrEqual(0);
  expect(Math.max(...fractions)).toBeLessThan(1);
  expect(Math.abs(fractions.reduce((sum, value) => sum + value) / fractions.length - 0.5)).toBeLessThan(0.02);
});
