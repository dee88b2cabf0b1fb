/** What a check is asked for: the options of an exploration, and what the subject cannot or need not do. */
import type { AgentPolicy } from "../../core/agent/state.ts";
import { ExploreOptionsError } from "../../sim/bounds.ts";
import type { ExploreOptions } from "../../sim/result.ts";
import { describeValue } from "../../sim/words.ts";
import { defaultCheckExecutions, defaultScripts } from "./bounds.ts";

/** A part of a contract; the commands that need it, and the invariants about it, can be left out. */
export type Word =
  | "next-step"
  | "queue"
  | "inject"
  | "cancel-keep"
  | "cancel-clear"
  | "retract"
  | "maintenance"
  | "dispose"
  | "write-faults"
  | "approvals"
  | "children";

export type CheckOptions = ExploreOptions & {
  /** How many scripts are tried, the kept ones among them; 60 unless said. */
  readonly scripts?: number;
  /** How the agent under test decides what the contract leaves to its policy. */
  readonly policy?: Partial<AgentPolicy>;
  /** Runs after each execution, outside of the realm, with what the factory made. */
  readonly unmake?: (subject: unknown) => unknown;
  readonly without?: readonly Word[];
};

const words: readonly Word[] = [
  ...(["next-step", "queue", "inject", "cancel-keep", "cancel-clear", "retract"] as const),
  ...(["maintenance", "dispose", "write-faults", "approvals", "children"] as const),
];
/** A check's own options, checked; the rest is the exploration's. */
export type CheckPlan = {
  readonly explore: ExploreOptions;
  readonly executions: number;
  readonly scripts: number;
  readonly policy: Partial<AgentPolicy>;
  readonly unmake: ((subject: unknown) => unknown) | null;
  readonly without: readonly Word[];
};

/** As somebody gives them who does not know the words. */
export type AskedOptions = Omit<CheckOptions, "without"> & { readonly without?: readonly string[] };

/** Throws ExploreOptionsError naming what is wrong; what belongs to an exploration is checked when that begins. */
export function checkPlanOf(options: AskedOptions = {}): CheckPlan {
  if (typeof options !== "object" || options === null) {
    throw new ExploreOptionsError(`Cannot check: expected an object of options, found ${describeValue(options)}`);
  }
  const { scripts = defaultScripts, policy = {}, unmake, without = [], ...explore } = options;
  if (!Number.isInteger(scripts) || scripts < 1 || scripts > 10_000) {
    throw new ExploreOptionsError(
      `Cannot check: expected scripts to be a whole number from 1 to 10000, found ${describeValue(scripts)}`,
    );
  }
  const executions = explore.executions ?? defaultCheckExecutions;
  if (!Number.isInteger(executions) || executions < 1) {
    throw new ExploreOptionsError(
      `Cannot check: expected executions to be a whole number of at least 1, found ${describeValue(executions)}`,
    );
  }
  if (unmake !== undefined && typeof unmake !== "function") {
    throw new ExploreOptionsError(`Cannot check: expected unmake to be a function, found ${describeValue(unmake)}`);
  }
  if (!Array.isArray(without)) {
    throw new ExploreOptionsError(`Cannot check: expected without to be a list, found ${describeValue(without)}`);
  }
  const left = without.map((word): Word => {
    const known = words.find((one) => one === word);
    if (known !== undefined) return known;
    throw new ExploreOptionsError(
      `Cannot check: expected every word of without to be one of ${words.join(", ")}, found ${describeValue(word)}`,
    );
  });
  return { explore, executions, scripts, policy: policyOf(policy), unmake: unmake ?? null, without: left };
}

const policies: Readonly<Record<keyof AgentPolicy, readonly string[]>> = {
  parking: ["unlatched", "all"],
  afterFailure: ["park", "drain"],
  claim: ["one", "all"],
};

function policyOf(policy: Partial<AgentPolicy>): Partial<AgentPolicy> {
  if (typeof policy !== "object" || policy === null) {
    throw new ExploreOptionsError(`Cannot check: expected policy to be an object, found ${describeValue(policy)}`);
  }
  for (const [key, value] of Object.entries(policy)) {
    const known = Object.entries(policies).find(([name]) => name === key)?.[1];
    if (known === undefined) {
      throw new ExploreOptionsError(
        `Cannot check: expected policy to have ${Object.keys(policies).join(", ")}, found ${describeValue(key)}`,
      );
    }
    if (value === undefined || known.includes(value)) continue;
    throw new ExploreOptionsError(
      `Cannot check: expected policy.${key} to be one of ${known.join(", ")}, found ${describeValue(value)}`,
    );
  }
  return policy;
}
