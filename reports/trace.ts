/** Every step of the failing execution, with what was noted in it. */
import { decodeChoices } from "../repro/choices.ts";
import type { Repro } from "../repro/repro.ts";
import { ReproError } from "../repro/repro.ts";
import type { Execution, TraceNote, TraceStep } from "../sim/execution.ts";
import { noteWords } from "./described.ts";
import { plain } from "./lines.ts";

type Step = Pick<TraceStep, "name" | "tick" | "fault" | "notes"> & {
  readonly possible: number;
  readonly fair?: boolean;
};

/** The steps as the execution tells them; without one, they are read back from the choices, which have no notes. */
export function traceLines(repro: Repro, execution: Execution | null = null): string[] {
  if (execution !== null) {
    const steps = execution.steps.map((step) => ({ ...step, possible: step.possible.length }));
    return ["  Every step:", ...noteLines(execution.opening, ""), ...stepLines(steps)];
  }
  if (repro.choices === null) return ["  The file carries no choices, so its steps are not known"];
  try {
    const steps = decodeChoices(repro.choices).steps.map((step) => ({ ...step, notes: [] }));
    return ["  Every step:", ...stepLines(steps)];
  } catch (error) {
    if (error instanceof ReproError) return [plain(`  ${error.message}`, { full: true })];
    throw error;
  }
}

function stepLines(steps: readonly Step[]): string[] {
  const width = String(steps.length).length;
  return steps.flatMap(({ name, possible, tick, fault, fair, notes }, index) => {
    const how = [
      possible > 1 ? `1 of ${possible} possible` : "",
      tick > 0 ? `at tick ${tick}` : "",
      fault ?? "",
      fair === true ? "in fair order" : "",
    ];
    const said = how.filter((word) => word !== "").join(", ");
    const line = `    ${String(index + 1).padStart(width)}. ${name}${said === "" ? "" : `  (${said})`}`;
    return [plain(line, { full: true }), ...noteLines(notes, " ".repeat(width))];
  });
}

function noteLines(notes: readonly TraceNote[], indent: string): string[] {
  return notes.map((note) => plain(`      ${indent}${noteWords(note)}`, { full: true }));
}
