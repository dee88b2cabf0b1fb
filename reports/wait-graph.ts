/** The wait-for graph of a failure as lines for a terminal: who waits where, for what, and who waits for whom in a circle. */
import type { KeptGoing, MadePromise, SourceLocation, Wait, WaitGraph, WaitLink, WaitRoot } from "../sim/result.ts";
import { counted, grouped, oneLine } from "./wording.ts";

/** With the title, a cycle and what is left out, this makes eight lines; what keeps it going makes two more. */
const waitsShown = 5;

/** Tells the graph in at most ten lines, or (`full`) each promise on the way. */
export function waitLines(graph: WaitGraph, full: boolean): string[] {
  const { seen, waits, more, cycle, kept } = graph;
  if (kept?.by === "drain") return drainLines(graph, kept);
  if (seen === "none") {
    const names = waits.slice(0, waitsShown).map(({ who }) => oneLine(who, 60));
    const rest = waits.length - names.length + more;
    const all = `${names.join(", ")}${rest > 0 ? ` and ${grouped(rest)} more` : ""}`;
    const title = `  Wait-for graph: only who waits is known (${all}), because async hooks cannot be used in this process`;
    if (kept === undefined) return [title];
    return [waits.length === 0 ? "  Wait-for graph:" : title, ...keptLines(kept)];
  }
  const shown = full ? waits : waits.slice(0, waitsShown);
  const hidden = waits.slice(shown.length).reduce((sum, { alike }) => sum + 1 + alike, more);
  const title = seen === "all" ? "  Wait-for graph:" : "  Wait-for graph, as far as async hooks have seen it:";
  const lines = [title, ...shown.flatMap((wait) => (full ? wayOf(wait) : [briefly(wait)]))];
  if (cycle.length > 0) {
    const circle = [...cycle.slice(0, 6), ...(cycle.length > 6 ? ["…"] : []), ...cycle.slice(0, 1)];
    const each = waits.some(({ root }) => root.kind === "other")
      ? "the next, or for a promise of it"
      : "a promise that the next one made";
    lines.push(`    in a circle: ${circle.map((who) => oneLine(who, 60)).join(" → ")}; each waits for ${each}`);
  }
  if (kept !== undefined) lines.push(...keptLines(kept));
  if (hidden > 0) lines.push(`    … ${grouped(hidden)} more unsettled${full ? "" : "; --full shows more"}`);
  return lines;
}

/** Who keeps coming, and who never comes because of it. */
function keptLines({ what, starved }: KeptGoing): string[] {
  const again = what.map(({ name, at }) => `${oneLine(name, 60)}${placed(", asked for at", at)}`);
  const lines = again.length === 0 ? [] : [`    over and over: ${again.join("; ")}`];
  return starved.length === 0 ? lines : [...lines, `    starved: ${names(starved)}, which ${come(starved)}`];
}

/** A drain without end lets nobody else have a turn. */
function drainLines({ waits, more }: WaitGraph, { what, starved }: KeptGoing): string[] {
  const lines = what.map(({ name, at }) => `    on and on: ${oneLine(name, 60)}${placed(", at", at)}`);
  if (waits.length > 0) {
    const rest = more > 0 ? ` and ${grouped(more)} more` : "";
    const who = names(waits.map(({ who }) => who));
    lines.push(`    ${who}${rest} ${waits.length + more === 1 ? "waits" : "wait"} until it ends, and it does not`);
  }
  if (starved.length > 0) lines.push(`    starved: ${names(starved)}, which ${come(starved)}`);
  return ["  Wait-for graph:", ...lines];
}

function names(all: readonly string[]): string {
  return all.map((name) => oneLine(name, 60)).join(", ");
}

function come({ length }: readonly string[]): string {
  return length === 1 ? "never comes" : "never come";
}

/** True where it is known of each who waits what for: nothing outside of the scheduler's hands is needed to explain it. */
export function isExplained(graph: WaitGraph | undefined): boolean {
  if (graph?.seen !== "all" || graph.waits.length === 0) return false;
  return graph.cycle.length > 0 || graph.waits.every(({ root }) => root.kind !== "unknown" && root.kind !== "foreign");
}

/** Where the outermost line waits, and the promise at the root. */
function briefly(wait: Wait): string {
  const { made, links, root } = wait;
  const end = links.at(-1)?.made ?? made;
  const lines = links.flatMap(({ at }) => at ?? []);
  const line = lines.find(({ file }) => !file.startsWith("node_modules/")) ?? lines[0] ?? null;
  if (root.kind === "other") return `    ${subject(wait)}${placed(" at", line)} for ${oneLine(root.who)}`;
  if (end === null) return `    ${subject(wait)} for something that async hooks have not seen`;
  return `    ${subject(wait)}${placed(" at", line)} for ${promise(end, wait.who)}${ending(root)}`;
}

/** One line for each promise on the way. */
function wayOf(wait: Wait): string[] {
  const { who, made, links, root } = wait;
  if (made === null || links.length === 0) return [briefly(wait)];
  const lines = links.map((link, at) => {
    const start = at === 0 ? `    ${link.how === "resolved with" ? oneLine(who) : subject(wait)}` : "      which";
    const waits =
      link.how === "resolved with"
        ? " was resolved with"
        : `${at === 0 ? "" : " waits"}${placed(" at", link.at)}${words[link.how]} for`;
    const end =
      at === links.length - 1 ? (root.kind === "other" ? `, the one of ${oneLine(root.who)}` : ending(root)) : "";
    return `${start}${waits} ${promise(link.made, who)}${beside(link)}${end}`;
  });
  // Whoever has to settle the last of them is found from where it was made.
  const callers = links.at(-1)?.made.calledBy ?? [];
  return [...lines, ...callers.map((frame) => `        called by ${frame.replace(/^at /, "")}`)];
}

const words: Readonly<Record<Exclude<WaitLink["how"], "resolved with">, string>> = {
  await: "",
  then: " with then()",
  executor: " in its executor",
  all: " with Promise.all()",
  race: " with Promise.race()",
  any: " with Promise.any()",
  allSettled: " with Promise.allSettled()",
};

function subject({ who, alike }: Wait): string {
  return alike === 0 ? `${oneLine(who)} waits` : `${oneLine(who)} and ${grouped(alike)} more wait`;
}

function promise({ at, within, by }: MadePromise, who: string): string {
  const maker = by === who ? "" : ` by ${oneLine(by)}`;
  const when = within === null ? "before the first delivery" : `in the drain of ${oneLine(within)}`;
  return `a promise made${maker}${placed(" at", at)} ${when}`;
}

function beside({ beside }: WaitLink): string {
  return beside === 0 ? "" : ` (and ${counted(beside, "other promise")})`;
}

function ending(root: WaitRoot): string {
  switch (root.kind) {
    case "hung":
      return `: ${oneLine(root.delivery)}, which was made to hang`;
    case "open":
      return `: ${oneLine(root.delivery)}, which has not come`;
    case "cancelled":
      return `: ${oneLine(root.delivery)}, which was cancelled`;
    case "foreign":
      return ", which waits for one that is older than the execution";
    case "code":
      return ", which nobody has settled";
    case "other":
    case "unknown":
      return "; what that waits for is not known";
  }
}

function placed(word: string, at: SourceLocation | null): string {
  return at === null ? "" : `${word} ${oneLine(at.file)}:${at.line}`;
}
