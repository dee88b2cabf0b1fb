/** The stated trade-off: a command may run beside a child, and then the host is told. */
import type { LeaseEffect } from "../../../../core/lease/state.ts";
import type { InStep, Setting } from "../rules.ts";

/** A command beside a child is told, each time the two come together. */
export function overlapIsTold(_: Setting): InStep {
  return {
    name: "lease/overlap-is-told",
    violation(before, _deed, after, effects) {
      const told = new Set(effects.flatMap(overlap));
      const expected = new Set<string>();
      for (const effect of effects) {
        if (effect.type === "spawned") {
          for (const [id, { stage, footprint }] of before.lease.calls) {
            if (stage === "granted" && footprint.kind === "workspace") expected.add(`${id} ${effect.child}`);
          }
        }
        if (effect.type !== "granted") continue;
        const call = after.lease.calls.get(effect.call);
        if (call?.footprint.kind === "workspace") {
          for (const child of after.lease.children.keys()) expected.add(`${effect.call} ${child}`);
        }
      }
      if (told.size === expected.size && [...told].every((pair) => expected.has(pair))) return null;
      return `told were ${[...told].join(", ") || "none"}, beside each other are ${[...expected].join(", ") || "none"}`;
    },
  };
}

function overlap(effect: LeaseEffect): string[] {
  return effect.type === "overlaps-child" ? effect.children.map((child) => `${effect.call} ${child}`) : [];
}
