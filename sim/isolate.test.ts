import { describe, expect, test } from "vitest";
import { scenario } from "./scenario.ts";
import { search } from "./search.ts";

/** A library with state outside of every function: it counts for as long as it is loaded. */
const source = "let calls = 0; export const call = () => ++calls;";
let loads = 0;

async function load(): Promise<unknown> {
  loads++;
  return import(`data:text/javascript,${source}//${loads}`);
}

function callOf(isolated: unknown): () => number {
  if (typeof isolated !== "object" || isolated === null) throw new Error("Nothing was loaded");
  return Reflect.get(isolated, "call");
}

describe("isolate", () => {
  test("search() finds state that outlives an execution where nothing is isolated", async () => {
    const loaded = await load();
    const result = await search(scenario("shared", (world) => world.note(`call ${callOf(loaded)()}`)));
    expect(result.outcome).toBe("diverged");
  });

  test("search() loads afresh for every execution", async () => {
    const seen: number[] = [];
    const isolated = scenario("isolated", { isolate: load }, (world, _script, library) => {
      const call = callOf(library);
      world.actor("a", () => void seen.push(call()));
      world.actor("b", () => void seen.push(call()));
    });
    const result = await search(isolated, { strategy: "depth-first" });
    expect(result).toMatchObject({ outcome: "held", certificate: { classes: 2 } });
    expect(seen.length).toBeGreaterThanOrEqual(4);
    // Each execution makes two calls, and its library counts from the start.
    for (const [at, count] of seen.entries()) expect(count).toBe((at % 2) + 1);
  });

  test("search() says what could not be loaded", async () => {
    const broken = scenario("broken", { isolate: () => Promise.reject(new Error("no such file")) }, () => undefined);
    await expect(search(broken)).rejects.toThrow("Cannot load what is isolated: Error: no such file");
  });
});
