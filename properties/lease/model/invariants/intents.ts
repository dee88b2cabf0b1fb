/**
 * An intent is not stored: it is a live file call. So its balance is that of the file calls: each has its path from the
 * request on, whatever its stage, and none is there once its caller was told the end.
 */
import type { Footprint } from "../../../../core/lease/state.ts";
import type { InStep, Setting } from "../rules.ts";

export function intentsBalance({ ground }: Setting): InStep {
  return {
    name: "lease/intents-balance",
    violation(before, deed, after) {
      if (before === after) return null;
      for (const [id, what] of after.told) {
        if (what === "ended") {
          if (after.lease.calls.get(id)?.footprint.kind === "file") return `${id} has ended, and its intent is left`;
          continue;
        }
        const asked = deed.type === "request" && deed.call === id;
        const footprint = asked ? deed.footprint : before.lease.calls.get(id)?.footprint;
        if (footprint?.kind !== "file") continue;
        const path = asked ? ground.normal(footprint.path) : footprint.path;
        const now = after.lease.calls.get(id)?.footprint;
        if (now === undefined || pathOf(now) !== path) return `${id} lives, and its intent on ${path} is not there`;
      }
      return null;
    },
  };
}

function pathOf(footprint: Footprint): string | null {
  return footprint.kind === "file" ? footprint.path : null;
}
