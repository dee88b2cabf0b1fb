/**
 * The states found so far, numbered in the order of finding: fixed-width words and the parent of each, in chunks that are
 * never moved; and an open-addressing table over them. Everything is in typed arrays, so `bytes` is exact.
 *
 * A slot is a pair: the state's hash and its number + 1. Hashing mixes word after word by bijections, so the hash of a
 * one-word state is that state in other bits, and equal hashes need no second look; longer states are compared in full.
 * A state's slot is given by the *upper* bits of its hash: the table is in the order of the hashes, and growing it reads and
 * writes memory from one end to the other.
 */
const chunkBits = 12;
const chunkStates = 1 << chunkBits;
const firstSlotBits = 10;
/** 4 GiB of slots, which is room for 335 million states. */
const mostWords = 2 ** 30;

/** Answers of `add()` beside the number of a new state. */
export const known = -1;
export const full = -2;

export class StateTable {
  readonly words: number;
  /** Words of a state and its parent. */
  readonly stride: number;
  #states = 0;
  #chunks: Int32Array[] = [];
  #slotBits = firstSlotBits;
  #slots: Int32Array = new Int32Array(2 << firstSlotBits);
  #room = roomOf(firstSlotBits);
  #bytes: number;
  #byteLimit = Number.POSITIVE_INFINITY;
  #stateLimit = Number.POSITIVE_INFINITY;
  #fullOf: "states" | "memory" | "machine" = "states";
  #met = known;

  constructor(words: number) {
    this.words = words;
    this.stride = words + 1;
    this.#bytes = this.#slots.byteLength;
  }

  get states(): number {
    return this.#states;
  }

  get bytes(): number {
    return this.#bytes;
  }

  /** From now on `add()` answers `full` rather than to go beyond. The bytes count what growing needs for a moment. */
  limit(bytes: number, states: number): void {
    this.#byteLimit = bytes;
    this.#stateLimit = states;
  }

  /** Which limit the state broke that found the table full; `machine` if there is no memory left, or no index. */
  get fullOf(): "states" | "memory" | "machine" {
    return this.#fullOf;
  }

  /** The number of the state that `add()` was last given, new or known. */
  get met(): number {
    return this.#met;
  }

  /** The number of the state whose words start at `at`, if it is new; else `known`, or `full` if there is no room for it. */
  add(source: Int32Array, at: number, parent: number): number {
    const hash = hashOf(source, at, this.words);
    let slot = this.#probe(source, at, hash);
    const entry = this.#slots[slot + 1] ?? 0;
    if (entry !== 0) {
      this.#met = entry - 1;
      return known;
    }
    if (this.#states >= this.#stateLimit) {
      this.#fullOf = "states";
      return full;
    }
    if (this.#states >= this.#room || (this.#states & (chunkStates - 1)) === 0) {
      if (!this.#makeRoom()) return full;
      slot = this.#probe(source, at, hash);
    }
    const state = this.#states++;
    this.#slots[slot] = hash;
    this.#slots[slot + 1] = state + 1;
    const chunk = this.chunk(state);
    const start = this.offset(state);
    for (let word = 0; word < this.words; word++) chunk[start + word] = source[at + word] ?? 0;
    chunk[start + this.words] = parent;
    this.#met = state;
    return state;
  }

  /** The number of a state, or `known` - that is -1 - if it is not there. */
  find(source: Int32Array, at: number): number {
    return (this.#slots[this.#probe(source, at, hashOf(source, at, this.words)) + 1] ?? 0) - 1;
  }

  /** The array that holds a state's words, from `offset(state)` on. */
  chunk(state: number): Int32Array {
    const chunk = this.#chunks[state >>> chunkBits];
    if (chunk === undefined) throw new Error(`Broken assertion: state ${state} of ${this.#states}`);
    return chunk;
  }

  offset(state: number): number {
    return (state & (chunkStates - 1)) * this.stride;
  }

  parent(state: number): number {
    return this.chunk(state)[this.offset(state) + this.words] ?? 0;
  }

  /** The slot of a state: taken if it is there, free if it is not. */
  #probe(source: Int32Array, at: number, hash: number): number {
    const slots = this.#slots;
    const last = slots.length - 1;
    let slot = (hash >>> (32 - this.#slotBits)) << 1;
    for (;;) {
      const entry = slots[slot + 1] ?? 0;
      if (entry === 0) return slot;
      if (slots[slot] === hash && (this.words === 1 || this.#equal(source, at, entry - 1))) return slot;
      slot = (slot + 2) & last;
    }
  }

  #equal(source: Int32Array, at: number, state: number): boolean {
    const chunk = this.chunk(state);
    const start = this.offset(state);
    for (let word = 0; word < this.words; word++) {
      if (chunk[start + word] !== source[at + word]) return false;
    }
    return true;
  }

  /** Room for one more state, in the chunks and in the slots. */
  #makeRoom(): boolean {
    if (this.#states >= this.#room && !this.#grow()) return false;
    if (this.#states < this.#chunks.length << chunkBits) return true;
    const chunk = this.#allocate(chunkStates * this.stride);
    if (chunk === null) return false;
    this.#chunks.push(chunk);
    return true;
  }

  /** Null, and why in `#fullOf`, if there is no room for it. */
  #allocate(length: number): Int32Array | null {
    const bytes = length * Int32Array.BYTES_PER_ELEMENT;
    this.#fullOf = "memory";
    if (this.#bytes + bytes > this.#byteLimit) return null;
    this.#fullOf = "machine";
    if (length > mostWords) return null;
    try {
      const array = new Int32Array(length);
      this.#bytes += bytes;
      return array;
    } catch {
      return null;
    }
  }

  #grow(): boolean {
    const bits = this.#slotBits + 1;
    const grown = this.#allocate(2 ** (bits + 1));
    if (grown === null) return false;
    const old = this.#slots;
    const last = grown.length - 1;
    for (let from = 0; from < old.length; from += 2) {
      const entry = old[from + 1] ?? 0;
      if (entry === 0) continue;
      const hash = old[from] ?? 0;
      let slot = (hash >>> (32 - bits)) << 1;
      while (grown[slot + 1] !== 0) slot = (slot + 2) & last;
      grown[slot] = hash;
      grown[slot + 1] = entry;
    }
    this.#slots = grown;
    this.#slotBits = bits;
    this.#room = roomOf(bits);
    this.#bytes -= old.byteLength;
    return true;
  }
}

/** Five slots of eight: a longer search costs more than a larger table. */
function roomOf(slotBits: number): number {
  return (1 << slotBits) * 0.625;
}

function hashOf(source: Int32Array, at: number, words: number): number {
  let hash = 0;
  for (let word = 0; word < words; word++) {
    hash = Math.imul(hash ^ (source[at + word] ?? 0), 0x2c1b_3c6d);
    hash ^= hash >>> 15;
  }
  hash = Math.imul(hash, 0x297a_2d39);
  return hash ^ (hash >>> 16);
}
