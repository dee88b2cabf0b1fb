/** Who waits, for whom, and who goes first. */
import type { Footprint, LeaseCall } from "../../../../core/lease/state.ts";
import type { InState, InStep, Setting } from "../rules.ts";
import { type Deed, endedBy, turnsAway } from "../world.ts";

export function siblingCallsQueue({ policy }: Setting): InStep {
  return {
    name: "lease/sibling-calls-queue",
    violation(before, deed, after, effects) {
      if (deed.type !== "request" && deed.type !== "approve") return null;
      if (policy.conflict === "refuse") {
        return after.lease.queue.length > 0 ? `${after.lease.queue[0]} waits, although nobody does` : null;
      }
      for (const effect of effects) {
        if (effect.type !== "refused") continue;
        if (effect.reason === "root-busy" || (effect.holder !== undefined && before.lease.calls.has(effect.holder))) {
          return `${deed.call} was refused for ${effect.holder}; it had only to wait`;
        }
      }
      return null;
    },
  };
}

/** Under `per-path` only calls for the same path stand in one line. */
export function arrivalOrder({ policy, ground }: Setting): InStep {
  const inLine = policy.queue === "arrival" ? ground.meet : ground.share;
  return {
    name: "lease/arrival-order",
    violation(before, deed, after, effects) {
      if (before === after) return null;
      const line = arrived(before.lease.queue, deed, effects);
      for (const effect of effects) {
        const over = effect.type === "granted" ? effect.call : endedBy(effect, deed);
        if (over === null) continue;
        const place = line.indexOf(over);
        if (place < 0) continue;
        if (effect.type === "granted") {
          const footprint = footprintOf(over, before.lease.calls, after.lease.calls);
          const earlier = line
            .slice(0, place)
            .find((call) => inLine(footprint, footprintOf(call, before.lease.calls, after.lease.calls)));
          if (earlier !== undefined) return `${over} overtook ${earlier}`;
        }
        line.splice(place, 1);
      }
      const { queue } = after.lease;
      const changed = queue.length !== line.length || queue.some((call, place) => call !== line[place]);
      return changed ? `the queue is ${queue.join(" ")}, arrived are ${line.join(" ")}` : null;
    },
  };
}

/** Those who wait, with who comes to wait by this deed. */
function arrived(queue: readonly string[], deed: Deed, effects: Parameters<InStep["violation"]>[3]): string[] {
  const line = [...queue];
  const enqueues = deed.type === "approve" || (deed.type === "request" && !deed.needsApproval);
  if (enqueues && !effects.some((effect) => effect.type === "stale" || turnsAway(effect, deed.call))) {
    line.push(deed.call);
  }
  return line;
}

function footprintOf(call: string, ...tables: readonly ReadonlyMap<string, LeaseCall>[]): Footprint {
  for (const table of tables) {
    const found = table.get(call);
    if (found !== undefined) return found.footprint;
  }
  return { kind: "none" };
}

export function noIdleWaiter({ policy, ground }: Setting): InState {
  const inLine = policy.queue === "arrival" ? ground.meet : ground.share;
  return {
    name: "lease/no-idle-waiter",
    violation({ lease: { calls, queue } }) {
      const earlier: Footprint[] = [];
      for (const id of queue) {
        const call = calls.get(id);
        if (call === undefined) return `${id} is in the queue and has ended`;
        const { footprint } = call;
        let held = earlier.some((other) => inLine(other, footprint));
        for (const other of calls.values())
          held ||= other.stage === "granted" && ground.meet(other.footprint, footprint);
        if (!held) return `nothing is in the way of ${id}`;
        earlier.push(footprint);
      }
      for (const [id, { stage }] of calls) {
        if (stage === "waiting" && !queue.includes(id)) return `${id} waits, and is not in the queue`;
      }
      return null;
    },
  };
}

export function controlCallsPass(_: Setting): InStep {
  return {
    name: "lease/control-calls-pass",
    violation(before, deed, after) {
      if (before === after || (deed.type !== "request" && deed.type !== "approve")) return null;
      const asked = deed.type === "request" ? deed.footprint : before.lease.calls.get(deed.call)?.footprint;
      if (asked?.kind !== "none") return null;
      const call = after.lease.calls.get(deed.call);
      if (call === undefined || call.stage === "granted") return null;
      return deed.type === "request" && deed.needsApproval ? null : `${deed.call} writes nothing and is ${call.stage}`;
    },
  };
}
