/**
 * Whether every caller hears its outcome in the end, whatever the others do: they may ask and abort for ever, or
 * never. Judged without symmetry, because each call has its own duties. A name is given out again when its call is forgotten:
 * what is released again and again under one name is one call after the other.
 */
import type { Fairness } from "../../../sim/model/liveness.ts";
import { defaultBounds, type LeaseBounds } from "./bounds.ts";
import { inputsOf } from "./environment.ts";
import { initialWorld, type LeaseModel, type LeaseModelOptions, leaseModel, settingOf } from "./lease-model.ts";
import { callId, normalForm } from "./normal-form.ts";
import { type Deed, type LeaseWorld, stepOf } from "./world.ts";

/**
 * `everybody`: grants are released, approvals answered, and time passes. `time`: only time passes, and a call hears its
 * outcome by its deadline at the latest. `releases`: time may stand still, and who waits runs when the others have
 * released.
 */
export type Duties = "everybody" | "time" | "releases";

export type LeaseLiveness = {
  readonly model: LeaseModel;
  readonly fairness: Fairness<LeaseWorld, Deed>;
};

/**
 * A folder, a file in it and a file apart, for three calls: one that waits for two that take turns. Nobody closes, because
 * a close only ends waiting.
 */
export const livenessBounds: LeaseBounds = { ...defaultBounds, calls: 3, children: 0, together: 3, closes: 0 };

export function leaseLiveness(
  options: LeaseModelOptions & { readonly duties?: Duties | undefined } = {},
): LeaseLiveness {
  const { duties = "everybody" } = options;
  const bounds = { ...livenessBounds, ...options.bounds };
  const setting = settingOf({ ...options, bounds });
  const { policy, ground, reducer } = setting;
  const { canonical: _, ...model } = leaseModel({ ...options, bounds });
  const step = stepOf(reducer, policy);
  const normal = normalForm(policy, bounds, ground, "kept");
  return {
    model: {
      ...model,
      name: `${model.name}; duties: ${duties}`,
      initial: normal(initialWorld),
      inputs: inputsOf({ policy, bounds, ground, strangers: false }),
      // Time and fences are told from now in every step; no names are exchanged, so a duty stays the same duty.
      step(before, deed) {
        const { state, effects } = step(before, deed);
        return { state: normal(state), effects };
      },
      // Judged by the model proper, and with fences and times that were not retold.
      always: [],
      everyStep: [],
      goals: [],
    },
    fairness: {
      obligations: Array.from({ length: bounds.calls }, (_, place) => hears(callId(place), duties)),
      duty: (deed) => dutyIn(duties, deed),
    },
  };
}

function hears(call: string, duties: Duties) {
  return {
    name: duties === "releases" ? `${call} does not wait for ever` : `${call} hears its outcome`,
    pending({ told, lease }: LeaseWorld): boolean {
      if (told.get(call) !== "asked") return false;
      return duties !== "releases" || lease.calls.get(call)?.stage === "waiting";
    },
  };
}

function dutyIn(duties: Duties, deed: Deed): string | null {
  const isTime = deed.type === "pass" || deed.type === "tick";
  if (isTime) return duties === "releases" ? null : deed.type;
  if (duties === "time") return null;
  if (deed.type === "release") return `release ${deed.call}`;
  if (deed.type === "approve" || deed.type === "deny") return `answer ${deed.call}`;
  return null;
}
