/**
 * Named random streams. A campaign hashes `seed/stream` once with seedrandom; execution i mixes in i and draws from an
 * integer generator of ours, because constructing a seedrandom generator costs more than a whole execution.
 */
import seedrandom from "seedrandom";
import type { StrategyName } from "./result.ts";

/** Strategies whose executions have nothing to do with each other but what was learnt of earlier ones. */
const sampling: ReadonlySet<StrategyName> = new Set(["random", "pct", "pos", "urw", "surw", "delay-bounded"]);

/**
 * Tells which execution's streams the world of execution `execution` draws from. Under strategies that only sample they
 * change, because another world is as good as another schedule. The other strategies compare or enumerate schedules
 * (depth-first, placement, the sweep of starve) or give to names that one execution had an order in the next
 * (orderings), and a world that changes under them would make that worthless.
 */
export function worldIndex(strategy: StrategyName, execution: number): number {
  return sampling.has(strategy) ? execution : 0;
}

export type StreamName = "schedule" | "audit" | "world" | "math" | "crypto";

/** The start of one stream: four 32-bit words that depend on the seed and the stream's name alone. */
export type StreamSeed = readonly [number, number, number, number];

export function streamSeed(seed: string, stream: StreamName): StreamSeed {
  const draw = seedrandom(`${seed}/${stream}`);
  return [draw.int32(), draw.int32(), draw.int32(), draw.int32()];
}

/**
 * An integer-only generator (sfc32, Chris Doty-Humphrey, PractRand). Restarted for every execution, so that execution
 * i draws the same numbers whatever ran before it, in whichever worker.
 */
export class Random {
  readonly #seed: StreamSeed;
  #a = 0;
  #b = 0;
  #c = 0;
  #counter = 0;

  constructor(seed: StreamSeed) {
    this.#seed = seed;
    this.restart(0);
  }

  /** Starts the stream of one execution. */
  restart(execution: number): void {
    const [a, b, c, d] = this.#seed;
    this.#a = a ^ mix(execution);
    this.#b = b ^ mix(execution + 0x9e3779b9);
    this.#c = c;
    this.#counter = d | 1;
    for (let round = 0; round < 8; round++) this.word();
  }

  /** Draws 32 bits as a signed integer. */
  word(): number {
    const sum = (((this.#a + this.#b) | 0) + this.#counter) | 0;
    this.#counter = (this.#counter + 1) | 0;
    this.#a = this.#b ^ (this.#b >>> 9);
    this.#b = (this.#c + (this.#c << 3)) | 0;
    this.#c = (this.#c << 21) | (this.#c >>> 11);
    this.#c = (this.#c + sum) | 0;
    return sum;
  }

  /** Draws an integer from 0 to `count - 1`. The bias of the modulus is below 2^-20 for the counts we draw. */
  below(count: number): number {
    return (this.word() >>> 0) % count;
  }

  /** Draws a number in [0, 1) with 32 random bits. */
  fraction(): number {
    return (this.word() >>> 0) / 4_294_967_296;
  }
}

/** The finaliser of MurmurHash3: every bit of the input reaches every bit of the output. */
function mix(value: number): number {
  let hash = value | 0;
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return hash ^ (hash >>> 16);
}
