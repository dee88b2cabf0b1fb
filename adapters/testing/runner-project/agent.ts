/** An ordinary agent, which knows nothing of microloom: one driver at a time answers the inbox, a user can stop it. */
export class Agent {
  readonly inbox: string[] = [];
  #driving = false;
  #abort = new AbortController();
  readonly #outside: Outside;

  constructor(outside: Outside) {
    this.#outside = outside;
  }

  send(message: string): void {
    this.inbox.push(message);
    if (!this.#driving) void this.#drive();
  }

  stop(): void {
    this.#abort.abort();
  }

  async #drive(): Promise<void> {
    this.#driving = true;
    this.#abort = new AbortController();
    const { signal } = this.#abort;
    try {
      while (!signal.aborted && this.inbox.length > 0) {
        this.inbox.shift();
        await this.#outside.model();
      }
      if (signal.aborted) await this.#outside.teardown();
    } finally {
      this.#driving = false;
    }
  }
}

type Outside = { model(): Promise<unknown>; teardown(): Promise<void> };
