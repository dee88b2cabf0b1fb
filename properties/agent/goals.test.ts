import { describe, expect, test } from "vitest";
import type { AgentCommand } from "../../core/agent/state.ts";
import { agentGoals, goalsFor } from "./goals.ts";
import { Planted } from "./planted.ts";
import { lateWake, presets, send } from "./script.ts";

const retract = (id: string): AgentCommand => ({ type: "retract", id });
const sends = (id: string): AgentCommand => ({ type: "send", message: { id, ...presets.followUp } });
const dispose: AgentCommand = { type: "dispose" };

const opened = () => Planted.history().send("a").running().start(1);
const inTurn = () => opened().step(1, 1, ["a"]);
const inStep = () => {
  const history = opened();
  history.asksStep(1, 1, ["a"]);
  return history;
};
const maintaining = () => {
  const history = Planted.history();
  history.add({ type: "command", command: { type: "maintain", activity: "compact" } });
  history.add({ type: "task", activity: "compact" });
  return history;
};
const maintained = () => maintaining().settled(1).settled(0);
const closing = () => {
  const history = inTurn();
  history.asksEnd(1);
  return history;
};
const refused = () => {
  const history = inTurn();
  return history.settled(history.asksEnd(1), "failed").idle().send("b").running();
};
const claimed = () => {
  const history = opened().removed("a", "claimed");
  return history.settled(history.asksProposal(1, 1, ["a"])).stop();
};
const task = { type: "task", activity: "compact" } as const;
const maintain: AgentCommand = { type: "maintain", activity: "compact" };

