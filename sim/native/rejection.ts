/** Where a rejection comes from that nobody has handled. */
import type { CausalLog, Promised, Reader, Reading } from "../causality.ts";
import type { MadePromise, Rejection } from "../result.ts";
import { toldPromise } from "./wait-graph.ts";

/** Null where nothing is known of the promise. */
export function rejectionOf(promise: object, log: CausalLog): Rejection | null {
  const made = log.read(new Set(), new Maker(promise));
  const rejected = log.rejecterOf(promise);
  return made === null && rejected === null ? null : { made, rejected };
}

class Maker implements Reader<MadePromise | null> {
  readonly #promise: object;

  constructor(promise: object) {
    this.#promise = promise;
  }

  read<P extends Promised>(reading: Reading<P>): MadePromise | null {
    const made = reading.of(this.#promise);
    return made === null ? null : toldPromise(made);
  }
}
