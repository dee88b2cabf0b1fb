/**
 * The steps of an execution as bits: names through a dictionary of sources and labels, everything else relative to
 * what is likely, so that a step of an ordinary execution takes about one byte.
 */
import { formatName, parseName } from "../sim/names.ts";
import { type BitReader, BitsError, type BitWriter, bitWidth } from "./bits.ts";
import { quoted } from "./quoted.ts";
import { ReproError } from "./repro.ts";

export type RecordedStep = {
  readonly name: string;
  /** How many deliveries were possible, this one included. */
  readonly possible: number;
  readonly chosen: number;
  readonly tick: number;
  readonly fault: "fail" | "hang" | null;
};

/** All deliveries of one source and label. Most come in the order of their numbers, which then need no bits. */
type Family = { readonly source: string; readonly label: string; readonly inOrder: boolean };

const faults = [null, "fail", "hang"] as const;

export function writeSteps(writer: BitWriter, steps: readonly RecordedStep[]): void {
  const families = familiesOf(steps);
  writeFamilies(writer, [...families.values()]);
  const indexes = new Map([...families.keys()].map((key, index) => [key, index]));
  const anyLate = steps.some((step) => step.tick > 0);
  const anyFault = steps.some((step) => step.fault !== null);
  writer.count(steps.length);
  writer.flag(anyLate);
  writer.flag(anyFault);
  let possibleBefore = 1;
  for (const step of steps) {
    const { key, occurrence } = split(step.name);
    writer.bits(indexes.get(key) ?? 0, bitWidth(families.size - 1));
    if (families.get(key)?.inOrder !== true) writer.count(occurrence - 1);
    writer.count(zigzag(step.possible - possibleBefore));
    possibleBefore = step.possible;
    if (step.possible > 1) {
      writer.flag(step.chosen > 0);
      if (step.chosen > 0) writer.bits(step.chosen - 1, bitWidth(step.possible - 2));
    }
    if (anyLate) writer.count(step.tick);
    if (anyFault) writer.count(faults.indexOf(step.fault));
  }
}

/** Reads steps back. Throws BitsError when the bits do not make any. */
export function readSteps(reader: BitReader): RecordedStep[] {
  const families = readFamilies(reader);
  const length = reader.length();
  const anyLate = reader.flag();
  const anyFault = reader.flag();
  const seen = new Map<Family, number>();
  let possible = 1;
  return Array.from({ length }, () => {
    const family = pick(families, reader.bits(bitWidth(families.length - 1)));
    const occurrence = family.inOrder ? (seen.get(family) ?? 0) + 1 : reader.count() + 1;
    seen.set(family, occurrence);
    possible += unzigzag(reader.count());
    if (possible < 1) throw new BitsError("a step has nothing possible");
    const chosen = possible > 1 && reader.flag() ? reader.bits(bitWidth(possible - 2)) + 1 : 0;
    if (chosen >= possible) throw new BitsError("a step chooses what is not possible");
    const tick = anyLate ? reader.count() : 0;
    const fault = pick(faults, anyFault ? reader.count() : 0);
    return { name: formatName({ ...family, occurrence }), possible, chosen, tick, fault };
  });
}

function writeFamilies(writer: BitWriter, families: readonly Family[]): void {
  const sources = [...new Set(families.map((family) => family.source))];
  writer.count(sources.length);
  for (const source of sources) writer.text(source);
  writer.count(families.length);
  for (const { source, label, inOrder } of families) {
    writer.bits(sources.indexOf(source), bitWidth(sources.length - 1));
    writer.text(label);
    writer.flag(inOrder);
  }
}

function readFamilies(reader: BitReader): Family[] {
  const sources = Array.from({ length: reader.length() }, () => reader.text());
  return Array.from({ length: reader.length() }, () => {
    const source = pick(sources, reader.bits(bitWidth(sources.length - 1)));
    return { source, label: reader.text(), inOrder: reader.flag() };
  });
}

/** The families of an execution, by `source:label`, in order of appearance. */
function familiesOf(steps: readonly RecordedStep[]): Map<string, Family> {
  const families = new Map<string, Family>();
  const seen = new Map<string, number>();
  for (const step of steps) {
    const { key, source, label, occurrence } = split(step.name);
    const next = (seen.get(key) ?? 0) + 1;
    seen.set(key, next);
    const inOrder = occurrence === next && (families.get(key)?.inOrder ?? true);
    families.set(key, { source, label, inOrder });
  }
  return families;
}

function split(name: string): { key: string; source: string; label: string; occurrence: number } {
  const parsed = parseName(name);
  if (parsed === null) throw new ReproError(`Cannot record ${quoted(name)}: expected a delivery name`);
  return { key: `${parsed.source}:${parsed.label}`, ...parsed };
}

function pick<T>(items: readonly T[], index: number): T {
  const item = items[index];
  if (item === undefined) throw new BitsError("it names what its dictionary does not have");
  return item;
}

function zigzag(difference: number): number {
  return difference >= 0 ? difference * 2 : -difference * 2 - 1;
}

function unzigzag(code: number): number {
  return code % 2 === 0 ? code / 2 : -(code + 1) / 2;
}
