/**
 * What an execution of the selectively uniform random walk is about: a resource that several sources touch and one of
 * them writes, or two sides where it is not known who touches what. Interesting deliveries form groups: those of one
 * source that touch the resource, or one side.
 */
import type { PossibleDelivery } from "../execution.ts";
import type { Random } from "../random.ts";
import type { Touches } from "../scenario.ts";
import { Sources } from "./sources.ts";
import { Tallies } from "./tallies.ts";

/** Something that deliveries touch: who touches it, and how often. */
class Resource {
  readonly name: string;
  /** By source. */
  readonly touched = new Tallies();
  readonly written = new Tallies();

  constructor(name: string) {
    this.name = name;
  }
}

/** One of two groups of deliveries: of a source, or of a family. */
type Side = { readonly source: number; readonly family: number };
const wholeSource = -1;

export class Interests {
  readonly #sources = new Sources();
  readonly #bySource = new Tallies();
  readonly #byFamily = new Tallies();
  /** Of deliveries that touch everything, by source. */
  readonly #everything = new Tallies();
  readonly #resources: Resource[] = [];
  readonly #resourceNamed = new Map<string, Resource>();
  /** Every source that had a delivery in an execution that has ended, and the families of each. */
  readonly #known: number[] = [];
  readonly #families: number[][] = [];
  /** What was delivered in this execution, one of each family. */
  readonly #seen: PossibleDelivery[] = [];

  /** What this execution is about: a resource, or two sides, or (neither) nothing, and it is a random walk. */
  #resource: Resource | null = null;
  #sides: readonly [Side, Side] | null = null;

  /** Starts an execution, and draws what it is about. */
  begin(random: Random): void {
    this.#bySource.begin();
    this.#byFamily.begin();
    this.#everything.begin();
    this.#seen.length = 0;
    for (const { touched, written } of this.#resources) {
      touched.begin();
      written.begin();
    }
    this.#select(random);
  }

  /** Groups are numbered below this; 0: nothing is interesting. */
  get groups(): number {
    if (this.#resource !== null) return this.#sources.count;
    return this.#sides === null ? 0 : this.#sides.length;
  }

  /** The group that a delivery belongs to; -1: it is not interesting in this execution. */
  groupOf(delivery: PossibleDelivery): number {
    if (this.#resource !== null) {
      const { touches } = delivery;
      return touches === null || mentions(touches, this.#resource.name) ? this.#sources.idOf(delivery) : -1;
    }
    if (this.#sides === null) return -1;
    if (this.#isOf(delivery, this.#sides[0])) return 0;
    return this.#isOf(delivery, this.#sides[1]) ? 1 : -1;
  }

  /** How many interesting deliveries a group has still to come. */
  left(group: number): number {
    if (this.#resource !== null) return this.#resource.touched.left(group) + this.#everything.left(group);
    const side = this.#sides?.[group];
    if (side === undefined) return 0;
    return side.family >= 0 ? this.#byFamily.left(side.family) : this.#bySource.left(side.source);
  }

  delivered(delivery: PossibleDelivery): void {
    const { touches, family } = delivery;
    const source = this.#sources.idOf(delivery);
    if (this.#byFamily.most(family.id) + this.#byFamily.now(family.id) === 0) this.#seen.push(delivery);
    this.#bySource.add(source);
    this.#byFamily.add(family.id);
    if (touches === null) {
      this.#everything.add(source);
      return;
    }
    const { reads = [], writes = [] } = touches;
    for (const name of reads) if (!writes.includes(name)) this.#named(name).touched.add(source);
    for (const name of writes) {
      const resource = this.#named(name);
      resource.touched.add(source);
      resource.written.add(source);
    }
  }

  learn(): void {
    this.#bySource.learn();
    this.#byFamily.learn();
    this.#everything.learn();
    for (const { touched, written } of this.#resources) {
      touched.learn();
      written.learn();
    }
    for (const delivery of this.#seen) this.#know(this.#sources.idOf(delivery), delivery.family.id);
  }

  /** Picks what this execution is about. */
  #select(random: Random): void {
    this.#resource = null;
    this.#sides = null;
    let kinds = this.#unknownMeetings() ? 1 : 0;
    for (const resource of this.#resources) if (this.#contended(resource)) kinds++;
    if (kinds === 0) return;
    let drawn = random.below(kinds);
    for (const resource of this.#resources) {
      if (this.#contended(resource) && drawn-- === 0) this.#resource = resource;
    }
    if (this.#resource === null) this.#sides = this.#drawSides(random);
  }

  /** True when deliveries without declared touches were seen: what they meet at is not known. */
  #unknownMeetings(): boolean {
    for (const source of this.#known) if (this.#everything.most(source) > 0) return true;
    return false;
  }

  #contended({ touched, written }: Resource): boolean {
    let declared = 0;
    let undeclared = 0;
    let writers = 0;
    for (const source of this.#known) {
      if (touched.most(source) > 0) declared++;
      else if (this.#everything.most(source) > 0) undeclared++;
      if (written.most(source) > 0) writers++;
    }
    return declared > 0 && declared + undeclared > 1 && writers + undeclared > 0;
  }

  #drawSides(random: Random): readonly [Side, Side] | null {
    const count = this.#known.length;
    const at = random.below(count);
    const source = this.#known[at] ?? 0;
    const families = this.#families[source] ?? [];
    if (count > 1) {
      const other = this.#known[(at + 1 + random.below(count - 1)) % count] ?? 0;
      const others = this.#families[other] ?? [];
      const family = random.below(2) === 0 ? (others[random.below(others.length)] ?? wholeSource) : wholeSource;
      return [
        { source, family: wholeSource },
        { source: other, family },
      ];
    }
    if (families.length < 2) return null;
    const one = random.below(families.length);
    const two = (one + 1 + random.below(families.length - 1)) % families.length;
    return [
      { source, family: families[one] ?? wholeSource },
      { source, family: families[two] ?? wholeSource },
    ];
  }

  #isOf(delivery: PossibleDelivery, { source, family }: Side): boolean {
    return family >= 0 ? delivery.family.id === family : this.#sources.idOf(delivery) === source;
  }

  #know(source: number, family: number): void {
    const families = this.#families[source];
    if (families === undefined) {
      this.#known.push(source);
      this.#families[source] = [family];
    } else families.push(family);
  }

  #named(name: string): Resource {
    const known = this.#resourceNamed.get(name);
    if (known !== undefined) return known;
    const made = new Resource(name);
    this.#resources.push(made);
    this.#resourceNamed.set(name, made);
    return made;
  }
}

function mentions({ reads, writes }: Touches, name: string): boolean {
  return reads?.includes(name) === true || writes?.includes(name) === true;
}
