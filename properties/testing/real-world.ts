/**
 * Runs a scenario where nothing is simulated: the platform's promises and timers, and one turn of the event loop for each
 * delivery. Which of the possible deliveries comes next is drawn from the seed. What holds here and breaks under the
 * simulator, or the other way round, is a fault of the simulator.
 */
import { type EventStep, type Scenario, scenarioParts, type World } from "../../sim/scenario.ts";

/** Turns of the event loop that bring no delivery and settle nothing: longer than any limit that a test sets. */
const patienceMs = 5_000;

/** Returns what was violated, or null. The body gets no script. */
export async function runForReal(scenario: Scenario, seed: number): Promise<string | null> {
  const world = new RealWorld(seed);
  scenarioParts(scenario).body(world, []);
  return world.run();
}

/** Runs the scenario once for each seed and names the first that violates something. */
export async function runManyForReal(scenario: Scenario, runs: number): Promise<string | null> {
  for (let seed = 0; seed < runs; seed++) {
    const violation = await runForReal(scenario, seed);
    if (violation !== null) return `seed ${seed}: ${violation}`;
  }
  return null;
}

type Condition = { readonly name: string; readonly holds: () => boolean | string };

class RealWorld implements World {
  readonly random: () => number;
  readonly #always: Condition[] = [];
  readonly #quiescent: Condition[] = [];
  readonly #sources: (() => unknown)[][] = [];
  readonly #open: (() => void)[] = [];
  readonly #unsettled = new Set<string>();
  readonly #startedMs = performance.now();
  #violation: string | null = null;

  constructor(seed: number) {
    // Mulberry32: neighbouring seeds have nothing in common, and it is four lines long.
    let state = seed;
    this.random = () => {
      state = (state + 0x6d2b79f5) | 0;
      const once = Math.imul(state ^ (state >>> 15), state | 1);
      const twice = once ^ (once + Math.imul(once ^ (once >>> 7), once | 61));
      return ((twice ^ (twice >>> 14)) >>> 0) / 2 ** 32;
    };
  }

  get nowMs(): number {
    return performance.now() - this.#startedMs;
  }

  actor(name: string, body: () => unknown): void {
    this.#sources.push([
      () => void this.settles(name, Promise.resolve().then(body)).catch((e) => this.#broke(name, e)),
    ]);
  }

  events(source: string, steps: readonly EventStep[]): void {
    const acts = steps.map(([label, act, options]) => async () => {
      try {
        await act();
      } catch (error) {
        if (options?.mayReject !== true) this.#broke(`${source}:${label}`, error);
      }
    });
    this.#sources.push(acts);
  }

  delay(): Promise<void> {
    return this.io("delay", () => undefined);
  }

  io<T>(_label: string, produce: () => T): Promise<T> {
    return new Promise((resolve, reject) => {
      this.#open.push(() => {
        try {
          resolve(produce());
        } catch (error) {
          reject(error);
        }
      });
    });
  }

  choose<T>(_label: string, options: readonly T[]): T {
    const [first, ...rest] = options;
    if (first === undefined) throw new RangeError("Cannot choose: expected at least one option, found none");
    return [first, ...rest][this.#draw(options.length)] ?? first;
  }

  settles<T>(name: string, promise: Promise<T>): Promise<T> {
    this.#unsettled.add(name);
    const settled = () => void this.#unsettled.delete(name);
    promise.then(settled, settled);
    return promise;
  }

  always(name: string, holds: () => boolean | string): void {
    this.#always.push({ name, holds });
  }

  atQuiescence(name: string, holds: () => boolean | string): void {
    this.#quiescent.push({ name, holds });
  }

  /** One run reaches what it reaches. */
  sometimes(): void {}

  note(): void {}

  async run(): Promise<string | null> {
    let quietSinceMs = this.nowMs;
    while (this.#violation === null) {
      await new Promise((resolve) => setImmediate(resolve));
      this.#check(this.#always);
      const next = this.#next();
      if (next !== undefined) {
        next();
        quietSinceMs = this.nowMs;
      } else if (this.#unsettled.size === 0) {
        break;
      } else if (this.nowMs - quietSinceMs > patienceMs) {
        return `stuck: ${[...this.#unsettled].join(", ")}`;
      }
    }
    this.#check(this.#quiescent);
    return this.#violation;
  }

  /** Takes one of the possible deliveries: an open I/O, or the next step of a source. */
  #next(): (() => unknown) | undefined {
    const sources = this.#sources.filter((steps) => steps.length > 0);
    const drawn = this.#draw(this.#open.length + sources.length);
    if (drawn < this.#open.length) return this.#open.splice(drawn, 1)[0];
    return sources[drawn - this.#open.length]?.shift();
  }

  #draw(count: number): number {
    return Math.floor(this.random() * count);
  }

  #check(conditions: readonly Condition[]): void {
    for (const { name, holds } of conditions) {
      const answer = holds();
      if (answer !== true) this.#violation ??= `${name}: ${answer}`;
    }
  }

  #broke(name: string, error: unknown): void {
    this.#violation ??= `${name}: ${error instanceof Error ? error.stack : String(error)}`;
  }
}
