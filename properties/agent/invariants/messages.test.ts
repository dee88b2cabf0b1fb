import { expect, test } from "vitest";
import type { Message } from "../../../core/agent/state.ts";
import { Planted } from "../planted.ts";
import { atMostOnce, contextNeverWakes, laneOrder, lateSteerQueues, noDroppedWake } from "./messages.ts";

const inTurn = (policy = {}) => Planted.history(policy).send("a").running().start(1).step(1, 1, ["a"]);

test("noDroppedWake refuses a wake that was sent in the convergence window and forgotten", () => {
  const history = inTurn().stop().send("b").end(1, "aborted").idle();
  expect(noDroppedWake.violation(history)).toBe(
    "message b was sent while a stopped turn was converging; it was never claimed, and nothing after it parked, retracted or cleared it",
  );
});

test("noDroppedWake refuses a wake that a running driver left behind", () => {
  expect(noDroppedWake.violation(inTurn().send("b").end(1).idle())).toContain(
    "message b was sent while the agent was running",
  );
});

test("noDroppedWake accepts a wake that was replayed, retracted, cleared, parked or sent after dispose", () => {
  const late = () => inTurn().stop().send("b");
  const histories = [
    late().end(1, "aborted").idle().running().start(2).step(2, 1, ["b"]),
    late().command({ type: "retract", id: "b" }).end(1, "aborted").idle(),
    late().stop({ keepInbox: false }).end(1, "aborted").idle(),
    late().command({ type: "dispose" }).end(1, "aborted").idle(),
    inTurn().send("b").stop().end(1, "aborted").idle(),
    inTurn().send("b").end(1, "failed").idle(),
    Planted.history().command({ type: "dispose" }).send("b"),
  ];
  for (const history of histories) expect(noDroppedWake.violation(history)).toBeUndefined();
});

test("noDroppedWake excuses a write fault, but not for a wake that was latched", () => {
  const fault = (history: Planted) => history.settled(history.asksEnd(1), "failed").idle();
  expect(noDroppedWake.violation(fault(inTurn().send("b")))).toBeUndefined();
  expect(noDroppedWake.violation(fault(inTurn().stop().send("b")))).toContain(
    "message b was sent while a stopped turn was converging",
  );
});

/** Turn 1 has failed, storage has refused to be told, and the driver that b has started lands its end first. */
function landsLeftOver(): { readonly history: Planted; readonly end: number } {
  const history = Planted.history().send("a").running().start(1).step(1, 1, ["a"], "failed");
  history.settled(history.asksEnd(1, "failed"), "failed").idle().send("b").running();
  return { history, end: history.asksEnd(1, "failed") };
}

test("noDroppedWake knows that the end of an older turn that has failed latches nothing and parks nothing", () => {
  const refused = landsLeftOver();
  refused.history.send("c").settled(refused.end);
  refused.history.settled(refused.history.asksStart(2), "failed").idle();
  const leaves = landsLeftOver();
  leaves.history.settled(leaves.end).idle();
  expect(noDroppedWake.violation(refused.history)).toBeUndefined();
  expect(noDroppedWake.violation(leaves.history)).toContain("message b was sent while the agent was idle");
});

test("noDroppedWake excuses a wake that came after the refusal, before the agent took notice", () => {
  const history = Planted.history().send("a").running();
  history.settled(history.asksStart(1), "failed").send("b").idle();
  expect(noDroppedWake.violation(history)).toBeUndefined();
});

test("noDroppedWake lets a stop strike a maintenance that has settled and not yet come back", () => {
  const story = (over: boolean) => {
    const history = Planted.history({ parking: "all" });
    const maintain = history.add({ type: "command", command: { type: "maintain", activity: "compact" } });
    history.settled(history.add({ type: "task", activity: "compact" }));
    return over ? history.settled(maintain).send("a").stop() : history.send("a").stop().settled(maintain);
  };
  expect(noDroppedWake.violation(story(false))).toBeUndefined();
  expect(noDroppedWake.violation(story(true))).toContain("message a was sent while the agent was idle");
});

