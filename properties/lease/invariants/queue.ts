/** Who waits, for whom, and who goes first. */
import { isTurnedAway } from "../seen.ts";
import { promise } from "./promise.ts";

export const siblingCallsQueue = promise({
  name: "lease/sibling-calls-queue",
  why: "Calls of one assistant message really run at the same time; to refuse one is to lose work that nobody forbade.",
  atSight(before, sighting) {
    if (sighting.seen !== "refused" || before.policy.conflict !== "queue") return undefined;
    const call = before.calls.get(sighting.call);
    const running = before.running();
    if (call === undefined || call.atTheDoor !== null || call.answer === "no" || running.length === 0) return undefined;
    const others = running.map(({ id }) => id).join(", ");
    return `${call.id} was refused (${sighting.reason}) while ${others} ran; it had only to wait`;
  },
  between(view) {
    const [waiter] = view.policy.conflict === "refuse" ? view.queue : [];
    return waiter && `${waiter.id} waits, where nobody does`;
  },
});

export const arrivalOrder = promise({
  name: "lease/arrival-order",
  why: "Whoever is overtaken again and again never runs.",
  atSight(before, sighting) {
    if (sighting.seen !== "granted") return undefined;
    const call = before.calls.get(sighting.call);
    if (call === undefined) return undefined;
    const place = before.queue.indexOf(call);
    const earlier = before.queue.find((other, at) => at < place && !isTurnedAway(other) && before.inLine(other, call));
    return earlier && `${call.id} overtook ${earlier.id}`;
  },
});

export const noIdleWaiter = promise({
  name: "lease/no-idle-waiter",
  why: "A call that waits for nobody waits until its deadline, and then fails for nothing.",
  between(view) {
    const [idle] = view.pumped();
    return idle && `nothing is in the way of ${idle.id}, and it waits`;
  },
});
