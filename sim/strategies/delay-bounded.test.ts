import { describe, expect, test } from "vitest";
import { streamSeed } from "../random.ts";
import { scenario } from "../scenario.ts";
import { firstCome, namesOf } from "../testing/executions.ts";
import { chains, countsOf, sampled, wordOf } from "../testing/sampled.ts";
import { DelayChooser, delayBounded } from "./delay-bounded.ts";
import { Sampling } from "./sampling.ts";

const seed = streamSeed("delay-bounded", "schedule");
const withDelays = (delays: number): Sampling => new Sampling("delay-bounded", new DelayChooser(seed, delays));

describe("delayBounded()", () => {
  test("delayBounded() without delays is first-come, and so is its first execution", async () => {
    const mixed = scenario("mixed", (world) => {
      world.actor("actor", async () => {
        await world.delay("x");
        await Promise.all([world.delay("y"), world.delay("net:z")]);
      });
      world.events("user", [
        ["one", () => setTimeout(() => undefined, 5)],
        ["two", () => undefined],
      ]);
    });
    const expected = namesOf(await firstCome(mixed));
    expect((await sampled(mixed, withDelays(0), 50)).map(namesOf)).toEqual(Array.from({ length: 50 }, () => expected));
    expect((await sampled(mixed, delayBounded(seed), 1)).map(namesOf)).toEqual([expected]);
  });

  test("delayBounded() with one delay sends one source to the tail, at every place", async () => {
    const words = (await sampled(chains({ a: 3, b: 3, c: 1 }), withDelays(1), 700)).slice(1).map(wordOf);
    expect([...countsOf(words).keys()].sort()).toEqual(
      ["bbbcaaa", "abbbcaa", "aabbbca", "aaacbbb", "aaabcbb", "aaabbcb", "aaabbbc"].sort(),
    );
    for (const count of countsOf(words).values()) expect(count).toBeGreaterThan(60);
  });

  test("delayBounded() spends no more delays than it has", async () => {
    const words = (await sampled(chains({ a: 10, b: 10, c: 10 }), delayBounded(seed), 2_000)).map(wordOf);
    // Three runs without a delay, and one more for each.
    const runs = words.map((word) => word.replace(/(.)\1*/g, "-").length);
    expect(new Set(runs)).toEqual(new Set([3, 4, 5, 6]));
  });

  test("delayBounded() delays families where there is one source", async () => {
    const one = scenario("one source", (world) => {
      for (const label of ["x", "y", "z"]) void world.delay(label);
    });
    const orders = (await sampled(one, withDelays(1), 200)).slice(1).map((execution) => namesOf(execution).join(" "));
    expect(new Set(orders)).toEqual(
      new Set(["main:x#1 main:y#1 main:z#1", "main:y#1 main:z#1 main:x#1", "main:x#1 main:z#1 main:y#1"]),
    );
  });
});
