import fc from "fast-check";
import { expect, test } from "vitest";
import type { Grant } from "./scheduler.ts";
import type { Footprint } from "./state.ts";
import { ask, settled, setUp } from "./testing/application.ts";

const footprints: readonly Footprint[] = [
  { kind: "file", path: "src/a" },
  { kind: "file", path: "src" },
  { kind: "file", path: "docs" },
  { kind: "workspace" },
];
const pick = fc.nat({ max: 7 });
const deed = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({ type: fc.constant<"ask">("ask"), footprint: fc.nat({ max: 3 }), approval: fc.boolean() }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      type: fc.constantFrom<("release" | "abort" | "answer")[]>("release", "abort", "answer"),
      pick,
    }),
  },
  { weight: 1, arbitrary: fc.record({ type: fc.constantFrom<("pass" | "close")[]>("pass", "close") }) },
  // Without one of these, the deeds before and after share a synchronous block: the window between grant and run.
  { weight: 4, arbitrary: fc.record({ type: fc.constant<"settle">("settle") }) },
);

test("the host runs nobody who was aborted or closed, runs no two on one path, and ends every call", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(deed, { maxLength: 30, size: "max" }), async (script) => {
      const { scheduler, clock, approve } = setUp();
      const calls: ReturnType<typeof ask>[] = [];
      const running = new Map<string, Grant>();
      const footprintOf = new Map<string, Footprint>();
      const ranClosed: string[] = [];
      let owner = 0;
      for (const step of script) {
        const picked = "pick" in step ? `c${calls.length - 1 - step.pick}` : "";
        if (step.type === "ask") {
          const call = `c${calls.length}`;
          const footprint = footprints[step.footprint] ?? { kind: "none" };
          const runOf = `run${owner}`;
          const asked = ask(scheduler, call, footprint, { owner: runOf, needsApproval: step.approval });
          footprintOf.set(call, footprint);
          calls.push(asked);
          asked.promise.then(
            (grant) => {
              running.set(call, grant);
              if (scheduler.state.closed.has(runOf)) ranClosed.push(call);
            },
            () => undefined,
          );
        }
        if (step.type === "release") running.get(picked)?.release();
        if (step.type === "release") running.delete(picked);
        if (step.type === "abort" && "pick" in step) calls[calls.length - 1 - step.pick]?.abort();
        if (step.type === "answer") approve.answers.get(picked)?.yes();
        if (step.type === "pass") clock.advance(100);
        // The next deeds belong to the next run.
        if (step.type === "close") scheduler.close(`run${owner++}`);
        if (step.type === "settle") await settled();
        for (const [call, grant] of running) if (!scheduler.state.calls.has(grant.holder)) running.delete(call);
        for (const one of running.keys()) {
          for (const other of running.keys()) {
            if (one !== other) expect(isApart(footprintOf.get(one), footprintOf.get(other))).toBe(true);
          }
        }
      }
      await settled();
      expect([calls.filter(({ seen }) => seen.ranAborted), ranClosed]).toEqual([[], []]);
      scheduler.close(`run${owner}`);
      clock.advance(50);
      await settled();
      expect(calls.filter(({ seen }) => seen.outcome === "pending")).toEqual([]);
      expect([scheduler.state.calls.size, scheduler.state.queue.length, clock.timers]).toEqual([0, 0, 0]);
    }),
    { numRuns: 200 },
  );
});

/** Only these two of the four do not overlap: docs and anything under src. */
function isApart(one: Footprint | undefined, other: Footprint | undefined): boolean {
  if (one?.kind !== "file" || other?.kind !== "file") return false;
  return (one.path === "docs") !== (other.path === "docs");
}
