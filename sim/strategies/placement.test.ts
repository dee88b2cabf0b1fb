import { describe, expect, test } from "vitest";
import { scenario } from "../scenario.ts";
import { search } from "../search.ts";

/** Records in which order each execution of the sweep delivered four delays. */
async function orders(executions: number): Promise<string[]> {
  const seen: string[] = [];
  const recording = scenario("four", (world) => {
    const order: string[] = [];
    for (const label of ["a", "b", "c", "d"]) void world.delay(label).then(() => order.push(label));
    world.atQuiescence("recorded", () => seen.push(order.join("")) > 0);
  });
  await search(recording, { strategy: "placement", executions });
  // The first-come schedule runs twice before the strategy begins and once after it.
  return seen.slice(2, -1);
}

describe("Placement", () => {
  test("Placement moves one delivery at a time, nearest first, and never repeats a schedule", async () => {
    const seen = await orders(7);
    expect(seen[0]).toBe("abcd");
    expect(seen.slice(1, 4).sort()).toEqual(["abdc", "acbd", "bacd"]);
    expect(new Set(seen).size).toBe(seen.length);
  });

  test("Placement reaches every order of four deliveries", async () => {
    expect(new Set(await orders(400)).size).toBe(24);
  });

  test("Placement ends by itself where there is nothing to move", async () => {
    const result = await search(
      scenario("one", (world) => world.actor("a", () => world.delay("x"))),
      { strategy: "placement", executions: 100 },
    );
    expect(result).toMatchObject({ outcome: "held", executions: 1, certificate: null });
  });
});
