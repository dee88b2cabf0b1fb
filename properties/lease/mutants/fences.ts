/** Fences, and when the host has to tick: one rule changed each. */
import { core } from "../model/lease-model.ts";
import { type LeaseMutant, mutant, on, transition } from "./mutant.ts";

export const fencesMutants: readonly LeaseMutant[] = [
  mutant("releases-by-name", "release does not look at the fence", {
    transition: on("release", (policy, state, input) => {
      const fence = state.calls.get(input.call)?.fence ?? input.fence;
      return transition(policy, state, { ...input, fence });
    }),
  }),
  mutant("finishes-by-name", "finish does not look at the fence", {
    transition: on("finish", (policy, state, input) => {
      const fence = state.children.get(input.child)?.fence ?? input.fence;
      return transition(policy, state, { ...input, fence });
    }),
  }),
  mutant("one-fence-for-all", "a grant does not use its fence up", {
    transition: (policy, state, input) => {
      const step = transition(policy, state, input);
      return { ...step, state: { ...step.state, nextFence: state.nextFence } };
    },
  }),
  mutant("writes-without-a-fence", "mayWrite does not look at the fence", {
    mayWrite: (policy, state, use) => {
      const fence = (state.calls.get(use.holder) ?? state.children.get(use.holder))?.fence ?? use.fence;
      return core.mayWrite(policy, state, { ...use, fence });
    },
  }),
  mutant("sleeps-through-approvals", "nextDeadlineMs does not look at calls that ask for approval", {
    nextDeadlineMs: (policy, state) =>
      core.nextDeadlineMs(policy, {
        ...state,
        calls: new Map([...state.calls].filter(([, { stage }]) => stage !== "approving")),
      }),
  }),
];
