import type { PossibleDelivery } from "../execution.ts";
import { Slots } from "./slots.ts";
import { Sources } from "./sources.ts";
import { Tallies } from "./tallies.ts";

/** Who is held, and after how many of its own deliveries. */
export type Victim = { readonly kind: "source" | "family"; readonly id: number; readonly from: number };

/** Everybody who may be starved, how many deliveries each has, and from which of them each was held. */
export class Lines {
  readonly sources = new Sources();
  readonly #bySource = new Tallies();
  readonly #byFamily = new Tallies();
  /** Families that were open beside another of their own source, in order of appearance; 1: known, 2: learnt. */
  readonly #beside = new Slots();
  readonly #familiesNow: number[] = [];
  readonly #families: number[] = [];
  /** Of each source, the choice at which it was last possible, and the first family that it then had. */
  readonly #choiceOf = new Slots();
  readonly #familyOf = new Slots();
  #choice = 0;
  /** The next delivery from which each is held; what was tried of nobody is 0. */
  readonly #sourceFrom = new Slots();
  readonly #familyFrom = new Slots();
  #sourceEnd = 0;
  started = false;

  begin(): void {
    this.#bySource.begin();
    this.#byFamily.begin();
    this.#choiceOf.clear();
    this.#choice = 0;
    for (const family of this.#familiesNow) this.#beside.set(family, 0);
    this.#familiesNow.length = 0;
  }

  /** Sees who is possible, and so which families are open beside another of their own source. */
  possible(possible: readonly PossibleDelivery[], count: number): void {
    this.#choice++;
    for (let index = 0; index < count; index++) {
      const candidate = possible[index];
      if (candidate === undefined) continue;
      const family = candidate.family.id;
      const source = this.sources.idOf(candidate);
      if (this.#choiceOf.get(source) !== this.#choice) {
        this.#choiceOf.set(source, this.#choice);
        this.#familyOf.set(source, family);
      } else if (this.#familyOf.get(source) !== family) {
        this.#opensBeside(this.#familyOf.get(source));
        this.#opensBeside(family);
      }
    }
  }

  delivered(delivery: PossibleDelivery): void {
    this.#bySource.add(this.sources.idOf(delivery));
    this.#byFamily.add(delivery.family.id);
  }

  /** True when the delivery is the victim's, and the victim's time has come. */
  holds(delivery: PossibleDelivery, { kind, id, from }: Victim): boolean {
    if (kind === "family") return delivery.family.id === id && this.#byFamily.now(id) >= from;
    return this.sources.idOf(delivery) === id && this.#bySource.now(id) >= from;
  }

  /** Takes in an execution; `first` was held from the beginning of the very first, before anything was known. */
  learn(first: number): void {
    this.#bySource.learn();
    this.#byFamily.learn();
    this.#sourceEnd = this.sources.count;
    for (const family of this.#familiesNow) {
      this.#beside.set(family, 2);
      this.#families.push(family);
    }
    this.#familiesNow.length = 0;
    if (!this.started && first >= 0) this.#sourceFrom.set(first, 1);
    this.started = true;
  }

  /** The least tried: sources come before families, and whoever was seen first comes first. */
  next(): Victim | null {
    let next: Victim | null = null;
    for (let id = 0; id < this.#sourceEnd; id++) {
      const from = this.#sourceFrom.get(id);
      if (from < this.#bySource.most(id) && (next === null || from < next.from)) next = { kind: "source", id, from };
    }
    for (const id of this.#families) {
      const from = this.#familyFrom.get(id);
      if (from < this.#byFamily.most(id) && (next === null || from < next.from)) next = { kind: "family", id, from };
    }
    return next;
  }

  tries({ kind, id, from }: Victim): void {
    (kind === "source" ? this.#sourceFrom : this.#familyFrom).set(id, from + 1);
  }

  #opensBeside(family: number): void {
    if (this.#beside.get(family) !== 0) return;
    this.#beside.set(family, 1);
    this.#familiesNow.push(family);
  }
}
