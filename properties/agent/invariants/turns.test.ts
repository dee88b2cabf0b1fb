import { expect, test } from "vitest";
import { Planted } from "../planted.ts";
import {
  everyIdleWakeStarts,
  idleWakeOpensTurn,
  maintenanceExclusive,
  noEmptyReplay,
  toolsAreAnswered,
} from "./turns.ts";

/** A task is running, and `maintain` has not been answered. */
function maintaining() {
  const history = Planted.history();
  const maintain = history.add({ type: "command", command: { type: "maintain", activity: "compact" } });
  const task = history.add({ type: "task", activity: "compact" });
  return { history, over: () => history.settled(task).settled(maintain) };
}

const inStep = () => Planted.history().send("a").running().start(1);

test("noEmptyReplay lets a driver start for a wake that is latched, or was accepted at rest and is gone", () => {
  const latched = maintaining();
  latched.history.send("a");
  latched.over().running();
  const gone = Planted.history();
  const sending = gone.add({
    type: "command",
    command: { type: "send", message: { id: "a", lane: "next-turn", wake: true } },
  });
  gone.running().settled(sending).command({ type: "retract", id: "a" });
  const stopped = inStep().stop().send("b").stop().end(1, "aborted").idle().running();
  for (const history of [latched.history, gone, stopped]) expect(noEmptyReplay.violation(history)).toBeUndefined();
});

test("noEmptyReplay sees a driver that starts for what was retracted, cleared or never latched", () => {
  const retracted = maintaining();
  retracted.history.send("a").command({ type: "retract", id: "a" });
  retracted.over().running();
  const cleared = inStep().stop().send("b").stop({ keepInbox: false }).end(1, "aborted").idle().running();
  const faulted = inStep();
  const refused = faulted.asksStep(1, 1, ["a"]);
  faulted.send("b").settled(refused);
  faulted.settled(faulted.asksEnd(1), "failed").idle().running();
  const why = "and no wake is latched, due, or was accepted at rest";
  expect(noEmptyReplay.violation(retracted.history)).toBe(`#8 running, ${why}`);
  expect(noEmptyReplay.violation(cleared)).toBe(`#14 running, ${why}`);
  expect(noEmptyReplay.violation(faulted)).toBe(`#12 running, ${why}`);
});

test("idleWakeOpensTurn sees a driver that comes and goes without a turn, and a turn that begins with nothing", () => {
  expect(idleWakeOpensTurn.violation(Planted.history().send("a").running().idle())).toBe(
    "#3 idle, and the driver since #2 has opened no turn",
  );
  expect(idleWakeOpensTurn.violation(inStep().step(1, 1, []))).toBe("#5 run-step 1.1 [] begins a turn with nothing");
});

test("idleWakeOpensTurn lets an empty turn pass, and one that a stop, a dispose or a fault has kept from opening", () => {
  const fault = Planted.history().send("a").running();
  const note = Planted.history().send("a").running();
  const inserted = note.add({ type: "append", record: { type: "inbox/removed", id: "a", outcome: "canceled" } });
  const histories = [
    inStep().end(1).idle(),
    inStep().step(1, 1, ["a"], "continue").step(1, 2, []).end(1).idle(),
    Planted.history().send("a").running().stop().idle(),
    Planted.history().send("a").running().command({ type: "dispose" }).idle(),
    fault.settled(fault.asksStart(1), "failed").idle(),
    note.settled(inserted, "failed").idle(),
  ];
  for (const history of histories) expect(idleWakeOpensTurn.violation(history)).toBeUndefined();
});

test("everyIdleWakeStarts sees a wake at idle that starts nothing, unless something that came after it ends the debt", () => {
  const retracted = () => Planted.history().send("a").command({ type: "retract", id: "a" });
  expect(everyIdleWakeStarts.violation(retracted())).toBe(
    "message a was sent to an idle agent, and no driver has started since",
  );
  const histories = [
    retracted().running(),
    retracted().stop(),
    retracted().command({ type: "dispose" }),
    Planted.history().command({ type: "dispose" }).send("a"),
    Planted.history().send("a", "inject").send("b", "queue"),
    inStep().send("b").end(1).idle(),
  ];
  for (const history of histories) expect(everyIdleWakeStarts.violation(history)).toBeUndefined();
});

test("maintenanceExclusive sees a driver that starts inside a task", () => {
  const inside = maintaining();
  inside.history.send("a").running();
  const behind = maintaining();
  behind.history.send("a");
  behind.over().running();
  expect(maintenanceExclusive.violation(inside.history)).toBe("#4 running while #1 maintenance compact runs");
  expect(maintenanceExclusive.violation(behind.history)).toBeUndefined();
});

test("toolsAreAnswered sees a turn that ends after a step with tools", () => {
  const called = () => inStep().step(1, 1, ["a"], "continue");
  expect(toolsAreAnswered.violation(called().end(1))).toBe(
    "#7 append turn/end 1 completed, but #6 #5 continue with tools to be answered",
  );
  const histories = [
    called().step(1, 2, []).end(1),
    called().stop().end(1),
    called().end(1, "blocked"),
    called().end(1, "failed"),
    called().step(1, 2, [], "max-tokens").end(1, "max-tokens").start(2).step(2, 1, ["b"]).end(2),
  ];
  for (const history of histories) expect(toolsAreAnswered.violation(history)).toBeUndefined();
});
