/**
 * Asks the reducer once about each state and input. Whole states differ mostly in what they remember, so it is asked the
 * same again and again; and it checks the shape of what it is given each time, which costs more than its rules.
 */
import type { AgentInput, AgentPolicy, AgentState, AgentStep } from "../../../core/agent/state.ts";
import { fastCodec } from "../../../sim/model/codec.ts";
import { StateTable } from "../../../sim/model/state-table.ts";
import type { Bounds } from "./bounds.ts";
import { agentSchema } from "./schema.ts";

/** A reducer of the agent: the one that ships, or one with a rule changed. */
export type Transition = (policy: AgentPolicy, state: AgentState, input: AgentInput) => AgentStep;
export type Recalled = (state: AgentState, input: AgentInput) => AgentStep;

/** A state that was asked about, and the answers by the input itself: inputs are made once (`reports.ts`). */
type Known = { readonly state: AgentState; readonly answers: Map<AgentInput, AgentStep> };

export function recalling(transition: Transition, policy: AgentPolicy, bounds: Bounds): Recalled {
  const codec = fastCodec(agentSchema(bounds));
  const table = new StateTable(codec.words);
  const words = new Int32Array(codec.words);
  const all: Known[] = [];
  let last: AgentState | null = null;
  let known: Known | null = null;

  function knownOf(state: AgentState): Known {
    if (known !== null && state === last) return known;
    codec.encode(state, words, 0);
    last = state;
    known = all[table.find(words, 0)] ?? null;
    if (known !== null) return known;
    known = { state, answers: new Map() };
    all[table.add(words, 0, 0)] = known;
    return known;
  }

  return (state, input) => {
    const { state: equal, answers } = knownOf(state);
    let step = answers.get(input);
    if (step === undefined) {
      step = transition(policy, equal, input);
      answers.set(input, step);
    }
    // A step that changes nothing gives back the very state it was asked about.
    return step.state === equal && equal !== state ? { state, effects: step.effects } : step;
  };
}
