/**
 * Numbers packed bit by bit, first bit highest. Our own, and not a compressor, because the bytes of a token must be
 * the same on every Node and for ever.
 */

/** The bits end before a number does, or do not make one. */
export class BitsError extends Error {
  override readonly name = "BitsError";
}

export class BitWriter {
  readonly #bytes: number[] = [];
  #used = 0;

  /** Writes the lowest `width` bits of a whole number. */
  bits(value: number, width: number): void {
    // Division instead of shifts: a number may be longer than 32 bits.
    for (let bit = width - 1; bit >= 0; bit--) this.#bit(Math.floor(value / 2 ** bit) % 2);
  }

  /** Writes a whole number, 0 or more, in the Elias gamma code: small ones are short. */
  count(value: number): void {
    const width = bitWidth(value + 1);
    this.bits(0, width - 1);
    this.bits(value + 1, width);
  }

  flag(value: boolean): void {
    this.#bit(value ? 1 : 0);
  }

  /** Writes any string: 7 bits a character where all are ASCII, else 16 for each UTF-16 unit, lone surrogates too. */
  text(text: string): void {
    const units = Array.from({ length: text.length }, (_, index) => text.charCodeAt(index));
    const wide = units.some((unit) => unit > 0x7f);
    this.flag(wide);
    this.count(units.length);
    for (const unit of units) this.bits(unit, wide ? 16 : 7);
  }

  /** The bytes so far; the last is filled up with zeros. */
  bytes(): Uint8Array {
    return Uint8Array.from(this.#bytes);
  }

  #bit(bit: number): void {
    const at = this.#used >> 3;
    this.#bytes[at] = (this.#bytes[at] ?? 0) | (bit << (7 - (this.#used & 7)));
    this.#used++;
  }
}

export class BitReader {
  readonly #bytes: Uint8Array;
  #used = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  bits(width: number): number {
    let value = 0;
    for (let bit = 0; bit < width; bit++) value = value * 2 + this.#bit();
    return value;
  }

  count(): number {
    let zeros = 0;
    while (this.#bit() === 0) {
      if (++zeros > 52) throw new BitsError("a number is too long");
    }
    return 2 ** zeros + this.bits(zeros) - 1;
  }

  flag(): boolean {
    return this.#bit() === 1;
  }

  /** Reads how many items follow. Each takes a bit at least, so a damaged length cannot ask for endless memory. */
  length(): number {
    const length = this.count();
    if (length > this.left) throw new BitsError("it ends too early");
    return length;
  }

  text(): string {
    const width = this.flag() ? 16 : 7;
    return Array.from({ length: this.length() }, () => String.fromCharCode(this.bits(width))).join("");
  }

  /** How many bits are left, filling included. */
  get left(): number {
    return this.#bytes.length * 8 - this.#used;
  }

  #bit(): number {
    const byte = this.#bytes[this.#used >> 3];
    if (byte === undefined) throw new BitsError("it ends too early");
    const bit = (byte >> (7 - (this.#used & 7))) & 1;
    this.#used++;
    return bit;
  }
}

/** The number of bits that a whole number needs; 0 needs none. */
export function bitWidth(value: number): number {
  let width = 0;
  for (let rest = value; rest >= 1; rest = Math.floor(rest / 2)) width++;
  return width;
}
