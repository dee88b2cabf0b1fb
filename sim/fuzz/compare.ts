/** Compares what a program shows on Node's own loop with what it shows inside the engine. */
import { runInEngine } from "./in-engine.ts";
import { type RealOutcome, runOnNode } from "./on-node.ts";
import type { Program } from "./program.ts";
import type { Outcome } from "./surroundings.ts";

export type Compared = {
  readonly program: Program;
  readonly onNode: RealOutcome;
  readonly inEngine: Outcome;
  readonly equal: boolean;
  /** How often it had to run again, because the machine may have been too slow for its timers. */
  readonly repeats: number;
};

/** Lengths of the unit of time. On a machine that is late by less than one, Node fires in the order that is expected. */
const unitsMs = [3, 30, 300];

/** Compares programs, those that need it again with longer times. */
export async function comparePrograms(programs: readonly Program[]): Promise<readonly Compared[]> {
  const { emitWarning } = process;
  // Node warns of many listeners, in a nextTick of its own.
  process.emitWarning = () => undefined;
  try {
    const compared: Compared[] = [];
    for (const [index, found] of (await comparedOnce(programs, 0)).entries()) {
      compared[index] = found.equal || !found.program.timed ? found : await comparedUnhurried(found);
    }
    return compared;
  } finally {
    process.emitWarning = emitWarning;
  }
}

async function comparedUnhurried(found: Compared): Promise<Compared> {
  for (let repeats = 1; repeats < unitsMs.length && !found.equal; repeats++) {
    found = (await comparedOnce([found.program], repeats))[0] ?? found;
  }
  return found;
}

async function comparedOnce(programs: readonly Program[], repeats: number): Promise<readonly Compared[]> {
  const timed = programs.map((program) => ({ program, unitMs: unitsMs[repeats] ?? 1 }));
  const real: RealOutcome[] = [];
  for (const { program, unitMs } of timed) real.push(await runOnNode(program, unitMs));
  const virtual = await runInEngine(timed);
  return programs.map((program, index) => {
    const onNode = real[index] ?? nothing;
    const inEngine = virtual[index] ?? nothing;
    return { program, onNode, inEngine, equal: areEqual(onNode, inEngine), repeats };
  });
}

const nothing: RealOutcome = { log: [], failure: "did not run", failedAt: 0, uncaught: false };

/**
 * Equal logs, and equal failures. A failure ends an execution after its drain, while Node goes on; an error in a
 * callback ends Node's drain, and moves the rest of it to another macrotask.
 */
function areEqual(onNode: RealOutcome, inEngine: Outcome): boolean {
  if (onNode.failure !== inEngine.failure) return false;
  if (onNode.failure === null) return isSame(onNode.log, inEngine.log);
  const { log, failedAt } = onNode;
  if (!isSame(log.slice(0, failedAt), inEngine.log.slice(0, failedAt))) return false;
  return onNode.uncaught || isSame(log.slice(0, inEngine.log.length), inEngine.log);
}

function isSame(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((line, index) => line === other[index]);
}
