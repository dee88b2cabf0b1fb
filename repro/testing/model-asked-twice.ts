import type { Repro } from "../repro.ts";

/** A file that names a model's two answers in all places where a delivery can be named. */
export const modelAskedTwice: Repro = {
  format: 1,
  scenario: "s",
  title: "t",
  violates: "v",
  level: "spec",
  verdict: "bug",
  expect: "violation",
  script: [],
  faults: [{ at: "agent:model#2", kind: "fail" }],
  data: [],
  orderings: [
    { first: "user:stop#1", then: "agent:model#1" },
    { first: "user:go#1", then: "agent:model#2" },
  ],
  criticalPair: ["user:stop#1", "agent:model#2"],
  choices: null,
  foundBy: { strategy: "pct", seed: "s", executions: 1 },
};
