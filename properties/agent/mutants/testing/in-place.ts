/**
 * Puts a mutant in the place of the core's transition, so that everything built on it runs the mutant: a test file mocks
 * `core/agent/transition.ts` with `delegating(…)` of what stands there, and then runs what it wants to see `inPlace`.
 */
import type { Transition } from "../../model/recalling.ts";
import type { Mutant } from "../mutant.ts";

let current: Transition | null = null;

/** The module with a transition that asks the mutant in place. */
export function delegating<Module extends { readonly transition: Transition }>(original: Module): Module {
  const transition: Transition = (policy, state, input) => {
    const mutant = current;
    if (mutant === null) return original.transition(policy, state, input);
    // A mutant wraps the transition that ships, and finds it by the same name.
    current = null;
    try {
      return mutant(policy, state, input);
    } finally {
      current = mutant;
    }
  };
  return { ...original, transition };
}

export async function inPlace<Result>({ transition }: Mutant, act: () => Result | Promise<Result>): Promise<Result> {
  current = transition;
  try {
    return await act();
  } finally {
    current = null;
  }
}
