import { expect, test } from "vitest";
import { Planted } from "../planted.ts";
import {
  cancelBites,
  clearedStaysCleared,
  disposeEnds,
  disposeFence,
  idleCancelArmsNothing,
  parkedStaysParked,
} from "./stops.ts";

/** Turn 1 runs a, b waits behind it, and the turn is stopped. */
function stopped(keepInbox = true): Planted {
  const history = Planted.history().send("a").running().start(1);
  const step = history.asksStep(1, 1, ["a"]);
  return history.send("b").stop({ keepInbox }).settled(step, "failed");
}

test("parkedStaysParked accepts that a later wake runs what was parked", () => {
  const history = stopped().end(1, "aborted").idle().send("c").running().start(2).step(2, 1, ["b"]);
  expect(parkedStaysParked.violation(history)).toBeUndefined();
});

test("parkedStaysParked refuses a driver that starts by itself, and one that goes on to what was parked", () => {
  const restarted = stopped().end(1, "aborted").idle().running();
  const wentOn = stopped().end(1, "aborted").start(2).step(2, 1, ["b"]);
  expect(parkedStaysParked.violation(restarted)).toBe(
    "#14 running although nothing woke the agent since #8 cancel stop, keeping the inbox",
  );
  expect(parkedStaysParked.violation(wentOn)).toBe(
    "#15 run-step 2.1 [b] runs b, parked by #8 cancel stop, keeping the inbox",
  );
});

test("parkedStaysParked lets a latched wake outlive a second stop, unless the policy parks everything", () => {
  const story = (parking: "unlatched" | "all") =>
    Planted.history({ parking })
      .send("a")
      .running()
      .start(1)
      .stop()
      .send("b")
      .stop()
      .end(1, "aborted")
      .idle()
      .running();
  expect(parkedStaysParked.violation(story("unlatched"))).toBeUndefined();
  expect(parkedStaysParked.violation(story("all"))).toBe(
    "#14 running although nothing woke the agent since #9 cancel stop, keeping the inbox",
  );
});

test("parkedStaysParked lets a wake that came while a failed turn was closing outlive a stop", () => {
  const history = Planted.history().send("a").running().start(1).step(1, 1, ["a"], "failed");
  const end = history.asksEnd(1, "failed");
  history.send("b").stop().settled(end).idle().running();
  expect(parkedStaysParked.violation(history)).toBeUndefined();
});

test("parkedStaysParked does not guess whether a wake was latched that came between a failed step and its record", () => {
  const history = Planted.history({ afterFailure: "drain" }).send("a").running().start(1).step(1, 1, ["a"], "failed");
  history.send("b").stop().stop().end(1, "failed").idle().running().start(2).step(2, 1, ["b"]);
  expect(parkedStaysParked.violation(history)).toBeUndefined();
});

test("clearedStaysCleared accepts what was sent after the clear", () => {
  const history = stopped(false).send("c").end(1, "aborted").idle().running().start(2).step(2, 1, ["c"]);
  expect(clearedStaysCleared.violation(history)).toBeUndefined();
});

test("clearedStaysCleared refuses a cleared message in a step, even after a later wake", () => {
  const history = stopped(false).send("c").end(1, "aborted").idle().running().start(2).step(2, 1, ["b"]);
  expect(clearedStaysCleared.violation(history)).toBe(
    "#19 run-step 2.1 [b] runs b, cleared by #8 cancel stop, clearing the inbox",
  );
});

test("clearedStaysCleared refuses a driver that starts for what was cleared", () => {
  const history = Planted.history().send("a").running().start(1).stop().send("b").stop({ keepInbox: false });
  history.end(1, "aborted").idle().running();
  expect(clearedStaysCleared.violation(history)).toBe(
    "#14 running although nothing woke the agent since #9 cancel stop, clearing the inbox",
  );
});

test("clearedStaysCleared accepts an empty turn for a wake that was cleared before the agent got going", () => {
  const history = Planted.history().send("a").stop({ keepInbox: false }).running().start(1).end(1);
  expect(clearedStaysCleared.violation(history)).toBeUndefined();
});

