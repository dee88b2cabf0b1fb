import fc from "fast-check";
import { expect, test } from "vitest";
import { Explorer } from "./explorer.ts";
import { type Model, ModelError } from "./model.ts";
import type { ModelResult } from "./result.ts";
import { integer, list, record, SchemaError } from "./schema.ts";
import { type At, graphModel, type Move, moves } from "./testing/graph.ts";
import { toy } from "./testing/toy.ts";
import type { Trace } from "./trace.ts";

function texts<State, Input, Effect>(trace: Trace<State, Input, Effect> | null): string | undefined {
  return trace?.steps.map(({ text }) => text).join(" ");
}

/** A chain with a shortcut, and a node that nobody reaches. */
const chain = [moves("a>1 b>2"), moves("a>2"), moves("a>3"), moves("back>0"), moves("a>0")];
const nobodyAt = (node: number) => ({
  name: `nobody at ${node}`,
  violation: ({ at }: At) => (at === node ? `at ${at}` : null),
});

test("run() visits what can be reached, and says how much that was", async () => {
  const goals = [2, 4].map((node) => ({ name: `at ${node}`, reached: (_: At, __: Move, { at }: At) => at === node }));
  const result = await new Explorer(graphModel(chain, { goals })).run();
  expect(result).toStrictEqual({
    model: "graph",
    bounds: { nodes: 5 },
    outcome: "proved",
    why: null,
    states: 4,
    edges: 5,
    depth: 2,
    goals: { "at 2": 1, "at 4": null },
    bytesPerState: (2 ** 10 * 8 + 4096 * 8) / 4,
    violation: null,
    counterexample: null,
  });
});

test("run() stops at a broken state with a shortest counterexample", async () => {
  const result = await new Explorer(graphModel(chain, { always: [nobodyAt(3)] })).run();
  expect(result.outcome).toBe("violated");
  expect(result.violation).toEqual({ kind: "always", name: "nobody at 3", saw: "at 3" });
  expect(result.counterexample?.initial).toEqual({ at: 0 });
  expect(result.counterexample?.steps).toEqual([
    { input: { label: "b", to: 2 }, text: "b", effects: [], state: { at: 2 } },
    { input: { label: "a", to: 3 }, text: "a", effects: [], state: { at: 3 } },
  ]);
});

test("run() judges the initial state, steps, quiescence, deadlocks and what the reducer throws", async () => {
  const judge = async (rest: Parameters<typeof graphModel>[1], graph = chain) => {
    const { outcome, violation, counterexample } = await new Explorer(graphModel(graph, rest)).run();
    return [outcome, violation?.kind, violation?.saw, texts(counterexample)];
  };
  expect(await judge({ always: [nobodyAt(0)] })).toEqual(["violated", "always", "at 0", ""]);
  expect(await judge({ atQuiescence: [nobodyAt(3)] })).toEqual(["violated", "at-quiescence", "at 3", "b a"]);
  expect(await judge({ atQuiescence: [nobodyAt(3)], quiescent: ({ at }) => at < 3 })).toEqual([
    "proved",
    undefined,
    undefined,
    undefined,
  ]);
  const noWayBack = {
    name: "no way back",
    violation: (before: At, input: Move, after: At) =>
      after.at < before.at ? `${before.at} ${input.label} ${after.at}` : null,
  };
  expect(await judge({ everyStep: [noWayBack] })).toEqual(["violated", "every-step", "3 back 0", "b a back"]);
  const stuck = ["violated", "deadlock", "nothing can happen, and the state is not quiescent"];
  expect(await judge({ quiescent: () => false }, [moves("a>1 b>2"), moves("a>2"), []])).toEqual([...stuck, "b"]);
  const throwing: Model<At, Move, never> = {
    ...graphModel(chain),
    step: (_, { label, to }) => {
      if (label === "back") throw new Error("no way back");
      return { state: { at: to }, effects: [] };
    },
  };
  const { violation, counterexample } = await new Explorer(throwing).run();
  expect(violation).toEqual({ kind: "threw", name: "step() throws", saw: "no way back" });
  expect(texts(counterexample)).toBe("b a back");
});

test("run() says the same again after a violation", async () => {
  const explorer = new Explorer(graphModel(chain, { always: [nobodyAt(3)] }));
  expect(await explorer.run()).toStrictEqual(await explorer.run());
});

test("run() prefers a deadlock in the level at work to a broken step out of it", async () => {
  const graph = [moves("a>1 b>2"), moves("a>3"), [], []];
  const { violation, counterexample } = await new Explorer(
    graphModel(graph, { always: [nobodyAt(3)], quiescent: ({ at }) => at !== 2 }),
  ).run();
  expect(violation?.kind).toBe("deadlock");
  expect(texts(counterexample)).toBe("b");
});

test("run() agrees with a plain search of random graphs, and its counterexamples are shortest", async () => {
  const graphs = fc.integer({ min: 1, max: 30 }).chain((size) =>
    fc.array(
      fc.array(
        fc.nat(size - 1).map((to) => ({ label: `to ${to}`, to })),
        { maxLength: 3 },
      ),
      { minLength: size, maxLength: size },
    ),
  );
  const property = fc.asyncProperty(graphs, async (graph) => {
    const depths = distances(graph);
    const proved = await new Explorer(graphModel(graph)).run();
    expect(proved.states).toBe(depths.size);
    expect(proved.depth).toBe(Math.max(...depths.values()));
    expect(proved.edges).toBe([...depths.keys()].reduce((sum, node) => sum + (graph[node]?.length ?? 0), 0));
    for (const [node, depth] of depths) {
      const { counterexample } = await new Explorer(graphModel(graph, { always: [nobodyAt(node)] })).run();
      expect(counterexample?.steps.length).toBe(depth);
    }
  });
  await fc.assert(property, { numRuns: 60, seed: 7 });
});

