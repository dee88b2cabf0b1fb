/**
 * Lowers what the command loads from here on, where the microtask engine is asked for: everything, the contracts and the
 * core in this package included. So it comes before the verbs, which import those.
 */
import type { ExploreOptions } from "../sim/result.ts";

export async function lowersFor({ level, engine }: Pick<ExploreOptions, "level" | "engine">): Promise<void> {
  // An engine that cannot do what the level asks is refused later, in the words of `explore()`.
  if (level === "free" || engine === "microtask") await import("../adapters/loader/index.ts");
}

/** What was found at a level is replayed at that level. */
export async function lowersForRepro(path: string): Promise<void> {
  const { readRepro } = await import("../repro/repro-file.ts");
  await lowersFor(await readRepro(path));
}
