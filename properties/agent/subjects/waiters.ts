/** Those who wait for an agent to come to rest. */
export class Waiters {
  #waiting: (() => void)[] = [];

  wait(): Promise<void> {
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  release(): void {
    for (const resolve of this.#waiting.splice(0)) resolve();
  }
}
