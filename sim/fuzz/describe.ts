/** Tells a mismatch so that a person can read it: the program, its deliveries, and both logs side by side. */
import type { Compared } from "./compare.ts";
import type { Group } from "./program.ts";
import type { Outcome } from "./surroundings.ts";

export function describeMismatch({ program, onNode, inEngine }: Compared): string {
  const differs = onNode.log.findIndex((line, index) => line !== inEngine.log[index]);
  return [
    "the program:",
    indented(program.text),
    "deliveries after the body:",
    indented(program.groups.map(describeGroup).join("\n") || "none"),
    `logs differ at line ${differs < 0 ? onNode.log.length : differs}`,
    "on Node's own loop:",
    indented(describeOutcome(onNode)),
    "inside the engine:",
    indented(describeOutcome(inEngine)),
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
