/** What is left of a child that was refused: nothing. */
import type { Refusal } from "../history.ts";
import type { SeenCall } from "../seen.ts";
import type { Verdict } from "../verdict.ts";
import type { LeaseView } from "../view.ts";
import { promise } from "./promise.ts";

export const spawnAllOrNothing = promise({
  name: "lease/spawn-all-or-nothing",
  why: "A child that was refused is not there; what is kept for it nobody can write, and nobody gives it back.",
  atSight(before, sighting) {
    if (sighting.seen === "refused") {
      const call = before.calls.get(sighting.call);
      if (call === undefined || call.footprint.kind !== "file" || call.answer === "no") return undefined;
      const { alone, footprint, atTheDoor, busy } = call;
      return blamed(before, { who: sighting.call, places: [footprint.path], alone }, atTheDoor ?? busy, sighting);
    }
    if (sighting.seen !== "spawn-refused") return undefined;
    const spawn = before.spawn(sighting);
    if (spawn === undefined) return undefined;
    const { child, accepted, verdict, verdictBefore, refusals, alone } = spawn;
    // Somebody was turned away for it, or else this reading would not be the only one.
    if (accepted) return `${child.id} was refused, and had been in the way of others before`;
    const causes = [verdict, verdictBefore, ...refusals].filter((one) => one !== null);
    const cause = causes.find(({ holder }) => holder === sighting.holder) ?? causes[0] ?? null;
    if (
      sighting.reason === "duplicate-child" &&
      !causes.some(({ reason }) => reason === "duplicate-child") &&
      before.refused.has(child.id)
    )
      return `${child.id} is said to be there; it was refused`;
    return blamed(before, { who: child.id, places: child.paths, alone }, cause, sighting);
  },
  between(view) {
    for (const call of view.pumped()) {
      if (call.waited || call.footprint.kind !== "file") continue;
      const places = [call.footprint.path];
      const child = [...view.refused].find(([id, { last }]) => isAfter(view, call, last) && view.wants(id, places));
      if (child !== undefined) return `${call.id} waits where only ${child[0]} is, which was refused`;
    }
    return undefined;
  },
});

/** Where a refusal names nobody, it is held against one who was refused where there is nobody else at all. */
function blamed(
  before: LeaseView,
  { who, places, alone }: { readonly who: string; readonly places: readonly string[]; readonly alone: boolean },
  cause: Verdict | null,
  { holder }: Refusal,
): string | undefined {
  if (holder !== null) {
    if (holder === cause?.holder || before.children.has(holder) || !before.wants(holder, places)) return undefined;
    return `${who} was refused because of ${holder}, which has nothing`;
  }
  if (cause !== null || !alone || !before.isAlone(who)) return undefined;
  const child = [...before.refused.keys()].find((id) => before.wants(id, places));
  return child === undefined ? undefined : `${who} was refused where only ${child} is, which was refused itself`;
}

function isAfter({ calls }: LeaseView, call: SeenCall, last: SeenCall | undefined): boolean {
  const order = [...calls.values()];
  return last === undefined || order.indexOf(call) > order.indexOf(last);
}
