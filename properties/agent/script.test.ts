import { expect, test } from "vitest";
import { ScenarioError } from "../../sim/scenario.ts";
import { cancel, labelOf, lateWake, parseScript, type Script, send } from "./script.ts";

test("parseScript() gives a script back as it was", () => {
  const script: Script = [
    ...lateWake,
    send("c", "steer"),
    { type: "retract", id: "c" },
    { type: "dispose" },
    { type: "maintain", activity: "compact" },
    { type: "await", name: "idle" },
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
});

test("labelOf() says in plain words what the user does", () => {
  expect(lateWake.map(labelOf)).toEqual(["send a", "stop", "send b"]);
  expect(labelOf(cancel("stop", { keepInbox: false }))).toBe("stop and clear");
});
