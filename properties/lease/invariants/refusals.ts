/** A refusal has a cause, and names it; and what has a cause to be refused is refused. */
import type { LeaseSighting } from "../history.ts";
import { agrees, type Verdict } from "../verdict.ts";
import type { LeaseView } from "../view.ts";
import { promise } from "./promise.ts";

export const refusedForCause = promise({
  name: "lease/refused-for-cause",
  why: "A refusal that blames another one sends the agent to wait for somebody who does not hold it up.",
  atSight(before, sighting) {
    switch (sighting.seen) {
      case "refused": {
        const call = before.calls.get(sighting.call);
        if (call === undefined) return undefined;
        const denied: Verdict | null = call.answer === "no" ? { reason: "denied" } : null;
        return difference(sighting.call, call.atTheDoor ?? denied ?? call.busy, sighting);
      }
      case "spawn-refused":
        return spawnDifference(before, sighting);
      case "spawned":
        return accepted(sighting.child, before.spawn(sighting)?.verdict ?? null);
      case "granted":
      case "cancelled":
      case "asked":
        return misjudged(before, sighting);
      default:
        return undefined;
    }
  },
});

function misjudged(before: LeaseView, { seen, call: id }: Extract<LeaseSighting, { readonly call: string }>) {
  const call = before.calls.get(id);
  if (call === undefined) return undefined;
  const verdict = call.atTheDoor ?? call.busy;
  if (seen !== "cancelled") return accepted(id, verdict);
  if (verdict !== null && verdict.reason !== "cancelled")
    return `${id} was cancelled; it should have been ${inWords(verdict)}`;
  return call.died ? undefined : `${id} was cancelled, and nobody has stopped it`;
}

function spawnDifference(before: LeaseView, told: Extract<LeaseSighting, { readonly seen: "spawn-refused" }>) {
  const { verdict = null, verdictBefore = null, refusals = [] } = before.spawn(told) ?? {};
  if (refusals.some((refusal) => difference(told.child, refusal, told) === undefined)) return undefined;
  return difference(told.child, verdictBefore, told) && difference(told.child, verdict, told);
}

function accepted(id: string, verdict: Verdict | null): string | undefined {
  return verdict === null ? undefined : `${id} was accepted; it should have been ${inWords(verdict)}`;
}

function difference(
  id: string,
  verdict: Verdict | null,
  told: Extract<LeaseSighting, { readonly reason: string }>,
): string | undefined {
  if (verdict === null) return `${id} was refused for ${told.reason}, and nothing is in its way`;
  return agrees(verdict, told) ? undefined : `${id} was ${inWords(told)}; it should have been ${inWords(verdict)}`;
}

function inWords({ reason, path, holder }: { reason: string; path?: string | null; holder?: string | null }): string {
  const about = path == null ? "" : `, ${path}${holder == null ? "" : ` is held by ${holder}`}`;
  return `${reason === "cancelled" ? reason : `refused for ${reason}`}${about}`;
}
