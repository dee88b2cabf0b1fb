/** Long work in slices of real time, so that timers, signals and messages live while it runs. */
import { performance } from "node:perf_hooks";
import { setImmediate } from "node:timers/promises";

const sliceMs = 20;
/** Pieces between two looks at the clock. */
const piecesAtOnce = 128;

/**
 * Does one piece of work after the other until one answers something else than null. Looks at the signal, and calls
 * `between`, after each slice; how the work is cut changes nothing about it.
 */
export async function inSlices<T>(
  piece: () => T | null,
  { signal, between }: { readonly signal: AbortSignal | undefined; readonly between?: (() => void) | undefined },
): Promise<T | "aborted"> {
  for (;;) {
    if (signal?.aborted) return "aborted";
    const end = performance.now() + sliceMs;
    do {
      for (let count = 0; count < piecesAtOnce; count++) {
        const answer = piece();
        if (answer !== null) return answer;
      }
    } while (performance.now() < end);
    between?.();
    await setImmediate();
  }
}
