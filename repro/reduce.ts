/**
 * Takes away as much of a list as possible while `fails` stays true: delta debugging by complements, in halves first
 * and single items last. Tries the end first, because what comes early in an execution explains more. When it returns,
 * no single item can be taken away any more.
 */
export async function reduce<T>(
  items: readonly T[],
  fails: (kept: readonly T[]) => Promise<boolean>,
): Promise<readonly T[]> {
  let kept = items;
  let parts = 1;
  while (kept.length > 0) {
    const smaller = await takeOnePart(kept, parts, fails);
    if (smaller !== null) {
      kept = smaller;
      parts = Math.max(1, Math.min(parts - 1, kept.length));
    } else if (parts >= kept.length) {
      return kept;
    } else {
      parts = Math.min(kept.length, parts * 2);
    }
  }
  return kept;
}

async function takeOnePart<T>(
  items: readonly T[],
  parts: number,
  fails: (kept: readonly T[]) => Promise<boolean>,
): Promise<readonly T[] | null> {
  const size = Math.ceil(items.length / parts);
  for (let end = items.length; end > 0; end -= size) {
    const kept = [...items.slice(0, Math.max(0, end - size)), ...items.slice(end)];
    if (await fails(kept)) return kept;
  }
  return null;
}
