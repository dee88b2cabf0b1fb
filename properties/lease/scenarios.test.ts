import { describe, expect, test } from "vitest";
import { createLeaseScheduler } from "../../core/lease/host.ts";
import { defaultPolicy } from "../../core/lease/state.ts";
import { explore } from "../../repro/explore.ts";
import type { LeaseHistory, LeaseSighting } from "./history.ts";
import { singleWriter } from "./invariants/leases.ts";
import { oneOutcome } from "./invariants/outcomes.ts";
import { siblingCallsQueue } from "./invariants/queue.ts";
import { coreLease, leaseScenario, refusesSiblings } from "./scenarios.ts";

describe("two sibling commands", () => {
  test("one is refused by refuses-siblings, by one ordering, which is also the swap that decides", async () => {
    const result = await explore(refusesSiblings, { strategy: "placement" });
    expect(result).toMatchObject({
      outcome: "violated",
      verdict: "bug",
      violation: { name: "lease/sibling-calls-queue" },
      repro: {
        orderings: [{ first: "command-2:start#1", then: "command-1:run#1" }],
        criticalPair: ["command-2:start#1", "command-1:run#1"],
      },
    });
  });

  for (const level of ["spec", "jitter"] as const) {
    test(`both run under the core, whatever the schedule at level ${level}`, async () => {
      const result = await explore(coreLease, { strategy: "depth-first", level, executions: 100_000 });
      expect(result).toMatchObject({ outcome: "held", certificate: { of: "orders", level }, reached: { missing: [] } });
    });
  }

  test("three commands and a read that waits for nobody hold under the core", async () => {
    const workspace = { kind: "workspace" } as const;
    const calls = [
      { call: "command-1", footprint: workspace },
      { call: "command-2", footprint: workspace },
      { call: "edit", footprint: { kind: "file", path: "src/a.ts" } as const },
      { call: "read", footprint: { kind: "none" } as const },
    ];
    const scenario = leaseScenario({ name: "four calls", make: (ports) => createLeaseScheduler(ports), calls });
    const result = await explore(scenario, { executions: 1_000 });
    expect(result).toMatchObject({ outcome: "held", reached: { missing: [] } });
  });
});

describe("lease invariants", () => {
  const workspace = { kind: "workspace" } as const;
  const history = (...sightings: LeaseSighting[]): LeaseHistory => ({ policy: defaultPolicy, sightings });
  const plainly = { owner: "run", footprint: workspace, needsApproval: false, aborted: false, atMs: 0 };
  const asked = (call: string): LeaseSighting => ({ seen: "requested", call, ...plainly });
  const granted = (call: string): LeaseSighting => ({ seen: "granted", call, fence: null });
  const released = (call: string): LeaseSighting => ({ seen: "released", call, fence: null });
  const refused = (call: string): LeaseSighting => ({
    seen: "refused",
    call,
    reason: "busy",
    path: null,
    holder: null,
  });

  test("siblingCallsQueue sees a refusal beside a running call, and none after it was released", () => {
    expect(siblingCallsQueue.violation(history(asked("a"), granted("a"), asked("b"), refused("b")))).toContain(
      "b was refused",
    );
    expect(siblingCallsQueue.violation(history(asked("a"), granted("a"), released("a"), refused("b")))).toBeUndefined();
  });

  test("singleWriter sees two grants at once, and none one after the other", () => {
    expect(singleWriter.violation(history(asked("a"), asked("b"), granted("a"), granted("b")))).toContain(
      "b was granted",
    );
    expect(
      singleWriter.violation(history(asked("a"), asked("b"), granted("a"), released("a"), granted("b"))),
    ).toBeUndefined();
  });

  test("oneOutcome sees a call without an outcome and one with two", () => {
    expect(oneOutcome.violation(history(asked("a")))).toContain("never got an outcome");
    expect(oneOutcome.violation(history(asked("a"), granted("a"), refused("a")))).toContain("once it had its outcome");
    expect(
      oneOutcome.violation(history(asked("a"), { seen: "expired", call: "a", path: ".", atMs: 0 })),
    ).toBeUndefined();
  });
});
