import { describe, expect, test } from "vitest";
import type { AgentCommand } from "../../core/agent/state.ts";
import { always, atQuiescence } from "./contract.ts";
import { Planted } from "./planted.ts";
import { type Preset, presets } from "./script.ts";

const stop: AgentCommand = { type: "cancel", cause: "stop", keepInbox: true };
const clear: AgentCommand = { type: "cancel", cause: "stop", keepInbox: false };
const dispose: AgentCommand = { type: "dispose" };
const sends = (id: string, preset: Preset = "followUp"): AgentCommand => ({
  type: "send",
  message: { id, ...presets[preset] },
});

/** The names of the promises that the history breaks. */
function broken(history: Planted): readonly string[] {
  return [...always, ...atQuiescence].filter((one) => one.violation(history) !== undefined).map(({ name }) => name);
}

const inTurn = () => Planted.history().send("a").running().start(1).step(1, 1, ["a"]);
/** A driver that was stopped has ended, and one is about to start for b. */
const replaying = () => inTurn().stop().send("b").end(1, "aborted").idle();

/**
 * For each promise: a command from inside a port call, and something that the agent shows after it. In the same stretch it
 * may have been decided before the command was taken; once the call has returned it may not.
 */
const stories: readonly (readonly [
  promise: string,
  start: () => Planted,
  command: AgentCommand,
  shows: (history: Planted) => Planted,
])[] = [
  ["agent/dispose-fence", () => replaying(), dispose, (history) => history.running()],
  ["agent/idle-cancel-arms-nothing", () => replaying(), stop, (history) => history.running()],
  ["agent/no-empty-replay", () => replaying(), { type: "retract", id: "b" }, (history) => history.running()],
  ["agent/cleared-stays-cleared", () => replaying().running().start(2).removed("b", "claimed"), clear, runsB],
  ["agent/parked-stays-parked", () => replaying().running().start(2), stop, runsB],
  ["agent/cancel-bites", () => replaying().running().start(2).removed("b", "claimed"), stop, runsB],
  ["agent/late-steer-queues", () => closing(), sends("c", "steer"), goesOn],
];

function runsB(history: Planted): Planted {
  history.asksStep(2, 1, ["b"]);
  return history;
}

/** Turn 1 is ending, and b waits for the next one. */
function closing(): Planted {
  const history = inTurn().send("b");
  history.asksEnd(1);
  return history;
}

/** An agent that does not wait for storage. */
function goesOn(history: Planted): Planted {
  const end = history.observations.findLast((seen) => seen.type === "append");
  return history.settled(end?.at ?? 0).start(2);
}

/** What follows in both, and shows how the command was taken. */
function rest(promise: string, history: Planted): Planted {
  if (promise === "agent/idle-cancel-arms-nothing") return history.start(2).end(2, "aborted");
  if (promise === "agent/late-steer-queues") return history.step(2, 1, ["b"], "continue").step(2, 2, ["c"]);
  return history;
}

describe("inEveryReading()", () => {
  for (const [promise, start, command, shows] of stories) {
    test(`lets an agent take the command after what it is doing, and no later: ${promise}`, () => {
      const sameStretch = rest(promise, shows(start().inside(command)).returned());
      const later = rest(promise, shows(start().inside(command).returned()));
      const promises = always.filter(({ name }) => name === promise);
      expect(promises.map((one) => one.violation(sameStretch))).toEqual(promises.map(() => undefined));
      expect(broken(later)).toContain(promise);
    });
  }

  test("keeps the order of commands that were given in one stretch", () => {
    const story = (...commands: readonly AgentCommand[]) => {
      const history = replaying();
      for (const command of commands) history.inside(command);
      return history.running().returned().start(2).step(2, 1, ["c"]);
    };
    expect(broken(story(sends("c"), clear))).toContain("agent/cleared-stays-cleared");
    expect(broken(story(clear, sends("c")))).not.toContain("agent/cleared-stays-cleared");
  });

  test("leaves a history alone in which nothing was given from inside", () => {
    for (const given of [always, atQuiescence])
      for (const one of given) expect(one.violation(replaying().running().start(2).step(2, 1, ["b"]))).toBeUndefined();
  });

  test("ends a stretch at a command of the user's own, and at an answer to what was asked before", () => {
    const byUser = replaying().inside(dispose).send("c").running();
    const answered = Planted.history().send("a").running().start(1);
    const step = answered.asksStep(1, 1, ["a"]);
    answered.sees({ type: "removed", id: "b", outcome: "canceled" }).inside(stop).settled(step);
    answered.asksStep(1, 2, []);
    expect(broken(byUser)).toContain("agent/dispose-fence");
    expect(broken(answered)).toContain("agent/cancel-bites");
  });

  test("judges a history that grows, reading by reading", () => {
    const history = replaying().inside(stop).running();
    expect(broken(history)).not.toContain("agent/idle-cancel-arms-nothing");
    history.returned().start(2).end(2, "aborted").idle();
    expect(broken(history)).toEqual([]);
    history.send("c").running().start(3).end(3, "aborted");
    expect(broken(history)).toContain("agent/idle-cancel-arms-nothing");
  });

  test("does not look at more readings than it can, and then excuses nothing but the newest commands", () => {
    const history = inTurn();
    for (let turn = 2; turn < 14; turn++) {
      history.removed(`x${turn}`, "canceled").inside(sends(`m${turn}`, "queue"));
      history.removed(`y${turn}`, "canceled").returned();
    }
    expect(broken(history.end(1).idle().inside(dispose).returned().send("z").running())).toContain(
      "agent/dispose-fence",
    );
  });
});
