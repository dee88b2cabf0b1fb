/** What everybody is asked at the door, before anything is done for them: the same checks in the same order for all subjects. */
import type { Footprint } from "../../../core/lease/state.ts";
import type { LeaseRequest, LeaseSpawn } from "../ports.ts";
import { placeOf } from "./places.ts";
import { cancelled, RefusedError } from "./refusal.ts";

export class Door {
  /** A late yes for one call must not approve another, so an id is used once. */
  readonly #used = new Set<string>();
  readonly #closedAtMs = new Map<string, number>();

  /** Returns what the call may write, in the spelling of the workspace. Throws what refuses or cancels it. */
  admit(request: LeaseRequest, isChild: boolean): Footprint {
    const { call, owner, footprint, signal } = request;
    if (isChild || this.#used.has(call)) throw new RefusedError(request, "duplicate-call");
    if (signal.aborted) throw cancelled(call);
    if (this.isClosed(owner)) throw new RefusedError(request, "owner-closed");
    const path = footprint.kind === "file" ? placeOf(footprint.path) : undefined;
    if (path === null) throw new RefusedError(request, "outside-workspace");
    this.#used.add(call);
    return path === undefined ? footprint : { kind: "file", path };
  }

  /** Returns the places that the child declared. Throws what refuses it. */
  admitChild(spawn: LeaseSpawn, isKnown: boolean): readonly string[] {
    if (isKnown) throw new RefusedError(spawn, "duplicate-child");
    if (this.isClosed(spawn.owner)) throw new RefusedError(spawn, "owner-closed");
    if (spawn.paths.length === 0) throw new RefusedError(spawn, "no-paths");
    return spawn.paths.map((path) => {
      const place = placeOf(path);
      if (place === null) throw new RefusedError(spawn, "outside-workspace");
      return place;
    });
  }

  isClosed(owner: string): boolean {
    return this.#closedAtMs.has(owner);
  }

  /** When the owner was closed; for one that is open, a time that never comes. */
  closedAtMs(owner: string): number {
    return this.#closedAtMs.get(owner) ?? Number.POSITIVE_INFINITY;
  }

  /** False where it was closed before. */
  close(owner: string): boolean {
    if (this.isClosed(owner)) return false;
    this.#closedAtMs.set(owner, performance.now());
    return true;
  }
}
