/**
 * What a kept repro answers after the code under it was edited. The tables are what the README tells: strict replay names
 * the first step that differs, best-effort follows the orderings, and what it takes for something else is said.
 */
import { beforeAll, describe, expect, test } from "vitest";
import type { Scenario } from "../../sim/scenario.ts";
import { explore } from "../explore.ts";
import { type ReplayResult, replay } from "../replay.ts";
import type { Repro } from "../repro.ts";
import { type AgentEdit, agentScenario } from "./agent.ts";
import { type LeaseEdit, leaseScenario } from "./lease.ts";

type Row = { readonly strict: string; readonly bestEffort: string };

const agentTable: Readonly<Record<Exclude<AgentEdit, "none">, Row>> = {
  "a second model call before the first": {
    strict: "no-longer-fits at step 11: agent:teardown#1, 1 possible → agent:chunk#2, 1 possible",
    bestEffort: "violated: no message lies in the inbox, agent:model#2 taken for agent:model#3",
  },
  "one I/O split in two": {
    strict: "no-longer-fits at step 9: agent:model#2, 2 possible → agent:connect#1, 2 possible",
    bestEffort: "violated: no message lies in the inbox",
  },
  "a retry loop": {
    strict: "no-longer-fits at step 7: storage:read settings#1, 2 possible → storage:read history#2, 2 possible",
    bestEffort: "violated: no message lies in the inbox",
  },
  "two reads made concurrent": {
    strict: "no-longer-fits at step 6: storage:read history#1, 2 possible → storage:read history#1, 3 possible",
    bestEffort: "violated: no message lies in the inbox",
  },
  "a new timer": {
    strict: "no-longer-fits at step 8: user:stop#1, 2 possible → storage:timer 60000#1, 3 possible",
    bestEffort: "violated: no message lies in the inbox",
  },
  "a new actor": {
    strict: "no-longer-fits at step 1: agent:start#1, 2 possible → agent:start#1, 3 possible",
    bestEffort: "violated: no message lies in the inbox",
  },
  "a cache in front": {
    strict: "no-longer-fits at step 6: storage:read history#1, 2 possible → cache:look up history#1, 2 possible",
    bestEffort: "violated: no message lies in the inbox",
  },
  "an await added": {
    strict: "violated",
    bestEffort: "violated: no message lies in the inbox",
  },
  "a helper extracted": {
    strict: "violated",
    bestEffort: "violated: no message lies in the inbox",
  },
  "a label renamed": {
    strict: "no-longer-fits at step 2: agent:model#1, 2 possible → agent:llm#1, 2 possible",
    bestEffort: "no-longer-fits, agent:model#1 may be agent:llm#1, agent:model#2 may be agent:llm#2",
  },
  "a label renamed that the repro does not name": {
    strict: "no-longer-fits at step 3: agent:chunk#1, 2 possible → agent:piece#1, 2 possible",
    bestEffort: "violated: no message lies in the inbox, agent:chunk#1 may be agent:piece#1",
  },
};

const leaseTable: Readonly<Record<Exclude<LeaseEdit, "none">, Row>> = {
  "an approval before the lease": {
    strict: "no-longer-fits at step 3: ann:note#1, 2 possible → user:approve ann#1, 2 possible",
    bestEffort: "violated: one holder at a time, in the recorded order, new ones leading first",
  },
  "an earlier note of the same label": {
    strict: "no-longer-fits at step 5: the end of the execution → ann:note#2, 2 possible",
    bestEffort: "violated: one holder at a time",
  },
  "a label renamed": {
    strict: "no-longer-fits at step 3: ann:note#1, 2 possible → ann:journal#1, 2 possible",
    bestEffort: "no-longer-fits, ann:note#1 may be ann:journal#1, bob:note#1 may be bob:journal#1",
  },
};

function strictly({ outcome, firstDifference }: ReplayResult): string {
  if (firstDifference === undefined) return outcome;
  const { step, recorded, now } = firstDifference;
  return `${outcome} at step ${step}: ${recorded} → ${now}`;
}

function loosely({ outcome, violation, drift }: ReplayResult): string {
  const { taken = [], wouldMeet = [], newComes = null } = drift?.guesses ?? {};
  return [
    violation === undefined ? outcome : `${outcome}: ${violation.name}`,
    ...taken.map(({ recorded, now }) => `${recorded} taken for ${now}`),
    ...wouldMeet.map(({ recorded, now }) => `all met if ${recorded} is ${now}`),
    ...(newComes === null ? [] : [`in the recorded order, new ones ${newComes}`]),
    ...(drift?.lookAlikes ?? []).map(({ gone, now }) => `${gone} may be ${now}`),
  ].join(", ");
}

async function rowOf(edited: Scenario, repro: Repro): Promise<Row> {
  return {
    strict: strictly(await replay(edited, repro, { mode: "strict" })),
    bestEffort: loosely(await replay(edited, repro, { mode: "best-effort" })),
  };
}

async function reproOf(scenario: Scenario): Promise<Repro> {
  const found = await explore(scenario);
  if (found.outcome !== "violated") throw new Error(`expected a violation, found ${found.outcome}`);
  return found.repro;
}

const agentEdits = Object.keys(agentTable).filter(isOf(agentTable));
const leaseEdits = Object.keys(leaseTable).filter(isOf(leaseTable));

function isOf<K extends string>(table: Readonly<Record<K, Row>>): (key: string) => key is K {
  return (key): key is K => key in table;
}

describe("replay() of an agent's repro", () => {
  let repro: Repro;
  beforeAll(async () => {
    repro = await reproOf(agentScenario("none"));
  });

  test("names a later call, so that an edit can move its number", () => {
    expect(repro.orderings).toEqual([
      { first: "user:stop#1", then: "agent:model#2" },
      { first: "user:send b#1", then: "agent:teardown#1" },
    ]);
  });

  test.each(agentEdits)("after %s", async (edit) => {
    expect(await rowOf(agentScenario(edit), repro)).toEqual(agentTable[edit]);
  });

  test("reproduces after nine edits of ten, and never takes a renamed label for a pass", () => {
    const rows = Object.entries(agentTable);
    expect(rows.filter(([, { bestEffort }]) => bestEffort.startsWith("violated"))).toHaveLength(10);
    expect(agentTable["a label renamed"].bestEffort).toMatch(/^no-longer-fits/);
  });

  const unfit: Partial<Record<AgentEdit, string>> = {
    // The call that came to stand before the one that can be stopped is what the file names now.
    "a second model call before the first": "no-longer-fits, all met if agent:model#2 is agent:model#3",
    "a label renamed": "no-longer-fits, agent:model#1 may be agent:llm#1, agent:model#2 may be agent:llm#2",
  };

  test.each(agentEdits)("breaks nothing once it is fixed, also after %s", async (edit) => {
    const fixed = agentScenario(edit, { fixed: true });
    const told = loosely(await replay(fixed, repro, { mode: "best-effort" }));
    expect(told.replace(/, agent:chunk.*/, "")).toBe(unfit[edit] ?? "held");
  });
});

describe("replay() of a lease table's repro", () => {
  test.each(leaseEdits)("after %s", async (edit) => {
    expect(await rowOf(leaseScenario(edit), await reproOf(leaseScenario("none")))).toEqual(leaseTable[edit]);
  });
});