test("noDroppedWake excuses a second stop only where the policy parks everything", () => {
  const story = (parking: "unlatched" | "all") => inTurn({ parking }).stop().send("b").stop().end(1, "aborted").idle();
  expect(noDroppedWake.violation(story("all"))).toBeUndefined();
  expect(noDroppedWake.violation(story("unlatched"))).toContain(
    "message b was sent while a stopped turn was converging",
  );
});

test("noDroppedWake is not excused by a stop at idle, or by a failed turn under the policy that drains", () => {
  const idle = inTurn().stop().send("b").end(1, "aborted").idle().stop();
  const drains = inTurn({ afterFailure: "drain" }).send("b").end(1, "failed").idle();
  expect(noDroppedWake.violation(idle)).toContain("message b was sent while a stopped turn was converging");
  expect(noDroppedWake.violation(drains)).toContain("message b was sent while");
});

test("noDroppedWake asks nothing for messages that do not wake, or whose send failed", () => {
  const history = Planted.history().send("a", "queue").send("b", "inject");
  const failed = history.add({
    type: "command",
    command: { type: "send", message: { id: "c", lane: "next-turn", wake: true } },
  });
  expect(noDroppedWake.violation(history.settled(failed, "failed"))).toBeUndefined();
});

test("noDroppedWake takes an unanswered send either way", () => {
  const history = inTurn().stop();
  const call = history.add({
    type: "command",
    command: { type: "send", message: { id: "b", lane: "next-turn", wake: true } },
  });
  history.stop().settled(call).end(1, "aborted").idle();
  expect(noDroppedWake.violation(history)).toBeUndefined();
});

test("atMostOnce accepts a batch that was given back and claimed again", () => {
  const history = Planted.history().send("a").running().start(1).removed("a", "claimed");
  const a: Message = { id: "a", lane: "next-turn", wake: true };
  history
    .stop()
    .sees({ type: "append", record: { type: "inbox/restored", messages: [a] } })
    .end(1, "aborted")
    .idle();
  history.send("b").running().start(2).removed("a", "claimed").step(2, 1, ["a"]);
  expect(atMostOnce.violation(history)).toBeUndefined();
});

test("atMostOnce refuses a message in two steps, or in a step after it was given up", () => {
  expect(atMostOnce.violation(inTurn().step(1, 2, ["a"]))).toBe("#7 run-step 1.2 [a] runs a after #5 run-step 1.1 [a]");
  const canceled = Planted.history().send("a").running().removed("a", "canceled").start(1).step(1, 1, ["a"]);
  expect(atMostOnce.violation(canceled)).toBe("#6 run-step 1.1 [a] runs a after #3 a is canceled");
});

test("atMostOnce refuses that a message that has entered is blocked, cleared or given back", () => {
  const a: Message = { id: "a", lane: "next-turn", wake: true };
  expect(atMostOnce.violation(inTurn().removed("a", "blocked"))).toBe("#7 a is blocked, but a has entered a step");
  const restored = inTurn().sees({ type: "append", record: { type: "inbox/restored", messages: [a] } });
  expect(atMostOnce.violation(restored)).toBe("#7 append inbox/restored, but a has entered a step");
});

test("laneOrder lets the lanes pass each other", () => {
  const history = Planted.history().send("a").running().start(1).send("b").send("c", "inject").step(1, 1, ["c", "a"]);
  history.end(1).start(2).step(2, 1, ["b"]);
  expect(laneOrder.violation(history)).toBeUndefined();
});

test("laneOrder refuses an overtaking, within a step and between steps", () => {
  const within = Planted.history().send("a", "inject").send("b", "steer").running().start(1).step(1, 1, ["b", "a"]);
  const between = Planted.history().send("a").send("b").running().start(1).step(1, 1, ["b"]).end(1).start(2);
  expect(laneOrder.violation(within)).toContain("a enters after b, which was accepted later");
  expect(laneOrder.violation(between)).toBeUndefined();
  expect(laneOrder.violation(between.step(2, 1, ["a"]))).toContain("a enters after b, which was accepted later");
});

