/**
 * Sleep sets (P. Godefroid, Partial-order methods for the verification of concurrent systems, 1996): deliveries that were
 * tried from an earlier node and depend on nothing that was delivered since. To deliver one of them now would only repeat,
 * in another order of independent deliveries, what was run already.
 *
 * A delivery that makes choices of data, or may fail, is one event per combination of answers, and each sleeps by itself.
 */
import { conflict, type Touching } from "../../dependence.ts";

/** A delivery as it was run with one combination of answers. */
export type Variant = { readonly answers: readonly number[]; readonly touching: Touching };

/** `whole`: no variant of the delivery is awake. */
type Sleeper = { readonly variants: readonly Variant[]; readonly whole: boolean };

export class Sleepers {
  #byName: Map<string, Sleeper> | null = null;

  /** True when the delivery sleeps whatever it answers. */
  has(name: string): boolean {
    return this.#byName?.get(name)?.whole === true;
  }

  /** True when the delivery sleeps with exactly these answers. */
  hasVariant(name: string, answers: readonly number[]): boolean {
    return this.#byName?.get(name)?.variants.some((variant) => equal(variant.answers, answers)) === true;
  }

  /** Puts a delivery to sleep: with these variants, and those that slept before, it was run in every way. */
  add(name: string, variants: readonly Variant[]): void {
    this.#byName ??= new Map();
    const before = this.#byName.get(name)?.variants ?? [];
    this.#byName.set(name, { variants: [...before, ...variants], whole: true });
  }

  /** Who sleeps on after a delivery: all that are independent of it. */
  after(name: string, touching: () => Touching): Sleepers {
    if (this.#byName === null) return new Sleepers();
    const delivered = touching();
    const next = new Sleepers();
    for (const [other, { variants, whole }] of this.#byName) {
      if (other === name) continue;
      const left = variants.filter((variant) => !conflict(variant.touching, delivered));
      if (left.length === 0) continue;
      next.#byName ??= new Map();
      next.#byName.set(other, { variants: left, whole: whole && left.length === variants.length });
    }
    return next;
  }
}

function equal(one: readonly number[], other: readonly number[]): boolean {
  return one.length === other.length && one.every((answer, at) => answer === other[at]);
}
