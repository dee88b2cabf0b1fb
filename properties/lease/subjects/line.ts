/** Who runs and who waits. It only knows; when to look, whom to let go and what to tell them is its scheduler's affair. */
import type { Footprint } from "../../../core/lease/state.ts";
import type { LeaseSpawn } from "../ports.ts";
import { firstMeeting, type Meets, placesOf } from "./places.ts";
import { RefusedError } from "./refusal.ts";
import type { Ticket } from "./ticket.ts";

export class Line {
  readonly #meets: Meets;
  /** In order of arrival. */
  waiting: Ticket[] = [];
  running: Ticket[] = [];

  constructor(meets: Meets) {
    this.#meets = meets;
  }

  /** The first waiter that meets nobody who runs, and is behind nobody who waits before it: nobody whom it meets, unless said. */
  next(isBehind = (one: Footprint, earlier: Footprint) => this.meet(one, earlier)): Ticket | undefined {
    return this.waiting.find(({ footprint }, place) => {
      if (this.running.some((other) => this.meet(footprint, other.footprint))) return false;
      return !this.waiting.slice(0, place).some((earlier) => isBehind(footprint, earlier.footprint));
    });
  }

  /** True when somebody who came now would be behind nobody. */
  isFree(footprint: Footprint): boolean {
    return ![...this.running, ...this.waiting].some((other) => this.meet(footprint, other.footprint));
  }

  meet(one: Footprint, other: Footprint): boolean {
    return firstMeeting(this.#meets, placesOf(one), placesOf(other)) !== undefined;
  }

  starts(ticket: Ticket): void {
    this.leaves(ticket);
    this.running.push(ticket);
  }

  leaves(ticket: Ticket): void {
    this.waiting = this.waiting.filter((other) => other !== ticket);
  }

  /** False where it did not run any more. */
  stops(ticket: Ticket): boolean {
    const before = this.running.length;
    this.running = this.running.filter((other) => other !== ticket);
    return this.running.length < before;
  }
}

/** Throws where one of the calls writes, or is about to write, a file that the child wants. */
export function keepOffCalls(
  meets: Meets,
  calls: Iterable<Ticket>,
  spawn: LeaseSpawn,
  places: readonly string[],
): void {
  for (const { id, footprint } of calls) {
    const path = footprint.kind === "file" ? firstMeeting(meets, places, [footprint.path]) : undefined;
    if (path !== undefined) throw new RefusedError(spawn, "root-writing", { path, holder: id });
  }
}
