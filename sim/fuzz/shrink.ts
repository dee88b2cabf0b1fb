/** Finds fewer and smaller draws that still make a program with a mismatch, as far as it gets within its bounds. */

const attemptsMost = 2_000;
const shrinkingMostMs = 120_000;

export async function shrinkDraws(
  kept: readonly number[],
  fails: (kept: readonly number[]) => Promise<boolean>,
): Promise<readonly number[]> {
  let best = kept;
  let attempts = 0;
  const start = performance.now();
  const spent = (): boolean => attempts >= attemptsMost || performance.now() - start > shrinkingMostMs;
  const improves = async (candidate: readonly number[]): Promise<boolean> => {
    if (spent()) return false;
    attempts++;
    if (!(await fails(candidate))) return false;
    best = candidate;
    return true;
  };
  for (let improved = true; improved && !spent(); ) {
    improved = false;
    for (let size = Math.ceil(best.length / 2); size > 0; size = Math.floor(size / 2)) {
      for (let at = 0; at < best.length && !spent(); ) {
        const [before, after] = [best.slice(0, at), best.slice(at + size)];
        if (await improves([...before, ...after])) {
          improved = true;
          continue;
        }
        const zeros = best.slice(at, at + size).map(() => 0);
        if (best.slice(at, at + size).some((drawn) => drawn > 0) && (await improves([...before, ...zeros, ...after])))
          improved = true;
        at += size;
      }
    }
    for (let at = 0; at < best.length && !spent(); at++) {
      for (let value = best[at] ?? 0; value > 0; ) {
        value = Math.floor(value / 2);
        if (await improves(best.with(at, value))) improved = true;
        else break;
      }
    }
  }
  return best;
}
