import fc from "fast-check";
import { expect, test } from "vitest";
import { everyExecution, namesOf } from "../executions.ts";
import { subjectOf } from "./code.ts";
import { everyOrder } from "./every-order.ts";
import { programs } from "./programs.ts";

test("everyOrder() runs exactly what the depth-first strategy runs", async () => {
  for (const program of fc.sample(programs(40), { numRuns: 15, seed: 1 })) {
    const { scenario } = subjectOf(program);
    const strategy = await everyExecution(scenario);
    const all = (await everyOrder(subjectOf(program), 1_000)) ?? [];
    const described = ({ data, faults, ...told }: (typeof strategy)[number]): string =>
      JSON.stringify([namesOf({ data, faults, ...told }), data, faults, told.violation]);
    expect(all.map(({ execution }) => described(execution)).sort()).toEqual(strategy.map(described).sort());
  }
});

test("everyOrder() gives up beyond its bound", async () => {
  const flow = { kind: "events", declares: true, blocks: [[], [], []] } as const;
  const program = { flows: [flow, flow], conditions: [], lazySignal: false };
  expect(await everyOrder(subjectOf(program), 19)).toBe(null);
  expect(await everyOrder(subjectOf(program), 20)).toHaveLength(20);
});