test("laneOrder counts late steering among the prompts", () => {
  const history = inTurn()
    .stop()
    .send("b", "steer")
    .send("c")
    .end(1, "aborted")
    .idle()
    .running()
    .start(2)
    .step(2, 1, ["c"]);
  history.end(2).start(3).step(3, 1, ["b"]);
  expect(laneOrder.violation(history)).toContain("b enters after c, which was accepted later");
});

test("lateSteerQueues refuses late steering in the turn of an earlier prompt, under the policy that claims one", () => {
  const story = (claim: "one" | "all") => {
    const history = inTurn({ claim }).send("b").stop().send("c", "steer").end(1, "aborted").idle();
    return history.running().start(2).step(2, 1, ["b", "c"]);
  };
  expect(lateSteerQueues.violation(story("one"))).toContain("c, accepted late, shares turn 2 with b");
  expect(lateSteerQueues.violation(story("all"))).toBeUndefined();
});

test("lateSteerQueues refuses it in closing, too, and lets late steering share a turn with context", () => {
  const closing = Planted.history().send("a").running().start(1).send("b").step(1, 1, ["a"]);
  const end = closing.asksEnd(1);
  closing.send("c", "steer").settled(end).start(2).step(2, 1, ["b"], "continue").step(2, 2, ["c"]);
  const context = inTurn().send("b", "inject").stop().send("c", "steer").end(1, "aborted").idle();
  context.running().start(2).step(2, 1, ["b", "c"]);
  expect(lateSteerQueues.violation(closing)).toContain("c, accepted late, shares turn 2 with b");
  expect(lateSteerQueues.violation(context)).toBeUndefined();
});

test("lateSteerQueues and laneOrder do not guess where the agent is when nothing is in flight", () => {
  const history = Planted.history().send("a").running().start(1).send("b").step(1, 1, ["a"]).end(1);
  history.send("c", "steer").send("d", "steer").start(2).step(2, 1, ["d", "b"], "continue").step(2, 2, ["c"]);
  expect(lateSteerQueues.violation(history)).toBeUndefined();
  expect(laneOrder.violation(history)).toBeUndefined();
});

test("contextNeverWakes refuses a driver, a turn and a step for context alone", () => {
  const driver = Planted.history().send("a", "inject").running();
  const turn = inTurn().send("b", "inject").end(1).start(2);
  const step = inTurn().send("b", "inject").step(1, 2, ["b"]);
  expect(contextNeverWakes.violation(driver)).toBe("#2 running with no waking message");
  expect(contextNeverWakes.violation(turn)).toBe(
    "#11 append turn/start 2 with nothing but context pending since #9 append turn/end 1 completed",
  );
  expect(contextNeverWakes.violation(step)).toBe("#9 run-step 1.2 [b] adds a step after #6 #5 completed");
});

test("contextNeverWakes accepts context that enters with something else, or after tools", () => {
  const histories = [
    inTurn().send("b", "inject").send("c", "steer").step(1, 2, ["b", "c"]),
    inTurn().send("b", "inject").send("c", "queue").end(1).start(2).step(2, 1, ["b", "c"]),
    Planted.history().send("a").running().start(1).step(1, 1, ["a"], "continue").send("b", "inject").step(1, 2, ["b"]),
    Planted.history()
      .send("b", "inject")
      .send("a")
      .running()
      .command({ type: "retract", id: "a" })
      .start(1)
      .step(1, 1, ["b"]),
  ];
  for (const history of histories) expect(contextNeverWakes.violation(history)).toBeUndefined();
});

test("contextNeverWakes goes by what was proposed, not by what the proposal let through", () => {
  const history = inTurn().send("b", "inject").send("c", "steer");
  history.settled(history.asksProposal(1, 2, ["b", "c"])).step(1, 2, ["b"]);
  expect(contextNeverWakes.violation(history)).toBeUndefined();
});
