/** Tells a mismatch so that a person can read it: the program, its deliveries, and both logs side by side. */
import type { Compared } from "./compare.ts";
import type { Group } from "./program.ts";
import type { Outcome } from "./surroundings.ts";
import { heldTo } from "./words.ts";

export function describeMismatch({ program, onNode, differs }: Compared): string {
  const { engine, log } = differs ?? { engine: "native" as const, log: onNode.log };
  const at = onNode.log.findIndex((line, index) => heldTo(engine, line) !== heldTo(engine, log[index] ?? ""));
  return [
    "the program:",
    indented(program.text),
    "deliveries after the body:",
    indented(program.groups.map(describeGroup).join("\n") || "none"),
    `logs differ at line ${at < 0 ? onNode.log.length : at}`,
    "on Node's own loop:",
    indented(describeOutcome(onNode)),
    ...(differs === null
      ? ["inside the engines: the same"]
      : [`inside the ${differs.engine} engine:`, indented(describeOutcome(differs))]),
  ].join("\n");
}

function describeGroup({ phases, deliveries }: Group): string {
  const told = deliveries.map((each) => (each.kind === "step" ? "the next step" : `the pending I/O at ${each.pick}`));
  return `after ${phases} check phases: ${told.join(", ")}`;
}

function describeOutcome({ log, failure }: Outcome): string {
  return [...log.map((line, index) => `${index} ${line}`), ...(failure === null ? [] : [`failed: ${failure}`])].join(
    "\n",
  );
}

function indented(text: string): string {
  return `  ${text.replaceAll("\n", "\n  ")}`;
}
