/** Fences grow, and a stale one opens nothing. */
import type { LeaseState } from "../../../../core/lease/state.ts";
import { oldFence } from "../environment.ts";
import type { Ground } from "../ground.ts";
import type { InState, InStep, Setting } from "../rules.ts";
import { sameTable } from "./same-table.ts";

export function fenceGrows(_: Setting): InStep {
  return {
    name: "lease/fence-grows",
    violation(before, deed, after, effects) {
      let last = before.lease.nextFence - 1;
      for (const effect of effects) {
        if (effect.type !== "granted" && effect.type !== "spawned") continue;
        if (effect.fence <= last) return `${effect.fence} was handed out after ${last}`;
        last = effect.fence;
        const id = effect.type === "granted" ? effect.call : effect.child;
        const held = fenceOf(after.lease, id);
        if (held !== undefined && held !== effect.fence) return `${id} was told ${effect.fence} and holds ${held}`;
      }
      if (after.lease.nextFence <= last) return `${after.lease.nextFence} would be handed out after ${last}`;
      if (deed.type !== "release" && deed.type !== "finish") return null;
      const holder = deed.type === "release" ? deed.call : deed.child;
      if (fenceOf(before.lease, holder) === deed.fence || sameTable(before.lease, after.lease)) return null;
      return `${deed.fence} is not the fence of ${holder}, and ended something`;
    },
  };
}

/** `mayWrite` right before the irreversible act: every holder, on every path, with its own fence and with others. */
export function staleFencesCannotWrite({ policy, ground, reducer }: Setting): InState {
  return {
    name: "lease/fence-grows",
    violation({ lease }) {
      const ids = [...lease.calls.keys(), ...lease.children.keys()];
      for (const holder of ids) {
        const own = fenceOf(lease, holder) ?? null;
        for (const path of ground.paths) {
          for (const fence of [own ?? lease.nextFence, oldFence]) {
            const may = reducer.mayWrite(policy, lease, { holder, path, fence });
            const right = fence === own && covers(ground, lease, holder, path);
            if (may !== right) return `${holder} with fence ${fence} ${may ? "may" : "may not"} write ${path}`;
          }
        }
      }
      return null;
    },
  };
}

function fenceOf({ calls, children }: LeaseState, id: string): number | null | undefined {
  return calls.get(id)?.fence ?? children.get(id)?.fence;
}

function covers(ground: Ground, { calls, children }: LeaseState, holder: string, path: string): boolean {
  const child = children.get(holder);
  if (child !== undefined) return child.paths.some((claimed) => ground.within(path, claimed));
  const call = calls.get(holder);
  if (call?.stage !== "granted") return false;
  return (
    call.footprint.kind === "workspace" || (call.footprint.kind === "file" && ground.within(path, call.footprint.path))
  );
}
