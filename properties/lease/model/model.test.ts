import { expect, test } from "vitest";
import { Explorer } from "../../../sim/model/explorer.ts";
import { smallBounds } from "./bounds.ts";
import { leaseModel, unreachable } from "./index.ts";

const tiny = { ...smallBounds, calls: 2, together: 2, misfits: 1 };

test.each([
  { conflict: "queue", queue: "arrival", caseSensitive: true },
  { conflict: "queue", queue: "arrival", caseSensitive: false },
  { conflict: "queue", queue: "per-path", caseSensitive: true },
  { conflict: "queue", queue: "per-path", caseSensitive: false },
  { conflict: "refuse", queue: "arrival", caseSensitive: true },
  { conflict: "refuse", queue: "per-path", caseSensitive: false },
] as const)("the core keeps every invariant in a tiny world: %o", async (policy) => {
  const { outcome, why, violation, states } = await new Explorer(leaseModel({ policy, bounds: tiny })).run();
  expect({ outcome, why, violation }).toEqual({ outcome: "proved", why: null, violation: null });
  expect(states).toBeGreaterThan(700);
});

/** A queue of three needs one that it waits for: four calls. */
const needFour = ["a queue of three", "a waiter passes a blocked one that it does not overlap"];

test("the core keeps every invariant in a small world, and every situation that fits into it comes up", async () => {
  const { outcome, goals } = await new Explorer(leaseModel({ bounds: { ...smallBounds, misfits: 0 } })).run();
  expect(outcome).toBe("proved");
  const missing = Object.keys(goals).filter((goal) => goals[goal] === null);
  const impossible = Object.keys(unreachable({ conflict: "queue" }));
  expect(new Set(missing)).toEqual(new Set([...needFour, ...impossible, "a close with each stage present"]));
});

test.each([
  { calls: 0 },
  { children: 0, closes: 0, approvals: 0 },
  { waitLimitMs: 0, stuckLimitMs: 0 },
  { paths: 1, waitLimitMs: 2, stuckLimitMs: 3 },
])("a world may lack anything, and still is one: %o", async (more) => {
  const bounds = { ...tiny, paths: 2, ...more };
  expect(await new Explorer(leaseModel({ bounds })).run()).toMatchObject({ outcome: "proved", bounds });
});
