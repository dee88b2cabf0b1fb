import type { AgentPorts, AgentUnderTest, Message, StepOutcome } from "microloom/properties";

/** An agent as one writes it on a Tuesday: a queue, a loop, an AbortController. */
class TuesdayAgent implements AgentUnderTest {
  readonly #ports: AgentPorts;
  readonly #queue: Message[] = [];
  #running = false;
  #abort = new AbortController();
  #turns = 0;
  #waiting: (() => void)[] = [];

  constructor(ports: AgentPorts) {
    this.#ports = ports;
  }

  send(message: Message): void {
    this.#queue.push(message);
    if (message.wake && !this.#running) void this.#run();
  }

  cancel(cause: string, { keepInbox }: { keepInbox: boolean }): void {
    if (!keepInbox) this.#queue.length = 0;
    this.#abort.abort(cause);
  }

  async whenIdle(): Promise<void> {
    if (this.#running) await new Promise<void>((resolve) => this.#waiting.push(resolve));
  }

  async #run(): Promise<void> {
    this.#running = true;
    this.#abort = new AbortController();
    this.#ports.onStatus("running");
    try {
      do await this.#turn(++this.#turns, this.#abort);
      while (this.#queue.length > 0 && !this.#abort.signal.aborted);
    } finally {
      this.#running = false;
      this.#ports.onStatus("idle");
      for (const resolve of this.#waiting.splice(0)) resolve();
    }
  }

  async #turn(turn: number, { signal }: AbortController): Promise<void> {
    await this.#ports.append({ type: "turn/start", turn });
    let outcome: StepOutcome | "failed" = "continue";
    for (let step = 1; outcome === "continue" && !signal.aborted; step++) {
      const messages = step === 1 ? this.#queue.splice(0, 1) : [];
      if (step === 1 && messages.length === 0) outcome = "completed";
      else outcome = await this.#ports.runStep({ turn, step, messages, signal }).catch(() => "failed" as const);
    }
    const reason = signal.aborted
      ? { kind: "aborted" as const, cause: String(signal.reason) }
      : { kind: outcome === "continue" ? ("completed" as const) : outcome };
    await this.#ports.append({ type: "turn/end", turn, reason });
  }
}

export const createAgent = (ports: AgentPorts): AgentUnderTest => new TuesdayAgent(ports);
