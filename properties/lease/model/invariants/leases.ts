/** Who may hold what beside whom. */
import type { Footprint, LeaseState } from "../../../../core/lease/state.ts";
import type { Ground } from "../ground.ts";
import type { InState, Setting } from "../rules.ts";

export function singleWriter({ ground }: Setting): InState {
  return {
    name: "lease/single-writer",
    violation({ lease }) {
      for (const [id, { stage, footprint }] of lease.calls) {
        if (stage !== "granted") continue;
        for (const [other, call] of lease.calls) {
          if (other === id) break;
          if (call.stage === "granted" && ground.meet(footprint, call.footprint)) return `${other} and ${id} both run`;
        }
        const child = claimant(ground, lease, footprint);
        if (child !== null) return `${id} runs on a path of ${child}`;
      }
      for (const [id, { paths }] of lease.children) {
        for (const [other, child] of lease.children) {
          if (other === id) break;
          if (paths.some((path) => child.paths.some((claimed) => ground.overlap(path, claimed)))) {
            return `${other} and ${id} claim one path`;
          }
        }
      }
      return null;
    },
  };
}

export function parentChildExclusive({ ground }: Setting): InState {
  return {
    name: "lease/parent-child-exclusive",
    violation({ lease }) {
      if (lease.children.size === 0) return null;
      for (const [id, { footprint, stage }] of lease.calls) {
        const child = claimant(ground, lease, footprint);
        if (child !== null) return `${child} claims a path of ${id}, which is ${stage}`;
      }
      return null;
    },
  };
}

/** A workspace call and a child do not exclude each other: the stated trade-off. */
export function claimant(ground: Ground, { children }: LeaseState, footprint: Footprint): string | null {
  if (footprint.kind !== "file") return null;
  for (const [child, { paths }] of children) {
    if (paths.some((claimed) => ground.overlap(claimed, footprint.path))) return child;
  }
  return null;
}
