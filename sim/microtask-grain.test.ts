/**
 * Strategies that think in sources, at the grain of microtasks: a job has the actor as its source that it goes on for, so what
 * they do to an actor's deliveries they do to its continuations.
 */
import { describe, expect, test } from "vitest";
import type { StrategyName } from "./result.ts";
import { type Scenario, scenario } from "./scenario.ts";
import { type SearchResult, search } from "./search.ts";
import { lowered } from "./testing/lowered.ts";

type File = { readonly chunks: number; written: number; fetched: number };
type Programs = {
  readonly stream: (file: File, opened: Promise<void>) => Promise<void>;
  readonly fetches: (file: File, opened: Promise<void>) => Promise<void>;
};

const { stream, fetches } = lowered<Programs>(
  import.meta.url,
  `return {
    stream: async (file, opened) => {
      await opened;
      for (; file.written < file.chunks; file.written++) await null;
    },
    fetches: async (file, opened) => {
      await opened;
      file.fetched = file.written;
    },
  };`,
);

/** Both actors are told that the file is open in one drain, so the order of deliveries decides nothing. */
function lateContinuation(chunks: number, reported = true): Scenario {
  return scenario("a late continuation", (world) => {
    const file: File = { chunks, written: 0, fetched: -1 };
    let ready = 0;
    let open = (): void => undefined;
    const opened = new Promise<void>((resolve) => {
      open = resolve;
    });
    for (const [name, flow] of Object.entries({ fetch: fetches, stream })) {
      world.actor(name, () => {
        if (++ready === 2) open();
        return flow(file, opened);
      });
    }
    // Defect: the fetch reads after a whole chain of another actor's, of which each link is ready once the last has run.
    world.atQuiescence("nobody reads a file that was closed", () => !reported || file.fetched !== chunks);
  });
}

const seeds = ["a", "b", "c", "d", "e"];

function found(strategy: StrategyName, seed: string, executions: number): Promise<SearchResult> {
  return search(lateContinuation(40), { level: "free", strategy, seed, executions });
}

describe("a continuation that waits for another actor's whole chain", () => {
  test("is not there where the order of jobs is that of ECMAScript", async () => {
    for (const level of ["spec", "jitter"] as const) {
      const result = await search(lateContinuation(40), { level, engine: "microtask" });
      expect(result).toMatchObject({ outcome: "held", certificate: { level } });
    }
  });

  test("is not met by a random walk: one step in two leads away from it", async () => {
    for (const seed of seeds.slice(0, 2))
      expect(await found("random", seed, 1_000)).toMatchObject({ outcome: "held", executions: 1_000 });
  });

  // Measured over forty seeds: 2, 30 and 42 in the median, 13, 313 and 42 at most.
  test.each([
    ["pct", 50],
    ["surw", 1_000],
    ["dpor", 60],
  ] as const)("is found by %s in %i executions", async (strategy, executions) => {
    for (const seed of seeds) {
      const result = await found(strategy, seed, executions);
      expect(result).toMatchObject({ outcome: "violated", strategy, seed });
    }
  });

  test("is one of as many classes of DPOR as there are places for it", async () => {
    const result = await search(lateContinuation(8, false), { level: "free", strategy: "dpor" });
    // Two orders of the actors' starts, and ten places between the continuations of the stream.
    expect(result).toMatchObject({ outcome: "held", certificate: { classes: 20, level: "free" } });
  });
});
