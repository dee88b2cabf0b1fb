/** The contracts of the reference core, as `microloom prove` knows them. */
import type { AgentPolicy } from "../core/agent/state.ts";
import { agentCounterexample } from "./agent/model/counterexample.ts";
import {
  defaultBounds as agentBounds,
  agentLiveness,
  defaultGoalBounds as goalBounds,
  goalLiveness,
} from "./agent/model/index.ts";
import { leaseCounterexample } from "./lease/model/counterexample.ts";
import { defaultBounds as leaseBounds, leaseLiveness, leaseModel } from "./lease/model/index.ts";
import { attemptOf, type PolicyChoice, type Provable } from "./proof.ts";
import { sweptFirst } from "./swept-proof.ts";

const agentPolicies = combined({
  parking: ["unlatched", "all"],
  afterFailure: ["park", "drain"],
  claim: ["one", "all"],
});

const agent: Provable = {
  contract: "agent",
  policies: agentPolicies,
  bounds: agentBounds,
  attempt(choice, sizes) {
    const policy = agentPolicy(choice);
    const lively = agentLiveness({ policy, bounds: { ...agentBounds, ...sizes } });
    const plain = attemptOf(lively.model, lively, (violation, trace) => agentCounterexample(policy, violation, trace));
    return sweptFirst(lively.budgeted, lively.fairness, plain);
  },
};

const goal: Provable = {
  contract: "goal",
  policies: agentPolicies,
  bounds: goalBounds,
  attempt(choice, sizes) {
    const lively = goalLiveness({ policy: agentPolicy(choice), bounds: { ...goalBounds, ...sizes } });
    return sweptFirst(lively.budgeted, lively.fairness, attemptOf(lively.model, lively));
  },
};

const lease: Provable = {
  contract: "lease",
  policies: combined({
    conflict: ["queue", "refuse"],
    queue: ["arrival", "per-path"],
    caseSensitive: ["true", "false"],
  }),
  bounds: leaseBounds,
  attempt(choice, sizes) {
    const policy = {
      conflict: choice.conflict === "refuse" ? "refuse" : "queue",
      queue: choice.queue === "per-path" ? "per-path" : "arrival",
      caseSensitive: choice.caseSensitive === "true",
    } as const;
    const bounds = { ...leaseBounds, ...sizes };
    return attemptOf(leaseModel({ policy, bounds }), leaseLiveness({ policy }), (violation, trace) =>
      leaseCounterexample({ policy, bounds }, violation, trace),
    );
  },
};

export const provables: readonly Provable[] = [agent, lease, goal];

function agentPolicy({ parking, afterFailure, claim }: PolicyChoice): AgentPolicy {
  return {
    parking: parking === "all" ? "all" : "unlatched",
    afterFailure: afterFailure === "drain" ? "drain" : "park",
    claim: claim === "all" ? "all" : "one",
  };
}

/** Every combination, the first of each first. */
function combined(values: Readonly<Record<string, readonly string[]>>): readonly PolicyChoice[] {
  return Object.entries(values).reduce<readonly PolicyChoice[]>(
    (choices, [name, options]) => choices.flatMap((choice) => options.map((value) => ({ ...choice, [name]: value }))),
    [{}],
  );
}
