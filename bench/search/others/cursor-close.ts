/**
 * Defect: a cursor that is closed while a fetch is in flight. Closing gives the connection back at once, and so does the
 * fetch when it ends. The pool refuses a connection that it has, but not one that somebody else has borrowed meanwhile;
 * then two borrowers share it.
 */
import { type Program, type Step, traffic } from "../program.ts";

/** Whoever gives a connection back may wake the cursor, which then has it. */
const both = { writes: ["pool", "cursor"] };

export const cursorClose: Program = {
  name: "cursorClose",
  start(outside) {
    const connections = new Pool(1);
    const cursor = new Cursor(connections);
    const inUse = new Map<number, string>();
    outside.actor("viewer", async (step) => {
      await step("scroll", { writes: ["screen"] });
      await step("close", both);
      cursor.close();
    });
    outside.actor("cursor", async (step) => {
      await step("open", both);
      await cursor.open();
      // A page is dropped, and the connection let go, where the cursor was closed meanwhile.
      for await (const _page of cursor.pages(step)) {
        await step("render", { writes: ["screen", ...both.writes] });
      }
    });
    for (const name of ["report", "export"]) {
      outside.actor(name, async (step) => {
        await step("borrow", { writes: ["pool"] });
        const connection = await connections.borrow();
        const other = inUse.get(connection);
        if (other !== undefined) outside.violated(`${name} and ${other} share connection ${connection}`);
        inUse.set(connection, name);
        await traffic(step, name, 3, "query");
        await step("give back", both);
        inUse.delete(connection);
        connections.giveBack(connection);
      });
    }
    outside.actor("metrics", (step) => traffic(step, "metrics", 6, "sample"));
    return () => [connections.look(), cursor.look(), ...inUse];
  },
};

class Pool {
  readonly #free: number[] = [];
  readonly #waiting: ((connection: number) => void)[] = [];

  constructor(size: number) {
    for (let connection = 1; connection <= size; connection++) this.#free.push(connection);
  }

  borrow(): Promise<number> {
    const connection = this.#free.pop();
    if (connection !== undefined) return Promise.resolve(connection);
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  giveBack(connection: number): void {
    if (this.#free.includes(connection)) return;
    const waiter = this.#waiting.shift();
    if (waiter === undefined) this.#free.push(connection);
    else waiter(connection);
  }

  look(): unknown {
    return [this.#free, this.#waiting.length];
  }
}

class Cursor {
  readonly #pool: Pool;
  #connection: number | null = null;
  #closed = false;

  constructor(pool: Pool) {
    this.#pool = pool;
  }

  async open(): Promise<void> {
    this.#connection = await this.#pool.borrow();
  }

  async *pages(step: Step): AsyncGenerator<number> {
    const connection = this.#connection;
    if (connection === null) return;
    try {
      for (let page = 1; page <= 4 && !this.#closed; page++) {
        await step(`page ${page}`, both);
        if (this.#closed) return;
        if (page === 4) this.#closed = true;
        yield page;
      }
    } finally {
      this.#pool.giveBack(connection);
    }
  }

  /** Does not wait for the server: whoever closes wants the connection back now. */
  close(): void {
    if (this.#closed || this.#connection === null) return;
    this.#closed = true;
    this.#pool.giveBack(this.#connection);
  }

  look(): unknown {
    return [this.#connection, this.#closed];
  }
}
