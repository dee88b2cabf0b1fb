/** Inputs as a person would say them. */
import type { Footprint, LeaseEffect } from "../../../core/lease/state.ts";
import type { Deed } from "./world.ts";

export function describe(deed: Deed): string {
  switch (deed.type) {
    case "request": {
      const how = [deed.needsApproval && "needs approval", deed.aborted && "is aborted already"].filter(Boolean);
      return [`${deed.owner} requests ${deed.call} on ${onWhat(deed.footprint)}`, ...how].join(", ");
    }
    case "approve":
    case "deny":
    case "abort":
      return `${deed.type} ${deed.call}`;
    case "release":
      return `release ${deed.call} with fence ${deed.fence}`;
    case "finish":
      return `finish ${deed.child} with fence ${deed.fence}`;
    case "spawn":
      return `${deed.owner} spawns ${deed.child} on ${deed.paths.length === 0 ? "no paths" : deed.paths.join(" and ")}`;
    case "close":
      return deed.owning.length === 0
        ? `close ${deed.owner}`
        : `close ${deed.owner}, the owner of ${deed.owning.join(" and ")}`;
    case "tick":
      return `tick at ${deed.atMs} ms`;
    case "pass":
      return "1 ms passes";
  }
}

function onWhat(footprint: Footprint): string {
  return footprint.kind === "file" ? footprint.path : footprint.kind === "none" ? "nothing" : "the workspace";
}

/** A run line by line: what was said to the reducer, and what it answered. */
export function tell({
  steps,
}: {
  readonly steps: readonly { readonly input: Deed; readonly effects: readonly LeaseEffect[] }[];
}): readonly string[] {
  return steps.map(({ input, effects }) => {
    const answers = effects.map(answer);
    return answers.length === 0 ? describe(input) : `${describe(input)}: ${answers.join(", ")}`;
  });
}

function answer(effect: LeaseEffect): string {
  switch (effect.type) {
    case "ask-approval":
      return `approval is asked for ${effect.call}`;
    case "granted":
      return `${effect.call} is granted with fence ${effect.fence}`;
    case "spawned":
      return `${effect.child} is spawned with fence ${effect.fence}`;
    case "cancelled":
      return `${effect.call} is cancelled`;
    case "expired":
      return `${effect.call} expired for ${effect.path}${effect.retryable ? " (retryable)" : ""}`;
    case "fenced":
      return `${"call" in effect ? effect.call : effect.child} is fenced off`;
    case "overlaps-child":
      return `${effect.call} runs beside ${effect.children.join(" and ")}`;
    case "refused":
      return effect.path === undefined
        ? `refused for ${effect.reason}`
        : `refused for ${effect.reason}, ${effect.path} is held by ${effect.holder ?? "nobody"}`;
    case "stale":
      return "it fits nothing";
  }
}
