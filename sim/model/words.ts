/** An array of 32-bit words that grows by doubling, and says beforehand what that takes. */
export class Words {
  array: Int32Array = new Int32Array(firstLength);

  get bytes(): number {
    return this.array.byteLength;
  }

  /** Room for so many words. False if that takes more bytes than there are to spare; for a moment old and new are both there. */
  reserve(length: number, spareBytes: number): boolean {
    if (length <= this.array.length) return true;
    let wanted = this.array.length;
    while (wanted < length) wanted *= 2;
    if (wanted * Int32Array.BYTES_PER_ELEMENT > spareBytes) return false;
    try {
      const grown = new Int32Array(wanted);
      grown.set(this.array);
      this.array = grown;
      return true;
    } catch {
      return false;
    }
  }
}

const firstLength = 1 << 10;
