import { expect, test } from "vitest";
import { Planted } from "../planted.ts";
import { singleWriter, turnEndBeforeTurnStart } from "./log.ts";

test("turnEndBeforeTurnStart accepts turns that follow each other, and a refused record that comes again", () => {
  const history = Planted.history().send("a").running().start(1).step(1, 1, ["a"]);
  history.settled(history.asksEnd(1), "failed").idle().send("b").running().end(1).start(2);
  expect(turnEndBeforeTurnStart.violation(history)).toBeUndefined();
});

test("turnEndBeforeTurnStart refuses a turn that starts before the last one has ended", () => {
  const history = Planted.history().send("a").running().start(1).start(2);
  expect(turnEndBeforeTurnStart.violation(history)).toBe("turn/start 2 landed where the log expects turn/end 1");
});

test("turnEndBeforeTurnStart refuses a second end, a skipped number and a first turn that is not 1", () => {
  const twice = Planted.history().running().start(1).end(1).end(1);
  const skipped = Planted.history().running().start(1).end(1).start(3);
  const late = Planted.history().running().start(2);
  expect(turnEndBeforeTurnStart.violation(twice)).toBe("turn/end 1 landed where the log expects turn/start 2");
  expect(turnEndBeforeTurnStart.violation(skipped)).toBe("turn/start 3 landed where the log expects turn/start 2");
  expect(turnEndBeforeTurnStart.violation(late)).toBe("turn/start 2 landed where the log expects turn/start 1");
});

test("turnEndBeforeTurnStart goes by the order of landing, not of asking", () => {
  const history = Planted.history().running();
  const first = history.asksStart(1);
  const second = history.asksEnd(1);
  history.settled(second).settled(first);
  expect(turnEndBeforeTurnStart.violation(history)).toBe("turn/end 1 landed where the log expects turn/start 1");
});

test("singleWriter accepts notes and commands while a step is live", () => {
  const history = Planted.history().send("a").running().start(1);
  const step = history.asksStep(1, 1, ["a"]);
  history.send("b").sees({ type: "append", record: { type: "inbox/removed", id: "b", outcome: "claimed", turn: 1 } });
  history.settled(step, "completed").end(1);
  expect(singleWriter.violation(history)).toBeUndefined();
});

test("singleWriter refuses a record, a step or a task while a step is live", () => {
  const live = () => {
    const history = Planted.history().send("a").running().start(1);
    history.asksStep(1, 1, ["a"]);
    return history;
  };
  const record = live();
  record.asksEnd(1);
  const step = live();
  step.asksStep(2, 1, []);
  const task = live().sees({ type: "task", activity: "compact" });
  expect(singleWriter.violation(record)).toBe("#6 append turn/end 1 completed while #5 run-step 1.1 [a] is in flight");
  expect(singleWriter.violation(step)).toBe("#6 run-step 2.1 [] while #5 run-step 1.1 [a] is in flight");
  expect(singleWriter.violation(task)).toBe("#6 maintenance compact runs while #5 run-step 1.1 [a] is in flight");
});

test("singleWriter refuses a step of a turn that is not open", () => {
  const other = Planted.history().running().start(1).step(2, 1, []);
  const none = Planted.history().running().step(1, 1, []);
  expect(singleWriter.violation(other)).toBe("#3 run-step 2.1 [], but the last record is #1 append turn/start 1");
  expect(singleWriter.violation(none)).toBe("#1 run-step 1.1 [], but no turn was started");
});
