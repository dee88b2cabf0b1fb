/** Keeps count of timers and immediates that do nothing but re-arm themselves: a heartbeat, a polling loop. */
import type { Delivery } from "./delivery.ts";
import type { Pending } from "./pending.ts";

export class IdleRun {
  /** Deliveries in a row that only re-armed themselves. */
  length = 0;

  reset(): void {
    this.length = 0;
  }

  /** Looks at a delivery whose drain is over. `activity` counts what else happened in it. True: it only re-armed itself. */
  after(delivery: Delivery, activity: number, pending: Pending): boolean {
    const again = activity > 0 ? null : rearmed(delivery, pending);
    if (again !== null) {
      again.idleFirings = delivery.idleFirings + 1;
      this.length++;
      return true;
    }
    // Somebody got on, so everybody may.
    for (const timer of pending.timers) timer.idleFirings = 0;
    for (const immediate of pending.immediates) immediate.idleFirings = 0;
    this.length = 0;
    return false;
  }
}

/** The next firing of the same line of timers or immediates, which `delivery` asked for. */
function rearmed(delivery: Delivery, { timers, immediates }: Pending): Delivery | null {
  if (delivery.timer === null) return null;
  for (const next of delivery.kind === "timer" ? timers : immediates) {
    if (next.askedBy === delivery && next.family === delivery.family) return next;
  }
  return null;
}
