import { expect, test } from "vitest";
import { scenario, type Touches, type World } from "../../scenario.ts";
import { byClass, orderOf } from "./classes.ts";
import { everyOrder } from "./every-order.ts";

/** How many orders and classes the world has. */
async function counted(build: (world: World) => void): Promise<readonly [orders: number, classes: number]> {
  const all = await everyOrder({ scenario: scenario("counted", build), state: () => "" }, 5_000);
  if (all === null) throw new RangeError("too many orders");
  expect(new Set(all.map(orderOf)).size).toBe(all.length);
  return [all.length, byClass(all).size];
}

function events(world: World, touches: Readonly<Record<string, readonly (Touches | null)[]>>): void {
  for (const [source, list] of Object.entries(touches)) {
    world.events(
      source,
      list.map((each, at) => [`${at}`, () => undefined, each === null ? {} : { touches: each }] as const),
    );
  }
}

const [reads, writes] = [{ reads: ["x"] }, { writes: ["x"] }];

test.each<readonly [string, Readonly<Record<string, readonly (Touches | null)[]>>, number, number]>([
  ["three that touch nothing", { a: [{}], b: [{}], c: [{}] }, 6, 1],
  ["three that declare nothing", { a: [null], b: [null], c: [null] }, 6, 6],
  // Each reader before or after the writer.
  ["two readers and a writer", { a: [reads], b: [reads], c: [writes] }, 6, 4],
  ["three writers", { a: [writes], b: [writes], c: [writes] }, 6, 6],
  ["three steps beside three that touch nothing", { a: [null, null, null], b: [{}, {}, {}] }, 20, 1],
  // Where the one writer stands among the three readers of the other source.
  ["three readers in a row, and a writer", { a: [reads, reads, reads], b: [writes] }, 4, 4],
])("byClass() of %s", async (_what, touches, orders, classes) => {
  expect(await counted((world) => events(world, touches))).toEqual([orders, classes]);
});

test("byClass() tells apart what was chosen: data and faults", async () => {
  const seen = await counted((world) => {
    world.events("a", [["pick", () => world.choose("one of three", [1, 2, 3]), { touches: {} }]]);
    world.io("b:risky", () => 1, { mayFail: true, touches: {} }).catch(() => undefined);
  });
  expect(seen).toEqual([12, 6]);
});

test("byClass() lets a third delivery carry a dependence over", async () => {
  // a before b before c, or c before b before a, or b first or last: a and c touch different things.
  const touches = { a: [{ writes: ["x"] }], b: [{ writes: ["x", "y"] }], c: [{ writes: ["y"] }] };
  expect(await counted((world) => events(world, touches))).toEqual([6, 4]);
});
