/**
 * What an agent does to others, one thing after the other. An observer may give a command from inside a call; what the
 * command causes is then told after what is being told, never inside it.
 */
export class Effects {
  readonly #waiting: (() => void)[] = [];
  #performing = false;

  perform(...effects: readonly (() => void)[]): void {
    this.#waiting.push(...effects);
    if (this.#performing) return;
    this.#performing = true;
    for (let effect = this.#waiting.shift(); effect !== undefined; effect = this.#waiting.shift()) {
      try {
        effect();
      } catch {
        // An observer that fails has failed for itself: the others are told all the same.
      }
    }
    this.#performing = false;
  }
}
