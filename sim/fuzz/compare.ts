/** Compares what a program shows on Node's own loop with what it shows inside each engine. */
import type { Engines } from "../engine-choice.ts";
import { runInEngine } from "./in-engine.ts";
import { type RealOutcome, runOnNode } from "./on-node.ts";
import type { Program } from "./program.ts";
import type { Outcome } from "./surroundings.ts";
import { failureHeldTo, heldTo } from "./words.ts";

export type Compared = {
  readonly program: Program;
  readonly onNode: RealOutcome;
  readonly inEngines: readonly InEngine[];
  /** The first of them that shows something else than Node's own loop; null: all show the same. */
  readonly differs: InEngine | null;
  /** How often it had to run again, because the machine may have been too slow for its timers. */
  readonly repeats: number;
};

export type InEngine = Outcome & { readonly engine: Engines };

/** Lengths of the unit of time. On a machine that is late by less than one, Node fires in the order that is expected. */
const unitsMs = [3, 30, 300];

/** Compares programs, those that need it again with longer times. */
export async function comparePrograms(
  programs: readonly Program[],
  engines: readonly Engines[],
): Promise<readonly Compared[]> {
  const { emitWarning } = process;
  // Node warns of many listeners, in a nextTick of its own.
  process.emitWarning = () => undefined;
  try {
    const compared: Compared[] = [];
    for (const [index, found] of (await comparedOnce(programs, engines, 0)).entries()) {
      compared[index] =
        found.differs === null || !found.program.timed ? found : await comparedUnhurried(found, engines);
    }
    return compared;
  } finally {
    process.emitWarning = emitWarning;
  }
}

async function comparedUnhurried(found: Compared, engines: readonly Engines[]): Promise<Compared> {
  for (let repeats = 1; repeats < unitsMs.length && found.differs !== null; repeats++) {
    found = (await comparedOnce([found.program], engines, repeats))[0] ?? found;
  }
  return found;
}

async function comparedOnce(
  programs: readonly Program[],
  engines: readonly Engines[],
  repeats: number,
): Promise<readonly Compared[]> {
  const timed = programs.map((program) => ({ program, unitMs: unitsMs[repeats] ?? 1 }));
  const real: RealOutcome[] = [];
  for (const { program, unitMs } of timed) real.push(await runOnNode(program, unitMs));
  const virtual: (readonly InEngine[])[] = [];
  for (const engine of engines) {
    virtual.push((await runInEngine(engine, timed)).map((outcome) => ({ engine, ...outcome })));
  }
  return programs.map((program, index) => {
    const onNode = real[index] ?? nothing;
    const inEngines = virtual.map((outcomes, at) => outcomes[index] ?? { engine: engines[at] ?? "native", ...nothing });
    const differs = inEngines.find((outcome) => !areEqual(onNode, outcome)) ?? null;
    return { program, onNode, inEngines, differs, repeats };
  });
}

const nothing: RealOutcome = { log: [], failure: "did not run", failedAt: 0, uncaught: false };

/**
 * Equal logs, and equal failures. A failure ends an execution after its drain, while Node goes on; an error in a
 * callback ends Node's drain, and moves the rest of it to another macrotask.
 */
function areEqual(onNode: RealOutcome, inEngine: InEngine): boolean {
  const { engine } = inEngine;
  if (failureHeldTo(engine, onNode.failure) !== failureHeldTo(engine, inEngine.failure)) return false;
  const log = onNode.log.map((line) => heldTo(engine, line));
  const own = inEngine.log.map((line) => heldTo(engine, line));
  if (onNode.failure === null) return isSame(log, own);
  const { failedAt } = onNode;
  if (!isSame(log.slice(0, failedAt), own.slice(0, failedAt))) return false;
  return onNode.uncaught || isSame(log.slice(0, own.length), own);
}

function isSame(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((line, index) => line === other[index]);
}
