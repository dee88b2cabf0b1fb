/** Deadlines and the stuck limit: one rule changed each. */
import { change, type LeaseMutant, mutant, on, sparing, transition, withoutFencing } from "./mutant.ts";

export const timeMutants: readonly LeaseMutant[] = [
  mutant("restarts-the-stuck-clock", "a second close starts the stuck limit anew", {
    transition: on("close", (policy, state, input) => {
      const step = transition(policy, state, input);
      return { ...step, state: { ...step.state, closed: new Map(step.state.closed).set(input.owner, input.atMs) } };
    }),
  }),
  mutant("never-gives-up-on-stuck", "tick fences nobody off", { transition: on("tick", withoutFencing) }),
  mutant("expires-before-it-fences", "tick drops late waiters first, and fences then", {
    policy: { conflict: "queue" },
    transition: on("tick", (policy, state, input) => {
      const first = withoutFencing(policy, state, input);
      const then = transition(policy, first.state, input);
      return { state: then.state, effects: [...first.effects, ...then.effects] };
    }),
  }),
  mutant("asks-for-ever", "tick expires waiting calls only", {
    transition: on("tick", (policy, state, input) =>
      sparing(({ stage }) => stage === "approving", policy, state, input),
    ),
  }),
  mutant("waits-for-ever", "tick expires nobody", {
    transition: on("tick", (policy, state, input) => sparing(({ stage }) => stage !== "granted", policy, state, input)),
  }),
  mutant("expires-on-the-dot", "tick expires what is due at that very moment, and not what is late", {
    transition: on("tick", (policy, state, input) =>
      sparing(({ deadlineMs }) => deadlineMs !== null && deadlineMs < input.atMs, policy, state, input),
    ),
  }),
  mutant("fences-on-the-dot", "tick fences off at the very moment of the stuck limit, and not later", {
    transition: on("tick", (policy, state, input) => {
      const closed = new Map([...state.closed].filter(([, atMs]) => atMs + policy.stuckLimitMs >= input.atMs));
      const step = transition(policy, { ...state, closed }, input);
      return { ...step, state: { ...step.state, closed: state.closed } };
    }),
  }),
  mutant("expires-early", "tick expires what is due within a millisecond", {
    transition: on("tick", (policy, state, input) => transition(policy, state, { ...input, atMs: input.atMs + 1 })),
  }),
  mutant("keeps-the-first-deadline", "an approved call waits no longer than its approval would have", {
    transition: on("approve", (policy, state, input) => {
      const deadlineMs = state.calls.get(input.call)?.deadlineMs ?? null;
      const step = transition(policy, state, input);
      const isWaiting = step.state.calls.get(input.call)?.stage === "waiting";
      return isWaiting ? { ...step, state: change(step.state, input.call, { deadlineMs }) } : step;
    }),
    policy: { conflict: "queue" },
  }),
  mutant("expires-for-the-workspace", "an expiry names the workspace, whatever the path", {
    transition: on("tick", (policy, state, input) => {
      const step = transition(policy, state, input);
      const effects = step.effects.map((effect) => (effect.type === "expired" ? { ...effect, path: "." } : effect));
      return { ...step, effects };
    }),
  }),
];
