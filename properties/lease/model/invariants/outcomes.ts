/** What a caller is told: one outcome, and no other. */
import type { InState, InStep, Setting } from "../rules.ts";
import { endedBy, type Told, turnsAway } from "../world.ts";

/** Judged by what the caller heard before, effect by effect. */
export function oneOutcome(_: Setting): InStep {
  return {
    name: "lease/one-outcome",
    violation(before, deed, _after, effects) {
      const heard = (call: string): Told | undefined => {
        if (deed.type === "request" && deed.call === call && !before.told.has(call)) return "asked";
        return before.told.get(call);
      };
      if (deed.type === "request" && effects.some((effect) => turnsAway(effect, deed.call))) {
        return effects.length === 1 ? null : `${deed.call} was turned away and ${effects[1]?.type}`;
      }
      if (deed.type === "request" && before.told.has(deed.call)) return `${deed.call} was accepted twice`;
      let over: Set<string> | null = null;
      for (const effect of effects) {
        const ended = endedBy(effect, deed);
        const call = effect.type === "granted" ? effect.call : ended;
        if (call === null || effect.type === "stale") continue;
        const due = effect.type === "fenced" ? "runs" : "asked";
        if (heard(call) !== due) return `${call} was ${effect.type} when it had been told "${heard(call)}"`;
        over ??= new Set();
        if (over.has(call)) return `${call} was told twice in one step`;
        over.add(call);
      }
      return null;
    },
  };
}

/** Nobody is left without a word, and nobody is left in the table after the last one. */
export function tableAsTold(_: Setting): InState {
  return {
    name: "lease/one-outcome",
    violation({ lease: { calls }, told }) {
      for (const [id, what] of told) {
        const stage = calls.get(id)?.stage;
        const agreed = stage === undefined ? "ended" : stage === "granted" ? "runs" : "asked";
        if (what !== agreed) return `${id} was told "${what}", and is ${stage ?? "not there"}`;
      }
      for (const id of calls.keys()) if (!told.has(id)) return `${id} is there, and was never accepted`;
      return null;
    },
  };
}

export function noGrantToTheDead(_: Setting): InStep {
  return {
    name: "lease/no-grant-to-the-dead",
    violation(before, deed, after, effects) {
      let dead: Set<string> | null = null;
      for (const effect of effects) {
        if (effect.type === "granted") {
          const { call } = effect;
          if (before.told.get(call) === "ended" || dead?.has(call)) return `${call} had ended, and was granted`;
          if (deed.type === "request" && deed.aborted && deed.call === call)
            return `${call} was aborted, and was granted`;
          const owner = (after.lease.calls.get(call) ?? before.lease.calls.get(call))?.owner ?? "";
          const isClosed = before.lease.closed.has(owner) || (deed.type === "close" && deed.owner === owner);
          if (isClosed) return `${call} was granted, and ${owner} is closed`;
        } else {
          const ended = endedBy(effect, deed);
          if (ended !== null) dead = (dead ?? new Set()).add(ended);
        }
      }
      return null;
    },
  };
}

export function progress(_: Setting): InState {
  return {
    name: "lease/progress",
    violation({ lease, told }) {
      for (const id of lease.calls.keys()) return `${id} is left`;
      for (const [id, what] of told) if (what !== "ended") return `${id} never heard how it ended`;
      return null;
    },
  };
}
