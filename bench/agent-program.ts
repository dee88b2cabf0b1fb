/**
 * The reference program of the benchmarks: an agent-like driver with a mailbox, a model, a tool and an abort signal. It
 * asks its outside for a pause wherever a real one would do I/O; 17 pauses in every run that is not aborted.
 */
export type Outside = { pause(label: string): unknown };

export type Ledger = { total: number; turns: number; aborts: number; finished: boolean };

export function agentProgram(outside: Outside): { ledger: Ledger; done: Promise<void> } {
  const controller = new AbortController();
  const ledger: Ledger = { total: 0, turns: 0, aborts: 0, finished: false };
  const mailbox = new Mailbox();
  const done = Promise.all([
    driver(outside, ledger, mailbox, controller.signal),
    producer(outside, mailbox),
    observer(outside, ledger, controller.signal),
  ]).then(() => {
    ledger.finished = true;
  });
  return { ledger, done };
}

class Mailbox {
  readonly #items: number[] = [];
  #waiter: ((item: number | null) => void) | null = null;
  #closed = false;

  push(item: number): void {
    if (this.#waiter === null) this.#items.push(item);
    else this.#wake(item);
  }

  close(): void {
    this.#closed = true;
    if (this.#waiter !== null) this.#wake(null);
  }

  async take(): Promise<number | null> {
    const item = this.#items.shift();
    if (item !== undefined) return item;
    if (this.#closed) return null;
    return new Promise((resolve) => {
      this.#waiter = resolve;
    });
  }

  #wake(item: number | null): void {
    const wake = this.#waiter;
    this.#waiter = null;
    wake?.(item);
  }
}

async function driver(outside: Outside, ledger: Ledger, mailbox: Mailbox, signal: AbortSignal): Promise<void> {
  for (;;) {
    const item = await mailbox.take();
    if (item === null) return;
    try {
      await outside.pause("model");
      signal.throwIfAborted();
      await outside.pause("tool");
      ledger.total += item;
      ledger.turns++;
    } catch {
      ledger.aborts++;
    }
  }
}

async function producer(outside: Outside, mailbox: Mailbox): Promise<void> {
  for (let item = 1; item <= 5; item++) {
    await outside.pause("prompt");
    mailbox.push(item);
  }
  mailbox.close();
}

async function observer(outside: Outside, ledger: Ledger, signal: AbortSignal): Promise<void> {
  for (let look = 0; look < 2; look++) {
    await outside.pause("look");
    if (signal.aborted || ledger.turns > 5) throw new Error("the ledger counts more turns than prompts");
  }
}
