import { expect, test } from "vitest";
import { Planted } from "../planted.ts";
import { everyWaitEnds, idleIsTrue, statusAlternates } from "./status.ts";

test("statusAlternates accepts running and idle in turn", () => {
  const history = Planted.history().send("a").running().start(1).end(1).idle().running().start(2).end(2).idle();
  expect(statusAlternates.violation(history)).toBeUndefined();
});

test("statusAlternates refuses the same status twice, and an idle that nothing came before", () => {
  expect(statusAlternates.violation(Planted.history().running().running())).toBe(
    "status running is followed by #1 running",
  );
  expect(statusAlternates.violation(Planted.history().idle())).toBe("status idle is followed by #0 idle");
});

test("statusAlternates refuses a driver at work while the status is idle", () => {
  const early = Planted.history();
  early.asksStart(1);
  const unwinding = Planted.history().running().start(1);
  unwinding.asksStep(1, 1, []);
  unwinding.idle();
  expect(statusAlternates.violation(early)).toBe("#0 append turn/start 1 while the status is idle");
  expect(statusAlternates.violation(unwinding)).toBe("#4 idle while #3 run-step 1.1 [] is in flight");
});

test("idleIsTrue accepts an answer that comes late, when the next turn has begun", () => {
  const history = Planted.history().send("a").running().start(1);
  const wait = history.waits();
  history.end(1).idle().send("b").running().settled(wait).start(2);
  expect(idleIsTrue.violation(history)).toBeUndefined();
});

test("idleIsTrue accepts an answer at rest, and a wait that outlasts a replay", () => {
  const rest = Planted.history();
  rest.settled(rest.waits());
  const replayed = Planted.history().send("a").running().start(1);
  const wait = replayed.waits();
  replayed.end(1).idle().running().start(2).end(2).idle().settled(wait);
  expect(idleIsTrue.violation(rest)).toBeUndefined();
  expect(idleIsTrue.violation(replayed)).toBeUndefined();
});

test("idleIsTrue refuses an answer while a driver or a task lives", () => {
  const driving = Planted.history().send("a").running();
  driving.settled(driving.waits());
  const task = Planted.history().sees({ type: "task", activity: "compact" });
  task.settled(task.waits());
  expect(idleIsTrue.violation(driving)).toBe(
    "whenIdle() of #3 settled at #4, but the agent was never at rest in between",
  );
  expect(idleIsTrue.violation(task)).toBe("whenIdle() of #1 settled at #2, but the agent was never at rest in between");
});

test("idleIsTrue refuses an answer after which the agent goes on by itself", () => {
  const history = Planted.history().send("a").running().start(1);
  const wait = history.waits();
  history.end(1).idle().settled(wait);
  expect(idleIsTrue.violation(history)).toBeUndefined();
  history.running();
  expect(idleIsTrue.violation(history)).toBe(
    "whenIdle() of #5 settled at #9, but the agent was never at rest in between",
  );
});

test("everyWaitEnds refuses a wait that was never answered", () => {
  const history = Planted.history();
  history.settled(history.waits());
  expect(everyWaitEnds.violation(history)).toBeUndefined();
  history.waits();
  expect(everyWaitEnds.violation(history)).toBe("#2 whenIdle() has not settled, and nothing is left to happen");
});
