/**
 * A delivery has a name that survives edits: `source:label#occurrence`. Everything about how such a name is written
 * is in this file; who gets which number is decided by the engine, in order of asking.
 */
import { ScenarioError } from "./scenario.ts";
import { describeValue } from "./words.ts";

export type DeliveryName = { readonly source: string; readonly label: string; readonly occurrence: number };

const trailingDigits = /#\d*$/;
const shape = /^([^:#]+):(.+)#([1-9]\d*)$/s;

/** Checks a source. Throws ScenarioError naming what is wrong and where. */
export function checkSource(source: unknown, where: string): string {
  if (typeof source !== "string" || source.trim() === "" || /[:#]/.test(source)) {
    throw new ScenarioError(
      `Cannot name ${where}: expected a source without ":" or "#", found ${describeValue(source)}`,
    );
  }
  return source;
}

/** Checks a label. Throws ScenarioError naming what is wrong and where. */
export function checkLabel(label: unknown, where: string): string {
  if (typeof label !== "string" || label.trim() === "" || trailingDigits.test(label)) {
    throw new ScenarioError(
      `Cannot name ${where}: expected a label that does not end in "#" and digits, found ${describeValue(label)}`,
    );
  }
  return label;
}

/** Splits a label that may name its source (`agent:model`); null where it leaves the source open. */
export function splitLabel(label: string, where: string): { source: string | null; label: string } {
  const colon = typeof label === "string" ? label.indexOf(":") : -1;
  if (colon < 0) return { source: null, label: checkLabel(label, where) };
  return { source: checkSource(label.slice(0, colon), where), label: checkLabel(label.slice(colon + 1), where) };
}

export function formatName(name: DeliveryName): string {
  return `${name.source}:${name.label}#${name.occurrence}`;
}

/** Reads a delivery name back; null when it is malformed. */
export function parseName(text: string): DeliveryName | null {
  const match = shape.exec(text);
  if (match === null) return null;
  const [, source = "", label = "", occurrence = ""] = match;
  const number = Number(occurrence);
  if (source.trim() === "" || label.trim() === "" || trailingDigits.test(label)) return null;
  return Number.isSafeInteger(number) ? { source, label, occurrence: number } : null;
}
