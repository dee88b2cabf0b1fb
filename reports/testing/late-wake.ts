import type { Repro } from "../../repro/repro.ts";
import type { ConsoleOptions } from "../lines.ts";

/** As the command reports to somebody who reads no colours. */
export const plainOptions: ConsoleOptions = {
  color: false,
  full: false,
  replayArguments: "late.json",
  command: "npx microloom",
};

/** A wake that comes while a turn is being stopped: one ordering, and the swap that decides. */
export const lateWakeRepro: Repro = {
  format: 1,
  scenario: "late wake",
  title: "A wake is forgotten",
  violates: "nothing is forgotten",
  level: "spec",
  verdict: "bug",
  expect: "violation",
  script: [],
  faults: [],
  data: [],
  orderings: [{ first: "user:stop#1", then: "agent:model#2" }],
  criticalPair: ["user:stop#1", "agent:model#2"],
  choices: null,
  foundBy: { strategy: "placement", seed: "s", executions: 12 },
};
