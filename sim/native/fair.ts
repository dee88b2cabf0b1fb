/**
 * The second part of an execution. The first `stepLimit` deliveries are the safety phase, in which the chooser decides.
 * What has not come to quiescence by then goes on in fair order: no faults any more, nobody is asked, and nothing that is
 * possible is passed over for long. What still does not come to rest within `fairLimitOf(stepLimit)` more deliveries
 * never will, as far as anybody can wait for it: that is a liveness violation.
 *
 * The order is first-come, because there I/O is faster than the time-outs that guard it; oldest first throughout would
 * let every time-out strike that was armed just before its I/O, and find retries without end in right code.
 */
import type { DeliveryKind, PossibleDelivery } from "../execution.ts";
import { recurring } from "./recurrence.ts";

/** Deliveries in a row in which a timer, I/O, immediate or step was possible and none of its kind came; then one does. */
const patience = 32;
/** A small safety phase says nothing about how long a program takes to come to rest. */
const fairLimitLeast = 500;
const namesTold = 6;

/** How many deliveries follow those of the safety phase before the execution counts as endless. */
export function fairLimitOf(stepLimit: number): number {
  return Math.max(stepLimit, fairLimitLeast);
}

/** The name of a liveness violation in which no actor and no registered promise is left unsettled. */
export const noQuiescence = "no quiescence";

/** A timer that is armed. */
type Armed = { readonly name: string; readonly deadlineMs: number; readonly family: { readonly label: string } };

/**
 * Says what is unsettled at the end of the fair phase, what keeps the execution going, and which timers were not due yet:
 * a loop of short timers needs many deliveries to reach a long one.
 */
export function endlessly(
  stepLimit: number,
  unsettled: readonly string[],
  delivered: readonly string[],
  timers: readonly Armed[],
): string {
  const limits = `no quiescence within ${stepLimit} deliveries, nor within ${fairLimitOf(stepLimit)} more without faults and in fair order`;
  const waiting = unsettled.length === 0 ? "" : `; unsettled: ${listed(unsettled)}`;
  const { names, cycle } = recurring(delivered);
  const keeps = cycle ? `${listed(names)}, over and over` : `no end of ${listed(names)}`;
  const late = timers.filter(({ family }) => !names.some((name) => name.endsWith(`:${family.label}`)));
  const due = late.map(({ name, deadlineMs }) => `${name} (at ${deadlineMs} ms)`);
  return `${limits}${waiting}; ${keeps}${due.length === 0 ? "" : `; not due yet: ${listed(due)}`}`;
}

function listed(names: readonly string[]): string {
  const more = names.length > namesTold ? ` and ${names.length - namesTold} more` : "";
  return `${names.slice(0, namesTold).join(", ")}${more}`;
}

type Lane = "io" | "timer" | "immediate" | "step";
const lanes: readonly Lane[] = ["io", "timer", "immediate", "step"];

export class FairOrder {
  readonly #passedOver: Record<Lane, number> = { io: 0, timer: 0, immediate: 0, step: 0 };

  reset(): void {
    for (const lane of lanes) this.#passedOver[lane] = 0;
  }

  /** Picks one of the first `count` of `possible`, which stand in first-come order. */
  pick(possible: readonly PossibleDelivery[], count: number): number {
    const waiting = new Map<Lane, number>();
    for (let index = count - 1; index >= 0; index--) {
      const delivery = possible[index];
      if (delivery !== undefined) waiting.set(laneOf(delivery.kind), index);
    }
    let picked = 0;
    let longest = patience - 1;
    for (const lane of lanes) {
      const index = waiting.get(lane);
      if (index === undefined) this.#passedOver[lane] = 0;
      else if (this.#passedOver[lane] > longest) {
        longest = this.#passedOver[lane];
        picked = index;
      }
    }
    for (const [lane, index] of waiting) this.#passedOver[lane] = index === picked ? 0 : this.#passedOver[lane] + 1;
    return picked;
  }
}

/** A job is never up to this order: in the fair phase a drain runs as ECMAScript has it. */
function laneOf(kind: DeliveryKind): Lane {
  return kind === "event" || kind === "start" || kind === "job" ? "step" : kind;
}
