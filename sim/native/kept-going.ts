/** Who keeps an execution from its end, and who is starved by it: what a wait-for graph says beside who waits for whom. */
import type { KeptGoing, SourceLocation, WaitGraph } from "../result.ts";
import type { Family } from "./name-table.ts";
import { recurring } from "./recurrence.ts";

const whatTold = 6;
const starvedTold = 6;

/** Of the deliveries in fair order, by family; `left` are those that are open at the end. */
export function keptByDeliveries(delivered: readonly Family[], left: readonly string[]): KeptGoing {
  const families = new Map(delivered.map((family) => [nameOf(family), family]));
  const { names } = recurring(delivered.map(nameOf));
  const again = new Set(names);
  return {
    by: "deliveries",
    what: names.slice(0, whatTold).map((name) => ({ name, at: families.get(name)?.where ?? null })),
    starved: left.filter((name) => !again.has(name.slice(0, name.lastIndexOf("#")))).slice(0, starvedTold),
  };
}

/**
 * The graph of a drain without end. Hooks would make it wait for ever themselves, so only names are known: whoever is
 * unsettled waits for that drain, whatever else he waits for.
 */
export function keptByDrain(
  drain: { readonly name: string; readonly at: SourceLocation | null },
  unsettled: readonly string[],
  left: readonly string[],
): WaitGraph {
  const waits = unsettled.slice(0, starvedTold).map((who) => {
    return { who, alike: 0, made: null, links: [], root: { kind: "unknown" } } as const;
  });
  const kept: KeptGoing = { by: "drain", what: [drain], starved: left.slice(0, starvedTold) };
  return { seen: "none", waits, more: unsettled.length - waits.length, cycle: [], kept };
}

export function nameOf({ source, label }: Pick<Family, "source" | "label">): string {
  return `${source.name}:${label}`;
}
