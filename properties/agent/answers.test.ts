import { expect, test } from "vitest";
import { createAgent } from "../../core/agent/host.ts";
import type { AgentRecord } from "../../core/agent/state.ts";
import { search } from "../../sim/search.ts";
import { Answers } from "./answers.ts";
import { agentScenario } from "./scenarios.ts";
import { type Script, send } from "./script.ts";

const start = { type: "turn/start", turn: 1 } as const;
const end = { type: "turn/end", turn: 1, reason: { kind: "blocked" } } as const;

test("Answers gives each answer once, to the request that it names, in the order of the script", () => {
  const answers = new Answers([
    send("a"),
    { type: "write-failed", record: start },
    { type: "written", record: start },
    { type: "proposed", turn: 1, step: 1, decision: { kind: "reject" } },
    { type: "stepped", turn: 1, step: 2, outcome: "max-tokens" },
    { type: "maintained", activity: "compact" },
  ]);
  expect([start, start, start].map((record) => answers.toRecord(record))).toEqual(["write-failed", "written", null]);
  expect(answers.toRecord(end)).toBeNull();
  expect(answers.toProposal({ turn: 1, step: 2 })).toBeNull();
  expect(answers.toProposal({ turn: 1, step: 1 })).toEqual({ kind: "reject" });
  expect(answers.toStep({ turn: 1, step: 2 })).toBe("max-tokens");
  expect([answers.toTask(), answers.toTask()]).toEqual(["maintained", null]);
});

test("makeOutside() answers as the script says, each in a delivery of its own", async () => {
  const script: Script = [
    send("a"),
    { type: "write-failed", record: start },
    send("b"),
    { type: "written", record: start },
    { type: "proposed", turn: 1, step: 1, decision: { kind: "reject" } },
    { type: "written", record: end },
    { type: "maintain", activity: "compact" },
    { type: "maintained", activity: "compact" },
    send("c"),
    { type: "stepped", turn: 2, step: 1, outcome: "failed" },
  ];
  const stories = new Set<string>();
  const told = agentScenario({
    name: "answers as told",
    script,
    make(ports, world) {
      const agent = createAgent(ports);
      const log: AgentRecord[] = [];
      agent.onRecord((record) => log.push(record));
      world.atQuiescence("its story is kept", () => stories.add(log.flatMap(wordsOf).join(", ")).size > 0);
      return agent;
    },
  });
  expect(await search(told, { strategy: "first-come" })).toMatchObject({ outcome: "held", executions: 1 });
  expect([...stories]).toEqual(["start 1, end 1 blocked, start 2, end 2 failed, start 3, end 3 completed"]);
});

function wordsOf(record: AgentRecord): readonly string[] {
  if (record.type === "turn/start") return [`start ${record.turn}`];
  return record.type === "turn/end" ? [`end ${record.turn} ${record.reason.kind}`] : [];
}
