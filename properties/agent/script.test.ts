import { expect, test } from "vitest";
import { simplerSteps } from "../../repro/simpler-steps.ts";
import { ScenarioError } from "../../sim/scenario.ts";
import { cancel, labelOf, lateWake, outsideOf, parseScript, type Script, send } from "./script.ts";

test("parseScript() gives a script back as it was", () => {
  const script: Script = [
    {
      type: "outside",
      chunks: 2,
      slow: ["notes", "turn-records", "proposals"],
      mayFail: ["steps"],
      decides: true,
      hangs: false,
    },
    ...lateWake,
    send("c", "steer"),
    { type: "retract", id: "c" },
    { type: "dispose" },
    { type: "maintain", activity: "compact" },
    { type: "await", name: "idle" },
    { type: "inside", at: "turn/end", do: send("d") },
    { type: "inside", at: "canceled", do: cancel("stop", { keepInbox: false }) },
    { type: "written", record: { type: "turn/start", turn: 1 } },
    { type: "proposed", turn: 1, step: 1, decision: { kind: "enter", messages: [] } },
    { type: "proposed", turn: 1, step: 1, decision: { kind: "reject" } },
    { type: "stepped", turn: 1, step: 1, outcome: "max-tokens" },
    { type: "write-failed", record: { type: "turn/end", turn: 1, reason: { kind: "aborted", cause: "stop" } } },
    { type: "maintained", activity: "compact" },
  ];
  expect(parseScript(JSON.parse(JSON.stringify(script)))).toEqual(script);
});

test("parseScript() reads a script once", () => {
  const script = parseScript(lateWake);
  expect(parseScript(script)).toBe(script);
});

test("parseScript() names the step at fault", () => {
  const refusal = (json: unknown) => {
    try {
      parseScript(json);
      return "accepted";
    } catch (error) {
      expect(error).toBeInstanceOf(ScenarioError);
      return error instanceof Error ? error.message : "";
    }
  };
  expect(refusal({})).toBe("Cannot read the script: Invalid input: expected array, received object");
  expect(refusal([send("a"), { type: "stop" }])).toMatch(/^Cannot read the script at step 2, type: /);
  expect(refusal([{ type: "send", message: { id: "a", lane: "later", wake: true } }])).toMatch(
    /^Cannot read the script at step 1, message.lane: /,
  );
  expect(refusal([{ type: "retract", id: "a#1" }])).toBe(
    'Cannot read the script at step 1, id: expected a name without ":", "#" and line breaks',
  );
  expect(refusal([{ type: "stepped", turn: 1, step: 1, outcome: "aborted" }])).toMatch(/at step 1, outcome: /);
  expect(refusal([{ type: "written", record: { type: "turn/end", turn: 1 } }])).toMatch(/at step 1, record.reason: /);
  expect(refusal([{ type: "cancel", cause: "stop", keepInbox: true, atMs: 5 }])).toMatch(/at step 1: .*atMs/);
  expect(refusal([send("a"), send("a", "steer")])).toBe(
    'Cannot read the script at step 2: expected an id of its own, found "a" a second time',
  );
  expect(refusal([send("a"), { type: "inside", at: "idle", do: send("a", "steer") }])).toBe(
    'Cannot read the script at step 2: expected an id of its own, found "a" a second time',
  );
  expect(refusal([send("a"), { type: "outside", decides: true }])).toBe(
    'Cannot read the script at step 2: expected "outside" to be the first step; put it there, once',
  );
  expect(refusal([{ type: "outside", chunks: 9 }])).toMatch(/at step 1, chunks: /);
  expect(refusal([{ type: "inside", at: "blocked", do: { type: "dispose" } }])).toMatch(/at step 1, at: /);
  expect(refusal([{ type: "inside", at: "idle", do: { type: "await", name: "idle" } }])).toMatch(
    /at step 1, do.type: /,
  );
});

test("outsideOf() gives what the script says of the outside, and no more", () => {
  expect(outsideOf([{ type: "outside", chunks: 2, hangs: undefined }, send("a")])).toEqual({ chunks: 2 });
  expect(outsideOf(lateWake)).toEqual({});
});

test("simplerSteps() makes an outside plainer word by word, and takes a command out of its wrapper", () => {
  const outside = { type: "outside", chunks: 2, slow: ["notes", "proposals"], decides: true };
  const inside = { type: "inside", at: "turn/end", do: send("a") };
  const readable = (step: unknown) =>
    simplerSteps(step).filter((simpler) => {
      try {
        return parseScript([simpler]).length === 1;
      } catch {
        return false;
      }
    });
  expect(readable(outside)).toEqual([
    { type: "outside", slow: ["notes", "proposals"], decides: true },
    { type: "outside", chunks: 2, decides: true },
    { type: "outside", chunks: 2, slow: ["notes", "proposals"] },
    { type: "outside", chunks: 2, slow: ["proposals"], decides: true },
    { type: "outside", chunks: 2, slow: ["notes"], decides: true },
  ]);
  expect(readable(inside)).toEqual([send("a")]);
});

test("labelOf() says in plain words what the user does", () => {
  expect(lateWake.map(labelOf)).toEqual(["send a", "stop", "send b"]);
  expect(labelOf(cancel("stop", { keepInbox: false }))).toBe("stop and clear");
  expect(labelOf({ type: "inside", at: "turn/end", do: send("b") })).toBe("inside turn/end, send b");
});
