import { describe, expect, test } from "vitest";
import type { AgentCommand } from "../../core/agent/state.ts";
import { agentInvariants, always, atQuiescence } from "./contract.ts";
import { Planted } from "./planted.ts";
import { allWords } from "./words.ts";

const dispose: AgentCommand = { type: "dispose" };
const opened = () => Planted.history().send("a").running().start(1);
const inTurn = () => opened().step(1, 1, ["a"]);
const inStep = () => {
  const history = opened();
  history.asksStep(1, 1, ["a"]);
  return history;
};
const stopped = () => inTurn().stop().end(1, "aborted").idle();
const replaying = () => inTurn().stop().send("b").end(1, "aborted").idle();
const maintaining = (over: boolean) => {
  const history = Planted.history().command({ type: "maintain", activity: "compact" });
  const task = history.add({ type: "task", activity: "compact" });
  return (over ? history.settled(task) : history).send("a").running();
};
const waiting = (answered: boolean) => {
  const history = Planted.history();
  const wait = history.waits();
  return answered ? history.settled(wait) : history;
};
const hanging = (stop: boolean) => {
  const history = inStep();
  history.waits();
  return stop ? history.stop() : history;
};

type Story = { readonly breaks: readonly Planted[]; readonly holds: readonly Planted[] };

/** What the contract lets be seen from outside, in the order of its table; what breaks each, and what just does not. */
const promises: Readonly<Record<string, Story>> = {
  "agent/no-dropped-wake": {
    breaks: [inStep().stop().send("b").end(1, "aborted").idle()],
    holds: [
      inStep().send("b").stop().end(1, "aborted").idle(),
      // The model hangs, and nobody has stopped it.
      inStep().send("b"),
    ],
  },
  "agent/turn-end-before-turn-start": { breaks: [opened().start(2)], holds: [opened().end(1).start(2)] },
  "agent/single-writer": { breaks: [inStep().start(2)], holds: [inTurn().end(1).start(2)] },
  "agent/parked-stays-parked": {
    breaks: [stopped().running()],
    holds: [stopped().send("b").running(), replaying().running()],
  },
  "agent/cleared-stays-cleared": {
    breaks: [opened().send("b").stop({ keepInbox: false }).end(1, "aborted").start(2).step(2, 1, ["b"])],
    holds: [
      opened().stop({ keepInbox: false }).send("b").end(1, "aborted").idle().running().start(2).step(2, 1, ["b"]),
    ],
  },
  "agent/idle-wake-opens-turn": {
    breaks: [
      Planted.history().send("a").running().idle(),
      Planted.history().send("a").command({ type: "retract", id: "a" }),
    ],
    holds: [
      Planted.history().send("a").command({ type: "retract", id: "a" }).running().start(1).end(1).idle(),
      Planted.history().send("a").stop(),
    ],
  },
  "agent/no-empty-replay": {
    breaks: [replaying().command({ type: "retract", id: "b" }).running()],
    holds: [replaying().running()],
  },
  "agent/cancel-bites": {
    breaks: [opened().stop().step(1, 1, ["a"])],
    holds: [inTurn().stop().end(1, "aborted").idle().send("b").running().start(2).step(2, 1, ["b"])],
  },
  "agent/idle-cancel-arms-nothing": {
    breaks: [Planted.history().stop().send("a").running().start(1).end(1, "aborted")],
    holds: [Planted.history().stop().send("a").running().start(1).stop().end(1, "aborted")],
  },
  "agent/dispose-fence": {
    breaks: [
      Planted.history().command(dispose).send("a").running(),
      inStep().command(dispose),
      // Whoever is disposed of stops a model that hangs.
      inStep().sees({ type: "command", command: dispose }),
    ],
    holds: [inTurn().command(dispose).end(1, "aborted").idle()],
  },
  "agent/idle-is-true": {
    breaks: [waiting(false), hanging(true)],
    holds: [waiting(true), hanging(false)],
  },
  "agent/status-alternates": { breaks: [opened().running()], holds: [inTurn().end(1).idle().running()] },
  "agent/at-most-once": {
    breaks: [inTurn().step(1, 2, ["a"])],
    holds: [inTurn().send("b", "steer").step(1, 2, ["b"])],
  },
  "agent/lane-order": {
    breaks: [Planted.history().send("a", "inject").send("b", "steer").running().start(1).step(1, 1, ["b", "a"])],
    holds: [Planted.history().send("a").send("b", "steer").running().start(1).step(1, 1, ["b", "a"])],
  },
  "agent/maintenance-exclusive": { breaks: [maintaining(false)], holds: [maintaining(true)] },
  "agent/tools-are-answered": {
    breaks: [opened().step(1, 1, ["a"], "continue").end(1)],
    holds: [opened().step(1, 1, ["a"], "continue").step(1, 2, []).end(1)],
  },
  "agent/late-steer-queues": {
    breaks: [lateSteering("b", "c")],
    holds: [lateSteering("c")],
  },
  "agent/context-never-wakes": {
    breaks: [Planted.history().send("a", "inject").running(), inTurn().send("b", "inject").step(1, 2, ["b"])],
    holds: [
      Planted.history().send("b", "inject").send("a").running(),
      inTurn().send("b", "inject").send("c", "steer").step(1, 2, ["b", "c"]),
    ],
  },
};

/** A prompt b waits; c comes to steer a turn that has been stopped. */
function lateSteering(...ids: readonly string[]): Planted {
  const history = inStep().send("b").stop().send("c", "steer").end(1, "aborted").idle();
  return history.running().start(2).step(2, 1, ids);
}

describe("agentInvariants", () => {
  test("are the promises of the contract that can be seen from outside", () => {
    const names = new Set(agentInvariants.map(({ invariant }) => invariant.name));
    expect([...names].toSorted()).toEqual(Object.keys(promises).toSorted());
    expect([...always, ...atQuiescence]).toHaveLength(agentInvariants.length);
  });

  test("say with the words of the contract what they are about", () => {
    for (const { needs } of agentInvariants) expect(needs.filter((need) => !allWords.includes(need))).toEqual([]);
    const needsOf = (name: string) => agentInvariants.find(({ invariant }) => invariant.name === name)?.needs;
    expect(needsOf("agent/maintenance-exclusive")).toEqual(["maintenance"]);
    expect(needsOf("agent/dispose-fence")).toEqual(["dispose"]);
    expect(needsOf("agent/no-dropped-wake")).toEqual([]);
  });

  for (const [name, { breaks, holds }] of Object.entries(promises)) {
    test(`see what breaks them, and no more: ${name}`, () => {
      const halves = agentInvariants.filter(({ invariant }) => invariant.name === name);
      const isBroken = (history: Planted) => halves.some(({ invariant }) => invariant.violation(history) !== undefined);
      expect(breaks.map(isBroken)).toEqual(breaks.map(() => true));
      expect(holds.map(isBroken)).toEqual(holds.map(() => false));
    });
  }
});
