import { expect, test } from "vitest";
import { scenario } from "../../sim/scenario.ts";
import { parksLateWakes } from "../agent/scenarios.ts";
import { runForReal, runManyForReal } from "./real-world.ts";

test("runManyForReal() finds a driver that forgets a wake", async () => {
  expect(await runManyForReal(parksLateWakes, 50)).toContain("agent/no-dropped-wake");
});

test("runForReal() names what broke: a condition, an act, an actor, and what never settles", async () => {
  const oops = () => Promise.reject(new Error("oops"));
  const bodies = {
    "never: seen": (world) => world.always("never", () => "seen"),
    "at the end: false": (world) => world.atQuiescence("at the end", () => false),
    "user:act: Error: oops": (world) => world.events("user", [["act", oops]]),
    "flow: Error: oops": (world) => world.actor("flow", oops),
  } satisfies Record<string, Parameters<typeof scenario>[2]>;
  for (const [expected, body] of Object.entries(bodies)) {
    expect(await runForReal(scenario(expected, {}, body), 0)).toContain(expected);
  }
  const mayReject = scenario("may reject", (world) => world.events("user", [["act", oops, { mayReject: true }]]));
  expect(await runForReal(mayReject, 0)).toBe(null);
});

test("runForReal() draws every order", async () => {
  const seen = new Set<string>();
  for (let seed = 0; seed < 40; seed++) {
    const order: string[] = [];
    const flows = scenario("flows", (world) => {
      for (const name of ["a", "b"]) {
        world.actor(name, async () => {
          order.push(name);
          await world.delay();
          order.push(name);
        });
      }
    });
    expect(await runForReal(flows, seed)).toBe(null);
    seen.add(order.join(""));
  }
  expect([...seen].sort()).toEqual(["aabb", "abab", "abba", "baab", "baba", "bbaa"]);
});
