import fc from "fast-check";
import { expect, test } from "vitest";
import { Components, type Graph } from "./components.ts";

function all(graph: Graph): readonly (readonly number[])[] {
  const search = new Components(graph);
  const found: (readonly number[])[] = [];
  for (;;) {
    const component = search.step();
    if (component === "none") return found;
    if (component !== null) found.push([...component].sort((a, b) => a - b));
  }
}

function graphOf(edges: readonly (readonly number[])[], isRoot: (node: number) => boolean = () => true): Graph {
  return {
    nodes: edges.length,
    isRoot,
    successors: (node, push) => edges[node]?.forEach((to) => void push(to)),
  };
}

test("step() gives a component after all that it leads to", () => {
  const edges = [[1], [2, 0], [3], [3], [0]];
  expect(all(graphOf(edges))).toEqual([[3], [2], [0, 1], [4]]);
  expect(all(graphOf(edges, (node) => node === 2))).toEqual([[3], [2]]);
});

test("step() agrees with mutual reachability on random graphs", () => {
  const graphs = fc
    .integer({ min: 1, max: 12 })
    .chain((size) => fc.array(fc.array(fc.nat(size - 1), { maxLength: 3 }), { minLength: size, maxLength: size }));
  const property = fc.property(graphs, (edges) => {
    const reach = edges.map((_, from) => {
      const reached = new Set([from]);
      for (const node of reached) for (const to of edges[node] ?? []) reached.add(to);
      return reached;
    });
    const components = all(graphOf(edges));
    expect(components.flat().length).toBe(edges.length);
    for (const component of components) {
      for (const node of component) {
        const mutual = edges.flatMap((_, other) => (reach[node]?.has(other) && reach[other]?.has(node) ? [other] : []));
        expect(mutual).toEqual(component);
      }
    }
  });
  fc.assert(property, { numRuns: 300, seed: 7 });
});

test("a ring of a million nodes needs no call stack", () => {
  const nodes = 1_000_000;
  const ring: Graph = { nodes, isRoot: () => true, successors: (node, push) => push((node + 1) % nodes) };
  expect(all(ring).map(({ length }) => length)).toEqual([nodes]);
});
