/** Proofs on all cores. Each is explored by one thread, so its result is the same with any number of them. */
import { createRequire } from "node:module";
import { availableParallelism, totalmem } from "node:os";
import { dirname, join } from "node:path";
import { Piscina } from "piscina";
import type { Progress } from "../sim/model/result.ts";
import type { ProofTask, ThreadAnswer, ThreadNews, ThreadTask } from "./prove-worker.ts";

export type Threads = {
  /** In the order of the tasks. */
  readonly answers: readonly Promise<ThreadAnswer>[];
  close(): Promise<void>;
};

/** One for each core and no more than there are tasks; all limits together leave half of the machine's memory alone. */
export function threadsFor(tasks: number, memoryBytes: number): number {
  const fitting = Math.floor(totalmem() / 2 / memoryBytes);
  return Math.max(1, Math.min(tasks, availableParallelism(), fitting));
}

export function proveInThreads(
  tasks: readonly ProofTask[],
  threads: number,
  signal: AbortSignal,
  onProgress: ((number: number, progress: Progress) => void) | null,
): Threads {
  const stop = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
  const interrupt = (): void => void Atomics.store(stop, 0, 1);
  if (signal.aborted) interrupt();
  signal.addEventListener("abort", interrupt);
  const pool = new Piscina<ThreadTask, ThreadAnswer>({
    filename: workerFile(),
    name: "prove",
    minThreads: threads,
    maxThreads: threads,
  });
  pool.on("message", ({ number, progress }: ThreadNews) => onProgress?.(number, progress));
  const told = onProgress !== null;
  const answers = tasks.map((task, number) => pool.run({ ...task, number, stop, told }));
  // They are awaited in their order: one that fails before its turn is no unhandled rejection.
  for (const answer of answers) answer.catch(() => undefined);
  return {
    answers,
    async close() {
      signal.removeEventListener("abort", interrupt);
      await pool.destroy();
    },
  };
}

/** Built, this code lies in a chunk anywhere, and the worker is a module of its own. */
function workerFile(): string {
  if (import.meta.url.endsWith(".ts")) return new URL("./prove-worker.ts", import.meta.url).href;
  const root = dirname(createRequire(import.meta.url).resolve("microloom/package.json"));
  return join(root, "dist/cli/prove-worker.js");
}