function distances(graph: readonly (readonly Move[])[]): ReadonlyMap<number, number> {
  const depths = new Map([[0, 0]]);
  for (const [node, depth] of depths) {
    for (const { to } of graph[node] ?? []) if (!depths.has(to)) depths.set(to, depth + 1);
  }
  return depths;
}

test("run() stops at a limit, says so, and goes on under a higher one to the same result", async () => {
  const explorer = new Explorer(toy);
  const states = await explorer.run({ stateLimit: 1_000 });
  expect(states.outcome).toBe("incomplete");
  expect(states.why).toBe(`state limit of 1000 reached after 1000 states at depth ${states.depth}`);
  const memory = await explorer.run({ memoryBytes: 400_000 });
  expect(memory.outcome).toBe("incomplete");
  expect(memory.why).toMatch(/^memory limit of 400000 bytes reached after \d+ states at depth \d+$/);
  expect(explorer.explored.table.bytes).toBeLessThanOrEqual(400_000);
  const resumed = await explorer.run({ stateLimit: 50_000 });
  expect(resumed).toStrictEqual(await new Explorer(toy).run({ stateLimit: 50_000 }));
});

test("run() stops at the signal, tells its progress, and goes on to the same result", async () => {
  const caller = new AbortController();
  const explorer = new Explorer(toy);
  const seen: number[] = [];
  const stopped = await explorer.run({
    stateLimit: 200_000,
    signal: caller.signal,
    onProgress: ({ states }) => {
      if (seen.push(states) === 2) caller.abort();
    },
  });
  expect(stopped.why).toBe("stopped by its caller");
  expect(seen).toEqual([...seen].sort((a, b) => a - b));
  expect(seen.at(-1)).toBe(stopped.states);
  const resumed = await explorer.run({ stateLimit: 200_000 });
  expect(resumed).toStrictEqual(await new Explorer(toy).run({ stateLimit: 200_000 }));
});

test("run() names the path to a state that does not fit its schema", async () => {
  const growing: Model<{ readonly queue: readonly number[] }, "push", never> = {
    name: "growing",
    bounds: {},
    initial: { queue: [] },
    schema: record({ queue: list(integer(0, 9), 2) }),
    inputs: (_, emit) => emit("push"),
    step: ({ queue }) => ({ state: { queue: [...queue, 1] }, effects: [] }),
    always: [],
    everyStep: [],
    atQuiescence: [],
    goals: [],
    quiescent: () => true,
    describe: (input) => input,
  };
  await expect(new Explorer(growing).run()).rejects.toThrow(SchemaError);
  await expect(new Explorer(growing).run()).rejects.toThrow(
    'Cannot pack state.queue: expected a list of at most 2, found "3 of them"\n  in "growing", after push, push, push',
  );
});

/** Two equal workers, each of whom may move one place on. */
type Pair = { readonly one: number; readonly two: number };
function workers(most: number): Model<Pair, "one" | "two", never> {
  return {
    name: "two workers",
    bounds: { most },
    initial: { one: 0, two: 0 },
    schema: record({ one: integer(0, most), two: integer(0, most) }),
    inputs: ({ one, two }, emit) => {
      if (one < most) emit("one");
      if (two < most) emit("two");
    },
    step: (state, who) => ({ state: { ...state, [who]: state[who] + 1 }, effects: [] }),
    always: [],
    everyStep: [],
    atQuiescence: [],
    quiescent: () => true,
    goals: [],
    describe: (input) => input,
  };
}
const sorted = ({ one, two }: Pair) => (one <= two ? { one, two } : { one: two, two: one });

test("canonical() leaves one of each class, and counterexamples run without it", async () => {
  const plain = await new Explorer(workers(9)).run();
  const reduced = await new Explorer({ ...workers(9), canonical: sorted }).run();
  expect([plain.states, reduced.states]).toEqual([100, 55]);
  const always = [{ name: "not far", violation: ({ one, two }: Pair) => (one * two >= 6 ? `${one} ${two}` : null) }];
  const found: ModelResult<Pair, "one" | "two", never> = await new Explorer({
    ...workers(9),
    canonical: sorted,
    always,
  }).run();
  expect(found.outcome).toBe("violated");
  let state: Pair = { one: 0, two: 0 };
  for (const taken of found.counterexample?.steps ?? []) {
    state = { ...state, [taken.input]: state[taken.input] + 1 };
    expect(taken.state).toEqual(state);
  }
  expect(found.violation?.saw).toBe(`${state.one} ${state.two}`);
  expect(found.counterexample?.steps.length).toBe(5);
});

test("a model that contradicts itself is no verdict", async () => {
  // The second look finds nothing: the invariant depends on more than the state.
  let asked = 0;
  const moody = { name: "moody", violation: ({ at }: At) => (at === 3 && asked++ === 0 ? "once" : null) };
  await expect(new Explorer(graphModel(chain, { always: [moody] })).run()).rejects.toThrow(ModelError);
  const asymmetric: Model<Pair, "one" | "two", never> = {
    ...workers(4),
    // Makes one class of states that have different futures.
    canonical: ({ one, two }) => (one === 2 ? { one: 0, two: 3 } : { one, two }),
    always: [{ name: "not there", violation: ({ one, two }) => (one === 1 && two === 4 ? "there" : null) }],
  };
  await expect(new Explorer(asymmetric).run()).rejects.toThrow("canonical() must be a symmetry");
});
