/** What a close ends and what it leaves: one rule changed each. */
import { isOpen, type LeaseMutant, mutant, on, sparing, transition } from "./mutant.ts";

export const closeMutants: readonly LeaseMutant[] = [
  mutant("keeps-waiters-on-close", "close leaves the waiting calls", {
    policy: { conflict: "queue" },
    transition: on("close", (policy, state, input) => {
      if (state.closed.has(input.owner)) return transition(policy, state, input);
      return sparing(({ stage }) => stage === "waiting", policy, state, input);
    }),
  }),
  mutant("keeps-questions-on-close", "close leaves the calls that ask for approval", {
    transition: on("close", (policy, state, input) =>
      sparing(({ stage }) => stage === "approving", policy, state, input),
    ),
  }),
  mutant("close-takes-the-lease", "close ends what runs at once", {
    transition: on("close", (policy, state, input) => {
      const step = transition(policy, state, input);
      const calls = new Map([...step.state.calls].filter(([, { owner }]) => isOpen(step.state, owner)));
      return { ...step, state: { ...step.state, calls } };
    }),
  }),
  mutant("forgets-who-closed", "a closed owner is open again at once", {
    transition: on("close", (policy, state, input) => {
      const step = transition(policy, state, input);
      return { ...step, state: { ...step.state, closed: state.closed } };
    }),
  }),
];
