import { describe, expect, test } from "vitest";
import { type Scenario, scenario, type World } from "./scenario.ts";
import { search } from "./search.ts";

/** Six steps that declare to touch nothing, and write one log. */
const lie = scenario("a lie that takes six", (world) => {
  const log: string[] = [];
  for (const name of ["a", "b", "c", "d"]) {
    world.events(name, [["step", () => void log.push(name), { touches: {} }]]);
  }
  world.atQuiescence("not in this order", () => log.join("") !== "bdca" || "it was");
});

function between(extra: (world: World, seen: Set<string>) => void): Scenario {
  return scenario("four that do not conflict", (world) => {
    const seen = new Set<string>();
    for (const name of ["a", "b", "c", "d"]) {
      world.events(name, [["step", () => void seen.add(name), { touches: { writes: [name] } }]]);
    }
    extra(world, seen);
  });
}

describe("search() after all classes were run", () => {
  test("search() finds what a wrong declaration of several deliveries hides", async () => {
    for (const strategy of ["dpor", "portfolio"] as const) {
      expect(await search(lie, { strategy })).toMatchObject({ outcome: "violated" });
    }
  });

  test("search() judges `always` between independent deliveries", async () => {
    const subject = between((world, seen) =>
      world.always("c and d are not first", () => seen.size !== 2 || !(seen.has("c") && seen.has("d"))),
    );
    expect(await search(subject, { strategy: "dpor" })).toMatchObject({ outcome: "violated", executions: 1 });
  });

  test("search() reaches goals between independent deliveries", async () => {
    const subject = between((world, seen) => world.sometimes("d first", () => seen.size === 1 && seen.has("d")));
    const found = await search(subject, { strategy: "dpor" });
    expect(found).toMatchObject({ outcome: "held", certificate: { classes: 1 }, reached: { missing: [] } });
  });
});

describe("touches", () => {
  test.each([
    ["a Map", new Map([["writes", ["log"]]])],
    ["a promise", Promise.resolve({})],
    ["a list", ["log"]],
  ])("touches refuses %s, which would say that nothing is touched", async (_what, touches) => {
    const subject = scenario("odd touches", (world) => {
      world.events("a", [["step", () => undefined, { touches: Object(touches) }]]);
    });
    await expect(search(subject)).rejects.toThrow(/expected \{ reads, writes \}/);
  });

  test("touches takes twenty thousand names without looking at each pair of them", async () => {
    const names = (prefix: string): string[] => Array.from({ length: 20_000 }, (_, at) => `${prefix}${at}`);
    const [one, other] = [names("one"), names("other")];
    let asked = 0;
    const subject = scenario("large", (world) => {
      for (const list of [one, other]) {
        const counted = new Proxy(list, {
          get(target, key) {
            asked++;
            return Reflect.get(target, key);
          },
        });
        world.events(`s${list.length}${list === one}`, [["step", () => undefined, { touches: { writes: counted } }]]);
      }
    });
    expect(await search(subject, { strategy: "dpor", executions: 4 })).toMatchObject({ outcome: "held" });
    // Each of some seventy executions reads both lists a few times; each pair of names would be 400 million.
    expect(asked).toBeLessThan(100_000_000);
  });
});
