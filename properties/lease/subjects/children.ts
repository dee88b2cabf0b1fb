/** The claims of the children, which exclude each other. That they keep off the root's files is their scheduler's affair. */
import type { LeaseRequest, LeaseSpawn } from "../ports.ts";
import { firstMeeting, type Meets, placesOf } from "./places.ts";
import { RefusedError } from "./refusal.ts";
import type { Ticket } from "./ticket.ts";

export type Child = {
  readonly id: string;
  readonly owner: string;
  readonly places: readonly string[];
  readonly fence: number;
};

export class Children {
  readonly #meets: Meets;
  /** In order of spawn. */
  readonly #claims = new Map<string, Child>();

  constructor(meets: Meets) {
    this.#meets = meets;
  }

  has(id: string): boolean {
    return this.#claims.has(id);
  }

  find(id: string): Child | undefined {
    return this.#claims.get(id);
  }

  all(): readonly Child[] {
    return [...this.#claims.values()];
  }

  /** Throws where a child has claimed what a file call wants to write; a command may run beside a child. */
  keepOff(request: LeaseRequest, { footprint }: Pick<Ticket, "footprint">): void {
    if (footprint.kind !== "file") return;
    for (const { id, places } of this.#claims.values()) {
      const path = firstMeeting(this.#meets, placesOf(footprint), places);
      if (path !== undefined) throw new RefusedError(request, "child-writing", { path, holder: id });
    }
  }

  /** Throws where another child has claimed one of the places. */
  keepApart(spawn: LeaseSpawn, places: readonly string[]): void {
    for (const { id, places: claimed } of this.#claims.values()) {
      const path = firstMeeting(this.#meets, places, claimed);
      if (path !== undefined) throw new RefusedError(spawn, "child-conflict", { path, holder: id });
    }
  }

  add(child: Child): void {
    this.#claims.set(child.id, child);
  }

  /** Ends that claim, and not a later one under the same id. */
  remove(child: Child | undefined): void {
    if (child !== undefined && this.#claims.get(child.id) === child) this.#claims.delete(child.id);
  }
}
