import { expect, test } from "vitest";
import type { LeasePolicy } from "../../../core/lease/state.ts";
import { always, atQuiescence } from "../contract.ts";
import { type LeaseHistory, LeaseRecording, type LeaseSighting } from "../history.ts";
import { parentChildExclusive } from "./leases.ts";
import { closeLeavesNothing, noGrantToTheDead, oneOutcome, toldAtOnce } from "./outcomes.ts";
import { refusedForCause } from "./refusals.ts";

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
  return historyUnder({}, ...sightings);
}

function historyUnder(policy: Partial<LeasePolicy>, ...sightings: readonly LeaseSighting[]): LeaseHistory {
  const recording = new LeaseRecording(policy);
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

test("noGrantToTheDead sees a grant after a stop, and none whose promise had settled before it", () => {
  const stopped = [requested("c1"), { seen: "aborted", call: "c1" }] as const;
  const granted: LeaseSighting = { seen: "granted", call: "c1", fence: 1 };
  expect(noGrantToTheDead.violation(history(...stopped, granted))).toBe("c1 had been stopped, and was granted");
  expect(noGrantToTheDead.violation(history(...stopped, { ...granted, onItsWay: true }))).toBe(undefined);
});

test("closeLeavesNothing sees who waits, or has expired, for work that was to be fenced off", () => {
  const waits = [
    requested("c1"),
    { seen: "granted", call: "c1", fence: 1 },
    { seen: "closed", owner: "run", atMs: 0 },
    { ...requested("c2"), owner: "other" },
  ] as const;
  const overMs = new LeaseRecording().policy.stuckLimitMs;
  const woken: LeaseSighting = { seen: "woken", atMs: overMs + 1, overMs };
  const expired: LeaseSighting = { seen: "expired", call: "c2", path: ".", atMs: overMs + 1 };
  expect(closeLeavesNothing.violation(history(...waits))).toBe(undefined);
  expect(closeLeavesNothing.violation(history(...waits, woken))).toContain("c2 still waits for c1");
  expect(closeLeavesNothing.violation(history(...waits, woken, expired))).toContain("c2 had to wait for c1");
  // It may be that its timer comes in this moment.
  expect(closeLeavesNothing.violation(history(...waits, { ...woken, overMs: overMs - 1 }))).toBe(undefined);
  const granted: LeaseSighting = { seen: "granted", call: "c2", fence: 2 };
  expect(closeLeavesNothing.violation(history(...waits, woken, granted))).toContain("c2 had to wait for c1");
  expect(closeLeavesNothing.violation(history(...waits, { ...woken, overMs: overMs - 1 }, granted))).toBe(undefined);
});

test("refusedForCause knows that a call may have been let go and not have heard of it", () => {
  const refused: LeaseSighting = { seen: "refused", call: "c2", reason: "root-busy", path: ".", holder: "c1" };
  const both = [requested("c1"), requested("c2"), { seen: "granted", call: "c1", fence: 1 }] as const;
  expect(refusedForCause.violation(historyUnder({ conflict: "refuse" }, ...both, refused))).toBe(undefined);
});

test("a child may come where a call was that is about to hear that it was stopped, and may be refused there", () => {
  const file = { kind: "file", path: "src" } as const;
  const stopped = [
    { ...requested("c1"), footprint: file },
    { seen: "aborted", call: "c1" },
    { seen: "spawning", child: "k1", owner: "run", paths: ["src"] },
  ] as const;
  const spawned: LeaseSighting = { seen: "spawned", child: "k1", fence: 1 };
  const refused: LeaseSighting = {
    seen: "spawn-refused",
    child: "k1",
    reason: "root-writing",
    path: "src",
    holder: "c1",
  };
  for (const answer of [spawned, refused]) {
    const seen = history(...stopped, answer, { seen: "cancelled", call: "c1" });
    expect([parentChildExclusive.violation(seen), refusedForCause.violation(seen)]).toEqual([undefined, undefined]);
  }
  expect(parentChildExclusive.violation(history(stopped[0], stopped[2], spawned))).toContain("k1 was spawned on src");
});
