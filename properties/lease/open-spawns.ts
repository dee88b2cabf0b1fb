/** The spawns that have no answer yet: each of them may have been decided, one way or the other, or not yet. */
import type { LeaseSighting, SpawnName } from "./history.ts";
import type { SeenChild, SeenTable } from "./seen.ts";
import { matters, refusable, type SeenSpawn, spawnAnswer, spawnKey } from "./spawns.ts";

export class OpenSpawns {
  readonly #spawns = new Map<string, SeenSpawn>();
  /** The keys of those that are not taken for there. */
  readonly #undecided = new Set<string>();

  begin(name: SpawnName, spawn: SeenSpawn): void {
    this.#spawns.set(spawnKey(name), spawn);
    this.#undecided.add(spawnKey(name));
  }

  get(name: SpawnName): SeenSpawn | undefined {
    return this.#spawns.get(spawnKey(name));
  }

  answered(name: SpawnName): void {
    this.#spawns.delete(spawnKey(name));
    this.#undecided.delete(spawnKey(name));
  }

  /** The paths of those of its spawns that have no answer. */
  wantedBy(child: string): readonly string[] {
    return [...this.#spawns.values()].flatMap((spawn) => (spawn.child.id === child ? spawn.child.paths : []));
  }

  /**
   * The keys of those that may be accepted before `next`, where it makes a difference. What each of the undecided ones could
   * be refused for now is noted on the way, so one key is to be dealt with before the next is asked for.
   */
  *acceptable(table: SeenTable, next: LeaseSighting): Generator<string, void> {
    const answered = next.seen === "spawned" || next.seen === "spawn-refused" ? spawnKey(next) : null;
    const other = answered === null ? undefined : this.#spawns.get(answered)?.child;
    for (const key of [...this.#undecided]) {
      const spawn = this.#spawns.get(key);
      if (key === answered || spawn === undefined) continue;
      const answer = spawnAnswer(table, spawn);
      this.#spawns.set(key, refusable(spawn, answer));
      if (answer.verdict === null && matters(table.policy, spawn.child, next, other)) yield key;
    }
  }

  /** Takes it for there; returns the child. */
  accept(key: string): SeenChild | undefined {
    const spawn = this.#spawns.get(key);
    if (spawn === undefined) return undefined;
    this.#spawns.set(key, { ...spawn, accepted: true });
    this.#undecided.delete(key);
    return spawn.child;
  }

  copy(): OpenSpawns {
    const copy = new OpenSpawns();
    for (const [key, spawn] of this.#spawns) copy.#spawns.set(key, spawn);
    for (const key of this.#undecided) copy.#undecided.add(key);
    return copy;
  }

  /** Equal for those that know the same. */
  told(): readonly unknown[] {
    return [...this.#spawns];
  }
}
