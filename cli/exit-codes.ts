import type { ExploreResult } from "../repro/explore.ts";
import type { ReplayResult } from "../repro/replay.ts";

/** What the command's exit says. `held` but with a goal never reached counts as violated. */
export const exitCodes = { held: 0, violated: 1, untrusted: 2, noLongerFits: 3, usage: 64, interrupted: 130 } as const;

/** A mistake by the person at the command line: one clear line, no stack. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}

export function exitOfExplore(result: ExploreResult, allowUnreached: boolean): number {
  if (result.outcome === "violated") return exitCodes.violated;
  if (result.outcome !== "held") return exitCodes.untrusted;
  return result.reached.missing.length > 0 && !allowUnreached ? exitCodes.violated : exitCodes.held;
}

export function exitOfReplay(result: ReplayResult): number {
  switch (result.outcome) {
    case "held":
      return exitCodes.held;
    case "violated":
      return exitCodes.violated;
    case "no-longer-fits":
      return exitCodes.noLongerFits;
    default:
      return exitCodes.untrusted;
  }
}

/** The exit of several results together: what cannot be trusted weighs most, then what is broken. */
export function worstExit(exits: readonly number[]): number {
  for (const code of [exitCodes.untrusted, exitCodes.violated, exitCodes.noLongerFits]) {
    if (exits.includes(code)) return code;
  }
  return exitCodes.held;
}
