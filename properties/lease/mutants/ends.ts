/** How a call ends, and that it ends once: one rule changed each. */
import { isRefused, type LeaseMutant, mutant, on, silenced, transition } from "./mutant.ts";

export const endsMutants: readonly LeaseMutant[] = [
  mutant("cancels-and-keeps", "abort tells the caller, and the call stays", {
    transition: on("abort", (policy, state, input) => {
      const step = transition(policy, state, input);
      return step.effects.some(({ type }) => type === "cancelled") ? { ...step, state } : step;
    }),
  }),
  mutant("drops-in-silence", "abort drops the call, and nobody is told", {
    transition: on("abort", (policy, state, input) => silenced(transition(policy, state, input), "cancelled")),
  }),
  mutant("abort-takes-the-lease", "abort of what runs cancels it", {
    transition: on("abort", (policy, state, input) => {
      const { fence = null } = state.calls.get(input.call) ?? {};
      if (fence === null) return transition(policy, state, input);
      const { state: after, effects } = transition(policy, state, { type: "release", call: input.call, fence });
      return { state: after, effects: [{ type: "cancelled", call: input.call }, ...effects] };
    }),
  }),
  mutant("trusts-the-fast-path", "a request that is aborted already is accepted", {
    transition: on("request", (policy, state, input) => transition(policy, state, { ...input, aborted: false })),
  }),
  mutant("grants-a-closed-owner", "a request of a closed owner is accepted", {
    transition: on("request", (policy, state, input) => {
      const step = transition(policy, { ...state, closed: new Map() }, input);
      return { ...step, state: isRefused(step) ? state : { ...step.state, closed: state.closed } };
    }),
  }),
  mutant("accepts-an-id-twice", "a request with the id of a live call takes its place", {
    transition: on("request", (policy, state, input) => {
      if (!state.calls.has(input.call)) return transition(policy, state, input);
      const calls = new Map(state.calls);
      calls.delete(input.call);
      return transition(policy, { ...state, calls, queue: state.queue.filter((id) => id !== input.call) }, input);
    }),
  }),
  mutant("denies-and-keeps", "deny tells the caller, and the call stays", {
    transition: on("deny", (policy, state, input) => {
      const step = transition(policy, state, input);
      return isRefused(step) ? { ...step, state } : step;
    }),
  }),
  mutant("approves-without-asking", "a request that needs approval is enqueued at once", {
    transition: on("request", (policy, state, input) => {
      const { effects, state: after } = transition(policy, state, { ...input, needsApproval: false });
      if (!input.needsApproval || !after.calls.has(input.call)) return transition(policy, state, input);
      return { state: after, effects };
    }),
  }),
];
