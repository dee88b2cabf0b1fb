/** Runs a scenario again and again, at level spec, and tells each execution in full. */
import { planOf } from "../../bounds.ts";
import type { Chooser, Execution } from "../../execution.ts";
import type { Engine } from "../../native/engine.ts";
import { withRunner } from "../../runner.ts";
import type { Scenario } from "../../scenario.ts";
import { DataKept, type Told } from "./told.ts";

/** A scenario, and what its code has come to in the execution that ran last. */
export type Subject = { readonly scenario: Scenario; readonly state: () => string };

/** Who decides what runs: `next` prepares an execution (null: no more), `again` the same one once more. */
export type Choosers = {
  next(index: number): Chooser | null;
  again(index: number): Chooser;
  ended(execution: Execution): void;
};

/** Tells all executions; null when there are more than `most`. Choosers are made anew where the machine stood still. */
export function toldAll<T extends Choosers>(
  { scenario, state }: Subject,
  most: number,
  make: () => T,
): Promise<{ readonly executions: readonly Told[]; readonly choosers: T } | null> {
  return withRunner(scenario, planOf(scenario, { level: "spec" }).settings, async (runner) => {
    const executions: Told[] = [];
    const choosers = make();
    const { engine } = runner;
    let kept: DataKept | null = null;
    tellsQuickly(engine);
    await runner.batch({
      index: 0,
      next: () => {
        engine.tracer.detailed = true;
        const chooser = executions.length > most ? null : choosers.next(executions.length);
        if (chooser === null) return null;
        kept = new DataKept(chooser);
        return kept;
      },
      again: () => {
        kept = new DataKept(choosers.again(executions.length));
        return kept;
      },
      ended: () => {
        const execution = runner.tell();
        if (kept !== null) executions.push(kept.tell(execution, state()));
        choosers.ended(execution);
      },
    });
    return executions.length > most ? null : { executions, choosers };
  });
}

/**
 * Of executions that want detail the runner lets each have a watchdog of its own, because ending one may take long. Here
 * it does not, and to set up a watchdog takes longer than an execution.
 */
function tellsQuickly(engine: Engine): void {
  const end = engine.end.bind(engine);
  engine.end = () => {
    end();
    engine.tracer.detailed = false;
  };
}
