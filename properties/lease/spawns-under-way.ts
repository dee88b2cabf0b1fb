import type { SpawnName } from "./history.ts";

/** Tells spawns of one child apart, where a second one begins before the first has an answer. */
export class SpawnsUnderWay {
  readonly #attempts = new Map<string, ReadonlySet<number>>();

  begin(child: string): SpawnName {
    const under = this.#attempts.get(child) ?? new Set();
    let attempt = 1;
    while (under.has(attempt)) attempt++;
    this.#attempts.set(child, new Set([...under, attempt]));
    return attempt === 1 ? { child } : { child, attempt };
  }

  end({ child, attempt = 1 }: SpawnName): void {
    this.#attempts.set(child, new Set([...(this.#attempts.get(child) ?? [])].filter((one) => one !== attempt)));
  }
}
