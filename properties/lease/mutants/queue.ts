/** Who waits, and who goes first: one rule changed each. */
import type { Footprint } from "../../../core/lease/state.ts";
import { change, type LeaseMutant, mutant, on, transition, withoutPumpOn } from "./mutant.ts";

const whole: Footprint = { kind: "workspace" };

export const queueingMutants: readonly LeaseMutant[] = [
  mutant("does-not-pump-on-release", "release ends a grant and pumps nobody", { transition: withoutPumpOn("release") }),
  mutant("does-not-pump-on-abort", "abort drops a waiter and pumps nobody", { transition: withoutPumpOn("abort") }),
  mutant("does-not-pump-on-close", "close drops waiters and pumps nobody", { transition: withoutPumpOn("close") }),
  mutant("does-not-pump-on-tick", "tick fences and expires, and pumps nobody", { transition: withoutPumpOn("tick") }),
  mutant("does-not-pump-on-deny", "deny pumps nobody", {
    transition: withoutPumpOn("deny"),
    survives: "a call that asks for approval holds nobody back: it is neither granted nor in the queue",
  }),
  mutant("does-not-pump-on-finish", "finish pumps nobody", {
    transition: withoutPumpOn("finish"),
    survives: "a claim holds no waiter back: files are refused, and commands run beside it",
  }),
  mutant("refuses-siblings", "a call that overlaps a grant is refused instead of waiting", {
    policy: { conflict: "queue" },
    transition: (policy, state, input) => transition({ ...policy, conflict: "refuse" }, state, input),
  }),
  mutant("waits-where-nobody-does", "under conflict `refuse` calls queue", {
    policy: { conflict: "refuse" },
    transition: (policy, state, input) => transition({ ...policy, conflict: "queue" }, state, input),
  }),
  mutant("lets-waiters-be-overtaken", "a waiter holds back only calls for its own path", {
    policy: { queue: "arrival", conflict: "queue" },
    transition: (policy, state, input) => transition({ ...policy, queue: "per-path" }, state, input),
  }),
  mutant("holds-everybody-back", "under `per-path` a waiter holds back whatever it overlaps", {
    policy: { queue: "per-path", conflict: "queue" },
    transition: (policy, state, input) => transition({ ...policy, queue: "arrival" }, state, input),
  }),
  mutant("last-come-first-served", "a waiter is put at the head of the queue", {
    policy: { conflict: "queue" },
    transition: on("request", (policy, state, input) => {
      const step = transition(policy, state, input);
      const { queue } = step.state;
      if (!queue.includes(input.call)) return step;
      return { ...step, state: { ...step.state, queue: [input.call, ...queue.filter((id) => id !== input.call)] } };
    }),
  }),
  mutant("approval-jumps-the-queue", "an approved call is granted at once", {
    policy: { conflict: "queue" },
    transition: on("approve", (policy, state, input) => {
      const step = transition(policy, state, input);
      if (state.calls.get(input.call)?.stage !== "approving" || !step.state.queue.includes(input.call)) return step;
      const { nextFence: fence } = step.state;
      const granted = change(step.state, input.call, { stage: "granted", deadlineMs: null, fence });
      const queue = granted.queue.filter((id) => id !== input.call);
      return {
        state: { ...granted, queue, nextFence: fence + 1 },
        effects: [...step.effects, { type: "granted", call: input.call, fence }],
      };
    }),
  }),
  mutant("commands-for-everything", "a call that writes nothing counts as a command", {
    policy: { conflict: "queue" },
    transition: on("request", (policy, state, input) => {
      const step = transition(policy, state, {
        ...input,
        footprint: input.footprint.kind === "none" ? whole : input.footprint,
      });
      const isWaiting = step.state.calls.get(input.call)?.stage === "waiting";
      return isWaiting ? step : transition(policy, state, input);
    }),
  }),
];
