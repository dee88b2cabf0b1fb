/**
 * A random program: the text of ordinary async code, and in which order deliveries reach it. Made from draws alone, so
 * that equal draws make equal programs.
 */
import type { Draws } from "./draws.ts";
import { functionText } from "./functions-text.ts";
import { tools } from "./prelude.ts";
import { statements } from "./statements.ts";
import { block, type FunctionKind, type Place, Writer } from "./writer.ts";

export type Program = {
  /** Ordinary code. */
  readonly text: string;
  /** The body of a function: given the tools of the prelude it returns `{ body, steps }`. */
  readonly source: string;
  readonly groups: readonly Group[];
  /** It uses timers, so its first run may have been too slow. */
  readonly timed: boolean;
};

/** Deliveries that reach the program in one poll phase of the loop, one macrotask each. */
export type Group = {
  /** Check phases that pass before, at least one but for the first group. */
  readonly phases: number;
  readonly deliveries: readonly GroupDelivery[];
};

/** The next step from outside, or the I/O at this place among those that were pending when the group began. */
export type GroupDelivery = { readonly kind: "step" } | { readonly kind: "io"; readonly pick: number };

const kinds: readonly [FunctionKind, ...FunctionKind[]] = [
  ...(["async", "async", "async", "async"] as const),
  ...(["generator", "generator", "sync generator"] as const),
];

export function programOf(draws: Draws): Program {
  const timed = draws.oneIn(10);
  const loose = draws.oneIn(8);
  const groups = groupsOf(draws);
  const functions = Array.from({ length: 1 + draws.below(4) }, () => draws.any(kinds));
  const writer = new Writer(draws, functions, { timed, loose });
  const steps = groups.flatMap(({ deliveries }) => deliveries.filter(({ kind }) => kind === "step"));
  const parts = [
    ...functions.map((kind, index) => functionText(writer, kind, index)).reverse(),
    // The steps share two or three bodies: what matters is when they come.
    ...steps.map((_, index) => `function step${index}(x = ${index}) ${bodyText(writer, 8)}`),
    `function body(x = 5) ${bodyText(writer, 15)}`,
    `return { body, steps: [${steps.map((_, index) => `step${index}`).join(", ")}] };`,
  ];
  const text = parts.join("\n");
  return { text, source: `"use strict";\nconst { ${tools} } = given;\n${text}`, groups, timed };
}

function groupsOf(draws: Draws): Group[] {
  return Array.from({ length: draws.below(4) }, (_, index) => ({
    phases: index === 0 ? draws.below(3) : 1 + draws.below(2),
    deliveries: Array.from({ length: 1 + draws.below(3) }, () =>
      draws.below(3) < 2 ? ({ kind: "step" } as const) : ({ kind: "io", pick: draws.below(3) } as const),
    ),
  }));
}

/** Starts some of the functions, and does things of its own. */
function bodyText(writer: Writer, budget: number): string {
  const { draws } = writer;
  const place: Place = { within: -1, depth: 0, in: "plain" };
  const lines: string[] = [];
  for (let starts = draws.below(3); starts > 0; starts--) {
    const id = writer.label();
    const started = writer.call(place, ["async"]);
    const iterated = started === null ? writer.call(place, ["generator", "sync generator"]) : null;
    const end = `.then((v) => { L("done${id}", v); }, (e) => { L("failed${id}", e); });`;
    if (started !== null) lines.push(`${started}${end}`);
    if (iterated !== null) lines.push(`(async () => { for await (const z of ${iterated}) L("m${id}", z); })()${end}`);
  }
  writer.budget = budget;
  lines.push(statements(writer, place, 3));
  const id = writer.label();
  writer.budget = budget;
  const main = block(statements(writer, { ...place, in: "async" }, 4));
  lines.push(`(async () => ${main})().then((v) => { L("done${id}", v); }, (e) => { L("failed${id}", e); });`);
  return block(lines.join("\n"));
}
