import { scenario } from "microloom";

/** An ordinary agent: one driver at a time answers the inbox, a user can stop it. */
class Agent {
  readonly inbox: string[] = [];
  #driving = false;
  #abort = new AbortController();
  readonly #outside: { model(): Promise<unknown>; teardown(): Promise<void> };

  constructor(outside: { model(): Promise<unknown>; teardown(): Promise<void> }) {
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

export const lateWake = scenario("a message sent while the turn is being stopped is answered", (world) => {
  const agent = new Agent({
    model: () => world.io("agent:model", () => "an answer"),
    teardown: () => world.delay("agent:teardown"),
  });
  world.events("user", [
    ["send a", () => agent.send("a")],
    ["stop", () => agent.stop()],
    ["send b", () => agent.send("b")],
  ]);
  world.atQuiescence("no message lies in the inbox", () => {
    return agent.inbox.length === 0 || `the inbox still holds ${agent.inbox.join(", ")}`;
  });
});
