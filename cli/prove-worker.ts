/** One proof in a thread of its own. Whatever is not a plain "nothing is broken" is left to the thread of the command. */
import { parentPort } from "node:worker_threads";
import type { PolicyChoice, Proved, Sizes } from "../properties/proof.ts";
import { provables } from "../properties/proofs.ts";
import type { Progress } from "../sim/model/result.ts";

export type ProofTask = {
  readonly contract: string;
  readonly policy: PolicyChoice;
  readonly bounds: Sizes;
  readonly memoryBytes: number;
};
/** `stop` is shared memory: not 0 from the interrupt on. */
export type ThreadTask = ProofTask & { readonly number: number; readonly stop: Int32Array; readonly told: boolean };
export type ThreadNews = { readonly number: number; readonly progress: Progress };

/**
 * `not-begun`: it was interrupted before. `again`: it is broken, or threw. A violation becomes a repro by running the host
 * under the simulator, and an error has its class: both are for the thread that has the process to itself.
 */
export type ThreadAnswer = Proved | "not-begun" | "again";

/** How often an interrupt is looked for; what is explored meanwhile does not depend on it. */
const lookMs = 50;

export async function prove(task: ThreadTask): Promise<ThreadAnswer> {
  const { contract, policy, bounds, memoryBytes, number, stop, told } = task;
  const isStopped = () => Atomics.load(stop, 0) !== 0;
  if (isStopped()) return "not-begun";
  const provable = provables.find((known) => known.contract === contract);
  if (provable === undefined) throw new Error(`Broken assertion: nobody knows the contract ${contract}`);
  const controller = new AbortController();
  const looking = setInterval(() => isStopped() && controller.abort(), lookMs);
  const onProgress = (progress: Progress): void => {
    if (told) parentPort?.postMessage({ number, progress } satisfies ThreadNews);
  };
  try {
    const proved = await provable.attempt(policy, bounds).run({ memoryBytes, signal: controller.signal, onProgress });
    return proved.safety.violation === null && proved.liveness?.violation == null ? proved : "again";
  } catch {
    return "again";
  } finally {
    clearInterval(looking);
  }
}
