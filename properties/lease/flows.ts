/** Flows of commands side by side, and the same as a script: one list, in which it is said whose the next steps are. */
import type { LeasePolicy } from "../../core/lease/state.ts";
import type { LeaseScript, LeaseScriptStep, Together } from "./script.ts";

/** Flow to its steps. The first step is its start; each further one comes when the scheduler of the world says. */
export type Flows = Readonly<Record<string, readonly (LeaseScriptStep | Together)[]>>;

export type Situation = { readonly policy?: Partial<LeasePolicy>; readonly flows: Flows };

const user = "user";

/** What comes before any flow is named is the user's. */
export function flowsOf(script: LeaseScript): Required<Situation> {
  const policy: Record<string, unknown> = {};
  const flows = new Map<string, (LeaseScriptStep | Together)[]>();
  let steps: (LeaseScriptStep | Together)[] | null = null;
  const flowOf = (name: string) => {
    const found = flows.get(name) ?? [];
    flows.set(name, found);
    return found;
  };
  for (const step of script) {
    if (step.type === "flow") steps = flowOf(step.name);
    else if (step.type === "policy") {
      for (const [name, value] of Object.entries(step)) if (name !== "type") policy[name] = value;
    } else {
      steps ??= flowOf(user);
      steps.push(step);
    }
  }
  return { policy, flows: Object.fromEntries(flows) };
}

export function scriptOfFlows({ policy, flows }: Situation): LeaseScript {
  const steps = Object.entries(flows).flatMap(([name, steps]): LeaseScript => [{ type: "flow", name }, ...steps]);
  return policy === undefined ? steps : [{ type: "policy", ...policy }, ...steps];
}