/** For each goal, histories that reach it, and histories that just do not. */
const stories: Readonly<Record<string, { readonly reach: readonly Planted[]; readonly miss: readonly Planted[] }>> = {
  "a message enters a step": { reach: [inTurn()], miss: [opened().end(1)] },
  "a driver runs two turns": { reach: [inTurn().end(1).start(2)], miss: [inTurn().end(1).idle().running().start(2)] },
  "a wake is sent in closing": {
    reach: [closing().send("b")],
    miss: [closing().send("b", "inject"), inTurn().end(1).send("b"), stoppedInClosing()],
  },
  "a tool step is followed by its answer step": {
    reach: [opened().step(1, 1, ["a"], "continue").step(1, 2, [])],
    miss: [
      opened().step(1, 1, ["a"], "continue").end(1).start(2).step(2, 1, ["b"]),
      inTurn().send("b", "steer").step(1, 2, ["b"]),
    ],
  },
  "a turn fails while a wake is pending": {
    reach: [opened().send("b").step(1, 1, ["a"], "failed").end(1, "failed")],
    miss: [opened().step(1, 1, ["a"], "failed").end(1, "failed"), opened().send("b").step(1, 1, ["a"]).end(1)],
  },
  "a command from inside a port call starts something": {
    reach: [inTurn().end(1).idle().inside(sends("b")).running(), Planted.history().idle().inside(maintain).sees(task)],
    miss: [
      inTurn().end(1).idle().inside(sends("b")).send("c").running(),
      inTurn().stop().send("b").end(1, "aborted").idle().inside(retract("x")).running(),
      Planted.history().idle().inside(sends("b")).sees(task),
    ],
  },
  "steering joins the running turn": {
    reach: [inTurn().send("b", "steer").step(1, 2, ["b"])],
    miss: [
      opened().send("b", "steer").step(1, 1, ["b", "a"]),
      opened().step(1, 1, ["a"], "continue").send("b", "inject").step(1, 2, ["b"]),
    ],
  },
  "late steering becomes a prompt": {
    reach: [inStep().stop().send("b", "steer").end(1, "aborted").idle().running().start(2).step(2, 1, ["b"])],
    miss: [
      inStep().stop().send("b").end(1, "aborted").idle().running().start(2).step(2, 1, ["b"]),
      inStep().stop().send("b", "steer").end(1, "aborted").idle().running().start(2),
    ],
  },
  "context waits for the next claim": {
    reach: [Planted.history().send("b", "inject").send("a").running().start(1).step(1, 1, ["b", "a"])],
    miss: [
      opened().send("b", "inject").step(1, 1, ["b", "a"]),
      Planted.history().send("b", "inject").send("a").running(),
    ],
  },
  "a stop strikes a live step": { reach: [inStep().stop()], miss: [inTurn().stop(), inStep().command(dispose)] },
  "a wake is sent in the convergence window": {
    reach: [inStep().stop().send("b")],
    miss: [
      inStep().send("b").stop(),
      inStep().stop().send("b", "queue"),
      inStep().stop().end(1, "aborted").idle().send("b"),
    ],
  },
  "a latched wake is replayed": {
    reach: [inStep().stop().send("b").end(1, "aborted").idle().running()],
    miss: [
      inStep().send("b").stop().end(1, "aborted").idle().running(),
      inStep().stop().send("b").end(1, "aborted").idle(),
    ],
  },
  "a latched wake is retracted before convergence": {
    reach: [inStep().stop().send("b").command(retract("b"))],
    miss: [inStep().send("b").stop().command(retract("b")), inStep().stop().send("b").command(retract("a"))],
  },
  "an open batch is given back": {
    reach: [
      claimed().end(1, "aborted"),
      claimed().sees({ type: "append", record: { type: "inbox/restored", messages: [] } }),
    ],
    miss: [inStep().stop().end(1, "aborted"), claimed().removed("a", "blocked").end(1, "aborted")],
  },
  "a clear strikes with something pending": {
    reach: [inTurn().send("b").stop({ keepInbox: false })],
    miss: [inTurn().stop({ keepInbox: false }), inTurn().send("b").stop()],
  },
  "a turn opens empty because its message was taken back": {
    reach: [Planted.history().send("a").command(retract("a")).running().start(1).end(1)],
    miss: [
      Planted.history().send("a").command(retract("a")).running().start(1).end(1, "aborted"),
      inTurn().send("b").command(retract("b")).end(1),
      opened().removed("a", "blocked").end(1),
    ],
  },
  "maintenance is stopped": {
    reach: [maintaining().stop(), maintaining().command(dispose)],
    miss: [maintained().stop(), maintaining().send("a")],
  },
  "a wake during maintenance runs after it": {
    reach: [maintaining().send("a").settled(1).settled(0).running()],
    miss: [
      maintained().send("a").running(),
      maintaining().send("a").command(retract("a")).settled(1).settled(0).running(),
    ],
  },
  "dispose strikes a live turn": {
    reach: [inStep().command(dispose)],
    miss: [inTurn().end(1).idle().command(dispose), maintaining().command(dispose)],
  },
  "a refused turn record is written again": {
    reach: [refused().end(1)],
    miss: [refused().start(2), inTurn().end(1).idle().running().start(2).end(2)],
  },
};

function stoppedInClosing(): Planted {
  return closing().stop().send("b");
}

describe("agentGoals", () => {
  test("each has histories that reach it, and histories that just do not", () => {
    expect(Object.keys(stories).toSorted()).toEqual(agentGoals.map(({ goal }) => goal.name).toSorted());
  });

  for (const { goal } of agentGoals) {
    test(`are seen from outside: ${goal.name}`, () => {
      const { reach, miss } = stories[goal.name] ?? { reach: [], miss: [] };
      expect(reach.map((history) => goal.reached(history))).toEqual(reach.map(() => true));
      expect(miss.map((history) => goal.reached(history))).toEqual(miss.map(() => false));
    });
  }
});

test("goalsFor() asks nothing of a script that says more than the order of the commands", () => {
  expect(goalsFor(lateWake).map(({ name }) => name)).toContain("a latched wake is replayed");
  expect(goalsFor([{ type: "outside", decides: true }, ...lateWake])).toEqual([]);
  expect(goalsFor([...lateWake, { type: "inside", at: "idle", do: sends("z") }])).toEqual([]);
  expect(goalsFor([send("a", "inject")])).toEqual([]);
});