test("cancelBites accepts the end of the turn, and steps of the activity after it", () => {
  const history = stopped().end(1, "aborted").idle().send("c").running().start(2).step(2, 1, ["b"]);
  expect(cancelBites.violation(history)).toBeUndefined();
});

test("cancelBites refuses a further proposal or step, also in a turn that the stopped driver opens", () => {
  const proposal = stopped();
  proposal.asksProposal(1, 2, []);
  const nextTurn = stopped().end(1, "aborted").start(2).step(2, 1, ["b"]);
  expect(cancelBites.violation(proposal)).toBe(
    "#11 propose 1.2 [] after #8 cancel stop, keeping the inbox, with no idle between the two",
  );
  expect(cancelBites.violation(nextTurn)).toBe(
    "#15 run-step 2.1 [b] after #8 cancel stop, keeping the inbox, with no idle between the two",
  );
});

test("idleCancelArmsNothing accepts an abort for a stop of its own, also between a wake and the status that follows", () => {
  const own = Planted.history().stop().send("a").running().start(1).stop().end(1, "aborted");
  const between = Planted.history().send("a").stop().running().start(1).end(1, "aborted");
  expect(idleCancelArmsNothing.violation(own)).toBeUndefined();
  expect(idleCancelArmsNothing.violation(between)).toBeUndefined();
});

test("idleCancelArmsNothing accepts the record of an older turn that storage had refused", () => {
  const history = Planted.history().send("a").running().start(1).stop();
  history.settled(history.asksEnd(1, "aborted"), "failed").idle().send("b").running().end(1, "aborted");
  expect(idleCancelArmsNothing.violation(history)).toBeUndefined();
});

test("idleCancelArmsNothing refuses an abort whose only stop came at idle", () => {
  const record = Planted.history().stop().send("a").running().start(1).end(1, "aborted");
  const signal = Planted.history().stop().send("a").running().start(1);
  signal.sees({ type: "aborted", call: signal.asksStep(1, 1, ["a"]) });
  const why = "and the last stop was #0 cancel stop, keeping the inbox, before this activity";
  expect(idleCancelArmsNothing.violation(record)).toBe(`#7 append turn/end 1 aborted, ${why}`);
  expect(idleCancelArmsNothing.violation(signal)).toBe(`#8 the signal of #7 is aborted, ${why}`);
});

test("disposeFence accepts the end of the turn, and a start that was on its way", () => {
  const ending = Planted.history().send("a").running().start(1).command({ type: "dispose" }).end(1, "aborted").idle();
  const starting = Planted.history().send("a").running().command({ type: "dispose" }).start(1).end(1, "aborted").idle();
  expect(disposeFence.violation(ending)).toBeUndefined();
  expect(disposeFence.violation(starting)).toBeUndefined();
});

test("disposeFence refuses a driver, a task and a further turn", () => {
  const disposed = () => Planted.history().command({ type: "dispose" });
  const turn = Planted.history().send("a").running().start(1);
  const step = turn.asksStep(1, 1, ["a"]);
  turn.command({ type: "dispose" }).settled(step, "failed").end(1, "aborted").start(2);
  expect(disposeFence.violation(disposed().send("a").running())).toBe("#4 running after #0 dispose");
  expect(disposeFence.violation(disposed().sees({ type: "task", activity: "compact" }))).toBe(
    "#2 maintenance compact runs after #0 dispose",
  );
  expect(disposeFence.violation(turn)).toBe("#11 append turn/start 2 after #6 dispose");
});

test("disposeEnds refuses a disposal after which something lives on, or that has not settled", () => {
  const over = Planted.history().send("a").running().command({ type: "dispose" }).idle();
  const live = Planted.history().send("a").running().command({ type: "dispose" });
  const open = Planted.history().sees({ type: "command", command: { type: "dispose" } });
  expect(disposeEnds.violation(over)).toBeUndefined();
  expect(disposeEnds.violation(live)).toBe(
    "the agent was disposed of and is still active, with nothing left to happen",
  );
  expect(disposeEnds.violation(open)).toBe("dispose() has not settled, and nothing is left to happen");
});
