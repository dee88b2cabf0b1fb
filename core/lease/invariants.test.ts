import fc from "fast-check";
import { expect, test } from "vitest";
import { nextDeadlineMs } from "./deadline.ts";
import { mayWrite } from "./may-write.ts";
import type { LeaseInput, LeasePolicy, LeaseState } from "./state.ts";
import { Observer, show } from "./testing/invariants.ts";
import { deeds, meet, play, policies, segmentsOf } from "./testing/world.ts";
import { transition } from "./transition.ts";

test("transition() keeps every invariant under every policy and any host", () => {
  fc.assert(
    fc.property(policies, deeds, (policy, script) => {
      const observer = new Observer(policy);
      for (const step of play(policy, script)) observer.observe(step);
    }),
    { numRuns: 2_000 },
  );
});

test("transition() never touches the state it was given", () => {
  fc.assert(
    fc.property(policies, deeds, (policy, script) => {
      const seen: (readonly [LeaseState, string])[] = [];
      for (const { before } of play(policy, script)) seen.push([before, show(before)]);
      for (const [state, shown] of seen) expect(show(state)).toBe(shown);
    }),
    { numRuns: 200 },
  );
});

test("nextDeadlineMs() is the first moment at which a tick does something", () => {
  fc.assert(
    fc.property(policies, deeds, (policy, script) => {
      for (const { state } of play(policy, script)) {
        const deadlineMs = nextDeadlineMs(policy, state);
        const tick = (atMs: number) => transition(policy, state, { type: "tick", atMs }).effects.length;
        if (deadlineMs === null) expect(tick(1e9)).toBe(0);
        else expect([tick(deadlineMs - 1), tick(deadlineMs) > 0]).toEqual([0, true]);
      }
    }),
    { numRuns: 250 },
  );
});

test("mayWrite() lets each holder write its own, and no two write one path but a workspace call and a child", () => {
  const probes = [".", "src", "src/a", "src/a/b", "src-gen", "docs", "SRC/A"];
  fc.assert(
    fc.property(policies, deeds, (policy, script) => {
      for (const { state } of play(policy, script)) {
        for (const path of probes) {
          const writers = [...state.calls, ...state.children].filter(([holder, { fence }]) =>
            mayWrite(policy, state, { holder, path, fence: fence ?? 1 }),
          );
          expect(writers.map(([id]) => id).sort()).toEqual(expectedWriters(policy, state, path));
          const roots = writers.filter(([id]) => state.calls.has(id));
          const claims = writers.filter(([id]) => state.children.has(id));
          const workspace = roots.some(([id]) => state.calls.get(id)?.footprint.kind === "workspace");
          expect(roots.length <= 1 && claims.length <= 1 && (workspace || writers.length <= 1)).toBe(true);
        }
      }
    }),
    { numRuns: 100 },
  );
});

test("at quiescence no call is left, and the whole workspace is free", () => {
  fc.assert(
    fc.property(policies, deeds, (policy, script) => {
      const last = [...play(policy, script)].at(-1)?.state;
      if (last === undefined) return;
      const quiet = settle(policy, last);
      expect([quiet.calls.size, quiet.children.size, quiet.queue.length]).toEqual([0, 0, 0]);
      expect(nextDeadlineMs(policy, quiet)).toBeNull();
      const everything: LeaseInput = { type: "spawn", child: "all", owner: "new", paths: ["."], atMs: 0 };
      expect(transition(policy, quiet, everything).effects[0]?.type).toBe("spawned");
    }),
    { numRuns: 500 },
  );
});

test("the campaign reaches its goals", () => {
  const reached = new Set<string>();
  for (const [policy, script] of fc.sample(fc.tuple(policies, deeds), { numRuns: 1_000, seed: 20_261_018 })) {
    const observer = new Observer(policy);
    for (const step of play(policy, script)) {
      const { before, input, effects } = step;
      observer.observe(step);
      const [head] = before.queue;
      const stages = new Set(
        [...before.calls.values()]
          .filter(({ owner }) => "owner" in input && owner === input.owner)
          .map(({ stage }) => stage),
      );
      if (input.type === "close" && stages.size === 3) reached.add("a close with each stage present");
      for (const effect of effects) {
        if (effect.type === "cancelled" && effect.call === head) reached.add("a cancelled head");
        if (effect.type === "expired" && effect.call === head) reached.add("an expired head");
        if (effect.type === "fenced" && "child" in effect) reached.add("a stuck child fenced off");
        if (effect.type === "refused") reached.add(effect.reason);
      }
    }
    for (const goal of observer.goals) reached.add(goal);
  }
  expect([...reached].sort()).toEqual([
    "a cancelled head",
    "a close with each stage present",
    "a queue of three",
    "a stuck child fenced off",
    "a waiter passed a blocked one",
    "an expired head",
    "child-conflict",
    "child-writing",
    "denied",
    "duplicate-call",
    "duplicate-child",
    "no-paths",
    "outside-workspace",
    "owner-closed",
    "root-busy",
    "root-writing",
  ]);
});

function expectedWriters(policy: LeasePolicy, state: LeaseState, path: string): readonly string[] {
  const at = segmentsOf(policy, path);
  const covers = (claimed: string) => {
    const folder = segmentsOf(policy, claimed);
    return folder.length <= at.length && meet(folder, at);
  };
  const writers: string[] = [];
  for (const [id, { stage, footprint }] of state.calls) {
    if (stage !== "granted" || footprint.kind === "none") continue;
    if (footprint.kind === "workspace" || covers(footprint.path)) writers.push(id);
  }
  for (const [id, { paths }] of state.children) if (paths.some(covers)) writers.push(id);
  return writers.sort();
}

/** Answers every approval with yes, releases every grant and finishes every child, until nothing moves. */
function settle(policy: LeasePolicy, start: LeaseState): LeaseState {
  let state = start;
  for (let round = 0; round < 100 && state.calls.size + state.children.size > 0; round += 1) {
    for (const [call, { stage, fence }] of state.calls) {
      if (stage === "approving") state = transition(policy, state, { type: "approve", call, atMs: 0 }).state;
      if (fence !== null) state = transition(policy, state, { type: "release", call, fence }).state;
    }
    for (const [child, { fence }] of state.children) {
      state = transition(policy, state, { type: "finish", child, fence }).state;
    }
  }
  return state;
}
