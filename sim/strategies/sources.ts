import type { PossibleDelivery } from "../execution.ts";
import { Slots } from "./slots.ts";

/** Numbers sources 0, 1, 2 … in the order in which they are first asked about, so that arrays can be kept by source. */
export class Sources {
  readonly #ids = new Map<string, number>();
  /** By family, whose source never changes: the id of its source plus one. */
  readonly #ofFamily = new Slots();

  /** Sources known so far; ids are below. */
  get count(): number {
    return this.#ids.size;
  }

  idOf(delivery: PossibleDelivery): number {
    const known = this.#ofFamily.get(delivery.family.id);
    return known > 0 ? known - 1 : this.#add(delivery);
  }

  #add({ family, source }: PossibleDelivery): number {
    const id = this.#ids.get(source) ?? this.#ids.size;
    this.#ids.set(source, id);
    this.#ofFamily.set(family.id, id + 1);
    return id;
  }
}
