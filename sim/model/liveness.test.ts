import fc from "fast-check";
import { expect, test } from "vitest";
import { Explorer } from "./explorer.ts";
import { checkLiveness, type Fairness } from "./liveness.ts";
import { ModelError } from "./model.ts";
import { type At, graphModel, type Move, moves } from "./testing/graph.ts";

/** Capital letters are what a user may do; all else is the duty of its name. */
const duty = ({ label }: Move) => (/^[A-Z]/.test(label) ? null : label);

/** Pending everywhere but at these nodes. */
function fairness(...settled: number[]): Fairness<At, Move> {
  return { obligations: [{ name: "settles", pending: ({ at }) => !settled.includes(at) }], duty };
}

async function judge(graph: readonly (readonly Move[])[], fair: Fairness<At, Move>) {
  const explorer = new Explorer(graphModel(graph));
  await explorer.run();
  const { outcome, pending, violation } = await checkLiveness(explorer, fair);
  const say = (steps: readonly { text: string }[] = []) => steps.map(({ text }) => text).join(" ");
  return { outcome, pending: pending.settles, stem: say(violation?.stem.steps), cycle: say(violation?.cycle) };
}

test("a lock that is never released: the waiter's run ends in a dead end", async () => {
  // 0 free, 1 held, 2 held and waited for, 3 granted. The holder may forget to release.
  const graph = [moves("Take>1"), moves("Wait>2 Release>0"), moves("Release>3"), moves("done>0")];
  const waiter: Fairness<At, Move> = { obligations: [{ name: "settles", pending: ({ at }) => at === 2 }], duty };
  expect(await judge(graph, waiter)).toEqual({ outcome: "violated", pending: 1, stem: "Take Wait", cycle: "" });
  const dutiful = [moves("Take>1"), moves("Wait>2 Release>0"), moves("release>3"), moves("done>0")];
  expect(await judge(dutiful, waiter)).toEqual({ outcome: "proved", pending: 1, stem: "", cycle: "" });
});

test("the nearest dead end is the one that is told", async () => {
  const graph = [moves("a>1 b>2"), moves("a>3"), [], moves("a>4"), []];
  expect((await judge(graph, fairness())).stem).toBe("b");
});

test("a livelock: everybody does his duty, and nothing comes of it", async () => {
  const graph = [moves("start>1"), moves("try>2"), moves("back>1 Give-up>3"), []];
  expect(await judge(graph, fairness(0, 3))).toEqual({
    outcome: "violated",
    pending: 2,
    stem: "start",
    cycle: "try back",
  });
});

test("a starved waiter: fairness rescues it where its grant stays possible, and not where it comes and goes", async () => {
  // Another one works at 0 and 1; the waiter is granted at 2.
  expect(await judge([moves("work>1 grant>2"), moves("rest>0 grant>2"), []], fairness(2))).toEqual({
    outcome: "proved",
    pending: 2,
    stem: "",
    cycle: "",
  });
  expect(await judge([moves("work>1 grant>2"), moves("rest>0"), []], fairness(2))).toEqual({
    outcome: "violated",
    pending: 2,
    stem: "",
    cycle: "work rest",
  });
});

test("a user who never stops is no excuse, and no help", async () => {
  // The step ends it, unless the user's messages are what ends it.
  expect((await judge([moves("Send>0 step>1"), []], fairness(1))).outcome).toBe("proved");
  expect((await judge([moves("poll>0 Send>1"), []], fairness(1))).cycle).toBe("poll");
});

test("the cycle of a counterexample does every duty that is possible all along", async () => {
  const graph = [moves("a>1 b>0 c>2"), moves("a>0 b>2 c>1"), moves("a>2 b>0 c>0")];
  const { outcome, cycle } = await judge(graph, fairness());
  expect(outcome).toBe("violated");
  expect(new Set(cycle.split(" "))).toEqual(new Set(["a", "b", "c"]));
});

test("an exploration that is not complete can violate, and cannot prove", async () => {
  const graph = [moves("a>1"), moves("a>2"), moves("a>3"), []];
  const explorer = new Explorer(graphModel(graph));
  await explorer.run({ stateLimit: 2 });
  const result = await checkLiveness(explorer, fairness(3));
  expect([result.outcome, result.why]).toEqual(["incomplete", "not every state has been visited"]);
  const loop = new Explorer(graphModel([moves("a>0 B>1"), moves("a>2"), []]));
  await loop.run({ stateLimit: 2 });
  expect((await checkLiveness(loop, fairness(2))).outcome).toBe("violated");
});

test("checkLiveness() stops at the signal, and refuses symmetry", async () => {
  const explorer = new Explorer(graphModel([moves("a>0")]));
  await explorer.run();
  const signal = AbortSignal.abort();
  expect((await checkLiveness(explorer, fairness(), { signal })).why).toBe("stopped by its caller");
  const symmetric = new Explorer(graphModel([moves("a>0")], { canonical: (state) => state }));
  await symmetric.run();
  await expect(checkLiveness(symmetric, fairness())).rejects.toThrow(ModelError);
});

test("checkLiveness() agrees with a slow reading on random graphs", async () => {
  const move = (size: number) => fc.record({ label: fc.constantFrom("a", "b", "c", "U"), to: fc.nat(size - 1) });
  const graphs = fc
    .integer({ min: 1, max: 5 })
    .chain((size) => fc.array(fc.array(move(size), { maxLength: 3 }), { minLength: size, maxLength: size }));
  const property = fc.asyncProperty(graphs, fc.subarray([0, 1, 2, 3, 4]), async (graph, settled) => {
    const { outcome } = await judge(graph, fairness(...settled));
    expect(outcome).toBe(slowly(graph, settled) ? "violated" : "proved");
  });
  await fc.assert(property, { numRuns: 1_500, seed: 7 });
});

/** Some set of reachable pending nodes is a dead end, or is connected by its moves and fair to every duty. */
function slowly(graph: readonly (readonly Move[])[], settled: readonly number[]): boolean {
  const reachable = closure(0, graph, () => true);
  reachable.add(0);
  const pending = [...reachable].filter((node) => !settled.includes(node));
  const duties = (node: number) => new Set(graph[node]?.map(duty).filter((name) => name !== null));
  if (pending.some((node) => duties(node).size === 0)) return true;
  for (let subset = 1; subset < 1 << pending.length; subset++) {
    const nodes = pending.filter((_, index) => subset & (1 << index));
    const connected = nodes.every((node) => {
      const reached = closure(node, graph, (to) => nodes.includes(to));
      return nodes.every((other) => reached.has(other));
    });
    if (!connected) continue;
    const done = new Set(nodes.flatMap((node) => graph[node]?.filter(({ to }) => nodes.includes(to)).map(duty)));
    const always = ["a", "b", "c"].filter((name) => nodes.every((node) => duties(node).has(name)));
    if (always.every((name) => done.has(name))) return true;
  }
  return false;
}

/** What is reached from a node by at least one move. */
function closure(from: number, graph: readonly (readonly Move[])[], allowed: (to: number) => boolean): Set<number> {
  const reached = new Set<number>();
  const open = [from];
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    for (const { to } of graph[node] ?? []) {
      if (!allowed(to) || reached.has(to)) continue;
      reached.add(to);
      open.push(to);
    }
  }
  return reached;
}
