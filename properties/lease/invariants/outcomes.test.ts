import { expect, test } from "vitest";
import { always, atQuiescence } from "../contract.ts";
import { type LeaseHistory, LeaseRecording, type LeaseSighting } from "../history.ts";
import { oneOutcome, toldAtOnce } from "./outcomes.ts";

const requested = (call: string): LeaseSighting => ({
  seen: "requested",
  call,
  owner: "run",
  footprint: { kind: "workspace" },
  needsApproval: false,
  aborted: false,
  atMs: 0,
});

function history(...sightings: readonly LeaseSighting[]): LeaseHistory {
  const recording = new LeaseRecording();
  for (const sighting of sightings) recording.saw(sighting);
  return recording;
}

test("every invariant has a name of its own, and a reason", () => {
  const all = [...always, ...atQuiescence];
  expect(new Set(all.map(({ name }) => name)).size).toBe(all.length);
  for (const { name, why } of all) expect([name, why.endsWith(".")]).toEqual([name, true]);
});

test("a history is judged anew where it has grown, and a breach stays one", () => {
  const recording = new LeaseRecording();
  recording.saw(requested("c1"));
  expect(oneOutcome.violation(recording)).toBe("c1 never got an outcome");
  recording.saw({ seen: "granted", call: "c1", fence: 1 });
  expect(oneOutcome.violation(recording)).toBe(undefined);
  recording.saw({ seen: "expired", call: "c1", path: ".", atMs: 1 });
  recording.saw(requested("c2"));
  expect(oneOutcome.violation(recording)).toBe("c1 was expired once it had its outcome");
});

test("toldAtOnce sees who was aborted and hears nothing", () => {
  const waits = [requested("c1"), { seen: "granted", call: "c1", fence: 1 }, requested("c2")] as const;
  expect(toldAtOnce.violation(history(...waits))).toBe(undefined);
  const aborted: LeaseSighting = { seen: "aborted", call: "c2" };
  expect(toldAtOnce.violation(history(...waits, aborted))).toBe("c2 was aborted, and has not been told");
  expect(toldAtOnce.violation(history(...waits, aborted, { seen: "cancelled", call: "c2" }))).toBe(undefined);
});
