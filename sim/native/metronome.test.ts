import { describe, expect, test } from "vitest";
import { scenario, type World } from "../scenario.ts";
import { FirstComeChooser } from "../strategy.ts";
import { executed } from "../testing/executions.ts";

class MeasuringChooser extends FirstComeChooser {
  readonly lengths: number[] = [];

  constructor() {
    super(true);
  }

  override drained(ticks: number): void {
    this.lengths.push(ticks);
  }
}

/** Lengths of the drains of the deliveries, in order; that of the scenario's body left out. */
async function drains(body: (world: World) => unknown): Promise<readonly number[]> {
  const chooser = new MeasuringChooser();
  await executed(scenario("measured", body), chooser, { level: "jitter" });
  return chooser.lengths.slice(1);
}
const drainOf = async (act: () => unknown): Promise<number | undefined> =>
  (await drains((world) => world.events("u", [["x", () => void act()]])))[0];

const chain = async (awaits: number): Promise<void> => {
  for (let index = 0; index < awaits; index++) await null;
};
const nested = async (depth: number): Promise<void> => {
  if (depth > 0) await nested(depth - 1);
};

describe("Metronome.read()", () => {
  test.each([0, 1, 2, 3, 5, 12, 13, 14, 100, 1_000])(
    "Metronome.read() measures a chain of %i awaits",
    async (length) => {
      expect(await drainOf(() => chain(length))).toBe(length);
    },
  );

  test.each([0, 1, 2, 7, 40])("Metronome.read() measures %i nested async functions", async (depth) => {
    // The innermost ends without a tick; each level above resumes one tick after the one below.
    expect(await drainOf(() => nested(depth))).toBe(depth);
  });

  test.each<[string, number, () => unknown]>([
    ["several chains side by side as the longest", 9, () => [3, 9, 5].map(chain)],
    [
      "then chains",
      4,
      () => [1, 2, 3, 4].reduce((promise: Promise<unknown>) => promise.then(() => null), Promise.resolve()),
    ],
    [
      "a thenable that is adopted",
      1,
      () => Promise.resolve({ then: (resolve: (value: null) => void) => resolve(null) }),
    ],
    ["a promise returned by an async function", 2, async () => Promise.resolve()],
    [
      "Promise.all of settled promises and an await of it",
      2,
      async () => void (await Promise.all([1, 2, Promise.resolve(3)])),
    ],
    ["Promise.all of chains and an await of it", 8, async () => void (await Promise.all([chain(2), chain(6)]))],
    ["queueMicrotask", 1, () => queueMicrotask(() => undefined)],
    ["a chain of queueMicrotask", 3, () => queueMicrotask(() => queueMicrotask(() => queueMicrotask(() => undefined)))],
    ["nextTick", 1, () => process.nextTick(() => undefined)],
    ["nextTick after the last tick", 4, () => chain(2).then(() => process.nextTick(() => undefined))],
    ["nothing", 0, () => 1],
  ])("Metronome.read() measures %s", async (_, length, act) => {
    const measured = await drainOf(act);
    if (measured !== length) expect(measured).toBe(length);
    expect(await drainOf(act)).toBe(measured);
  });

  test("Metronome.read() measures every drain of an execution by itself", async () => {
    const lengths = await drains((world) => {
      world.actor("a", async () => {
        await world.delay("x");
        await chain(4);
        await world.delay("y");
      });
      world.events("u", [["go", () => chain(2).then(() => world.delay("z"))]]);
    });
    // Where an act or actor settles, the engine's watch of it takes the last tick.
    expect(lengths).toEqual([0, 6, 2, 4, 2]);
  });
});
