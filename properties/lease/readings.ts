/**
 * What is seen within one drain has not always taken effect in the order in which it was seen. An answer is heard some jobs
 * after it was given, and whoever asks in between may be before it or after it; that a call has expired or was cancelled,
 * was refused, or was granted before time moved, is told some jobs after it was decided. Until the drain ends all these orders are
 * right, and a promise is broken only where it is in all of them.
 */
import type { LeaseRefusal } from "../../core/lease/state.ts";
import type { LeaseSighting } from "./history.ts";

type Order = readonly LeaseSighting[];
/** Where a sighting may stand instead: right behind another one. */
type Move = { readonly sighting: LeaseSighting; readonly behind: readonly LeaseSighting[] };

/** What the contract refuses in any case. */
const knownReasons: ReadonlySet<string> = new Set<LeaseRefusal>([
  ...(["duplicate-call", "owner-closed", "outside-workspace", "child-writing", "denied"] as const),
]);

/** Every loop has a limit; so many sightings as would need more do not fit into a drain of a script. */
const ordersMost = 24;

/** The orders in which what was seen in one drain may have taken effect; the one in which it was seen is the first. */
export function ordersOf(seen: Order): readonly Order[] {
  let orders: readonly Order[] = [seen];
  for (const { sighting, behind } of movesOf(seen)) {
    const moved = behind.flatMap((anchor) => orders.map((order) => moveBehind(order, sighting, anchor)));
    orders = [...orders, ...moved].slice(0, ordersMost);
  }
  return orders.map((order) => (order === seen ? order : retimed(order)));
}

function movesOf(seen: Order): readonly Move[] {
  return seen.flatMap((sighting, at): readonly Move[] => {
    const behind = placesOf(seen, sighting, at);
    return behind.length === 0 ? [] : [{ sighting, behind }];
  });
}

function placesOf(seen: Order, sighting: LeaseSighting, at: number): Order {
  switch (sighting.seen) {
    case "answered": {
      const { call } = sighting;
      const end = seen.findIndex((one, place) => place > at && isOutcomeOf(one, call));
      return seen.slice(at + 1, end < 0 ? undefined : end).filter((one) => decides(one) || isEndOf(one, call));
    }
    case "cancelled":
    case "expired": {
      const isCause = (one: LeaseSighting) =>
        sighting.seen === "expired" ? one.seen === "woken" : one.seen === "aborted" || one.seen === "closed";
      const cause = seen.slice(0, at).findLastIndex(isCause);
      const between = cause < 0 ? [] : seen.slice(cause, at);
      return between.slice(1).some(decides) ? between.filter((one, place) => place === 0 || decides(one)) : [];
    }
    case "refused": {
      // Of what the contract refuses it is known at once; whoever is refused for another reason is gone as early.
      if (knownReasons.has(sighting.reason)) return [];
      const asked = seen.slice(0, at).findLastIndex((one) => asks(one, sighting.call));
      const cause = seen[asked];
      return cause !== undefined && seen.slice(asked + 1, at).some(decides) ? [cause] : [];
    }
    case "granted": {
      const woken = seen.slice(0, at).findIndex((one) => one.seen === "woken");
      const before = seen[woken - 1];
      return before === undefined ? [] : [before];
    }
    default:
      return [];
  }
}

/** Told by the scheduler because it has heard the answer. That the call was gone by then it says without having heard it. */
function isOutcomeOf(sighting: LeaseSighting, call: string): boolean {
  return (sighting.seen === "granted" || sighting.seen === "refused") && sighting.call === call;
}

function asks(sighting: LeaseSighting, call: string): boolean {
  return (sighting.seen === "requested" || sighting.seen === "answered") && sighting.call === call;
}

/** Nobody hears of an answer to a call that is gone. */
function isEndOf(sighting: LeaseSighting, call: string): boolean {
  return (sighting.seen === "cancelled" || sighting.seen === "expired") && sighting.call === call;
}

/** Its outcome depends on what stands before it, or what comes then does on it. */
function decides({ seen }: LeaseSighting): boolean {
  switch (seen) {
    case "requested":
    case "answered":
    case "aborted":
    case "closed":
    case "spawning":
    case "woken":
    case "granted":
      return true;
    default:
      return false;
  }
}

function moveBehind(order: Order, sighting: LeaseSighting, anchor: LeaseSighting): Order {
  const without = order.filter((one) => one !== sighting);
  return without.toSpliced(without.indexOf(anchor) + 1, 0, sighting);
}

/** An answer that is heard later begins a wait that ends later. */
function retimed(order: Order): Order {
  let nowMs = 0;
  return order.map((sighting) => {
    if ("atMs" in sighting) nowMs = Math.max(nowMs, sighting.atMs);
    return sighting.seen === "answered" && sighting.atMs < nowMs ? { ...sighting, atMs: nowMs } : sighting;
  });
}
