/**
 * Why a wake at idle must be answered by a turn, even by an empty one: the rounds of a goal wait for its end. On an agent
 * that first asks whether the message is still there, they wait for ever, and the wait-for graph says who waits where.
 */
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { createGoalDriver, type GoalDriver } from "../../core/agent/goal-driver.ts";
import { createAgent } from "../../core/agent/host.ts";
import { explore } from "../../repro/explore.ts";
import type { SourceLocation, Wait } from "../../sim/result.ts";
import { type Scenario, scenario } from "../../sim/scenario.ts";
import { search } from "../../sim/search.ts";
import { Recording } from "./history.ts";
import type { MakeSubject } from "./kept.ts";
import { makeOutside, plainLabels } from "./outside.ts";
import { recordPorts } from "./recorder.ts";
import { ByTheBook } from "./subjects/by-the-book.ts";
import { GuardsIdleWake } from "./subjects/guards-idle-wake.ts";
import { type GoalSeat, goalSeatOn } from "./testing/goal-seat.ts";

const source = readFileSync(import.meta.filename, "utf8").split("\n");
const roundLimit = 2;

/** A goal is armed while somebody's prompt waits for its turn; the goal lets it go first. And then it is taken back. */
function goalOn(name: string, make: MakeSubject): Scenario {
  return scenario(`a goal on ${name}, and a prompt that is taken back`, (world) => {
    const recording = new Recording();
    const outside = makeOutside(world, {
      ...{ labels: plainLabels, chunks: 1, plan: () => ({ tools: [], outcome: "completed" }) },
      // Else a prompt would be claimed before anybody could take it back.
      ...{ slow: ["turn-records"], mayFail: [] },
    });
    const agent = goalSeatOn(make, recordPorts(recording, outside));
    const goal = createGoalDriver(agent, { name: "goal", body: (round) => `round ${round}`, roundLimit });
    let waits = false;
    let takenBack = false;
    const rounds = world.settles("goal", doRounds(goal, agent));
    world.actor("caller", async () => {
      await rounds; // the caller waits for the goal
    });
    world.events("user", [
      ["send", () => agent.followUp("prompt")],
      [
        "arm",
        () => {
          goal.arm();
          waits = goal.state.reservation === null;
        },
      ],
      [
        "take back",
        () => {
          takenBack = agent.retract("prompt").outcome === "accepted";
        },
      ],
    ]);
    world.sometimes("the goal waits for a prompt that is taken back", () => waits && takenBack);
    world.atQuiescence("it does all of its rounds", () => goal.state.rounds === roundLimit || `${goal.state.rounds}`);
  });
}

async function doRounds(goal: GoalDriver, agent: GoalSeat): Promise<void> {
  // The last round is over before the agent becomes idle, and that it becomes idle is what a round waits for.
  const isOver = () => goal.state.rounds > 0 && goal.state.mode !== "armed";
  await new Promise<void>((resolve) => agent.onStatus(() => isOver() && resolve())); // the goal waits for an idle agent
}

const right: Readonly<Record<string, MakeSubject>> = {
  "the core": (ports) => createAgent(ports),
  "an agent by the book": (ports) => new ByTheBook(ports),
};

for (const [name, make] of Object.entries(right)) {
  test(`a goal does its rounds on ${name}`, async () => {
    const everyOrder = await search(goalOn(name, make), { strategy: "depth-first", executions: 1_000 });
    expect(everyOrder).toMatchObject({ outcome: "held", certificate: { level: "spec" }, reached: { missing: [] } });
    const found = await search(goalOn(name, make), { level: "jitter", executions: 200 });
    expect(found).toMatchObject({ outcome: "held", reached: { missing: [] } });
  });
}

test("a goal on guards-idle-wake is stuck, and the wait-for graph says who waits for whom", async () => {
  const found = await explore(goalOn("guards-idle-wake", (ports) => new GuardsIdleWake(ports)));
  if (found.outcome !== "violated") throw new Error(`Expected the goal to hang, found ${found.outcome}`);
  expect(found).toMatchObject({ verdict: "bug", violation: { kind: "stuck" } });
  expect(found.violation.waits).toMatchObject({ seen: "all", more: 0, cycle: [] });
  expect(found.violation.waits?.waits.map(brief)).toEqual([
    "goal | await 'the goal waits for an idle agent' | code of 'the goal waits for an idle agent', by the scenario's body",
    "caller | await 'the caller waits for the goal' | goal",
  ]);
});

/** In one line, with the comments that stand at the lines. */
function brief({ who, links, root }: Wait): string {
  const way = links.map(({ how, at }) => `${how} '${marked(at)}'`);
  const made = links.at(-1)?.made;
  const end = root.kind === "other" ? root.who : `${root.kind} of '${marked(made?.at ?? null)}', by ${made?.by}`;
  return [who, ...way, end].join(" | ");
}

function marked(at: SourceLocation | null): string {
  if (at === null) return "";
  expect(at.file).toBe("properties/agent/goal-hangs.test.ts");
  return /\/\/ (.*)$/.exec(source[at.line - 1] ?? "")?.[1] ?? `line ${at.line}`;
}
