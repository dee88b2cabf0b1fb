/** Small numbers by small id: an array that grows with the ids it is asked about, and is emptied all at once. */
export class Slots {
  #values = new Int32Array(16);

  get(id: number): number {
    return this.#values[id] ?? 0;
  }

  set(id: number, value: number): void {
    if (id >= this.#values.length) this.#grow(id);
    this.#values[id] = value;
  }

  clear(): void {
    this.#values.fill(0);
  }

  #grow(id: number): void {
    const grown = new Int32Array(Math.max(2 * this.#values.length, id + 1));
    grown.set(this.#values);
    this.#values = grown;
  }
}
