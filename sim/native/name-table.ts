/**
 * Gives deliveries their names: `source:label#occurrence`, numbered in order of asking within one execution. Names are
 * interned for a whole campaign, so that the hot path builds no strings.
 */

import { checkLabel, checkSource, splitLabel } from "../names.ts";
import type { SourceLocation } from "../result.ts";
import { userFrames } from "../stack.ts";

/** Many, because a call of lowered code is up to nine frames, of which one is the code's own. Kept once for each family. */
const framesKept = 100;

/** All deliveries of one source and label. */
export class Family {
  readonly source: Source;
  readonly label: string;
  readonly id: number;
  readonly #names: string[] = [];
  /** Holds the stack of whoever asked first; it is read only for a result. */
  readonly #asked: Error;
  execution = -1;
  asked = 0;
  open = 0;

  constructor(source: Source, label: string, id: number) {
    this.source = source;
    this.label = label;
    this.id = id;
    const limit = Error.stackTraceLimit;
    Error.stackTraceLimit = framesKept;
    this.#asked = new Error();
    Error.stackTraceLimit = limit;
  }

  /** The line that asked for the first of them; null where it is nobody's that we can name. */
  get where(): SourceLocation | null {
    return userFrames(this.#asked.stack ?? "")[0]?.at ?? null;
  }

  nameOf(occurrence: number): string {
    const known = this.#names[occurrence];
    if (known !== undefined) return known;
    const name = `${this.source.name}:${this.label}#${occurrence}`;
    this.#names[occurrence] = name;
    return name;
  }
}

export class Source {
  readonly name: string;
  /** Families by label as the caller wrote it. */
  readonly families = new Map<string, Family>();

  constructor(name: string) {
    this.name = name;
  }
}

export class NameTable {
  readonly #sources = new Map<string, Source>();
  /** Families of labels that name their source themselves. */
  readonly #qualified = new Map<string, Family>();
  #nextId = 1;
  readonly #byId: Family[] = [];
  /** Names that were open at once in the current execution. */
  readonly ambiguous = new Set<string>();

  source(name: string, where: string): Source {
    const known = this.#sources.get(name);
    if (known !== undefined) return known;
    const made = new Source(checkSource(name, where));
    this.#sources.set(name, made);
    return made;
  }

  /** The line that asks for the deliveries of a family. */
  whereOf(family: number): SourceLocation | null {
    return this.#byId[family]?.where ?? null;
  }

  /** The family of a label of exactly this source. */
  family(source: Source, label: string, where: string): Family {
    const known = source.families.get(label);
    if (known !== undefined) return known;
    return this.#make(source, checkLabel(label, where), label);
  }

  /** The family of a label that may name its source; otherwise the source is `current`. */
  asked(current: Source, label: string, key: string | undefined, where: string): Family {
    const written = key === undefined ? label : `${label}[${key}]`;
    // A label with a colon names its source; a colon in the key does not.
    const qualified = typeof label === "string" && label.indexOf(":") >= 0;
    const known = qualified ? this.#qualified.get(written) : current.families.get(written);
    if (known !== undefined) return known;
    const split = splitLabel(label, where);
    const full = key === undefined ? split.label : checkLabel(`${split.label}[${key}]`, where);
    if (split.source === null) return this.#make(current, full, written);
    const source = this.source(split.source, where);
    const family = source.families.get(full) ?? this.#make(source, full, full);
    this.#qualified.set(written, family);
    return family;
  }

  /**
   * The family of a label none of which is open: `label`, or `label@2`, `label@3` … Jobs that are ready at once have no
   * names of their own, and to a strategy all of one family are alike.
   */
  free(source: Source, label: string, execution: number): Family {
    let family = this.family(source, label, "a job");
    for (let other = 2; family.execution === execution && family.open > 0; other++) {
      family = this.family(source, `${label}@${other}`, "a job");
    }
    return family;
  }

  /** Numbers the next delivery of a family; a second one open at the same time makes the name ambiguous. */
  number(family: Family, execution: number): number {
    const occurrence = this.numberStep(family, execution);
    family.open++;
    if (family.open > 1) this.ambiguous.add(`${family.source.name}:${family.label}`);
    return occurrence;
  }

  /** Numbers the next step of an actor or events source. */
  numberStep(family: Family, execution: number): number {
    if (family.execution !== execution) {
      family.execution = execution;
      family.asked = 0;
      family.open = 0;
    }
    family.asked++;
    return family.asked;
  }

  #make(source: Source, label: string, written: string): Family {
    const family = new Family(source, label, this.#nextId++);
    source.families.set(written, family);
    this.#byId[family.id] = family;
    return family;
  }
}
