/**
 * An agent that forgets a wake. What it does differently: it has no latch. A message that arrives while a driver runs
 * wakes nobody, because the driver will find it; but a driver that was stopped leaves without another look.
 *
 * It comes from a good reason: "after a stop nothing may run by itself", so the loop ends at a stop whatever the inbox
 * holds. That is right for what was pending at the stop, and wrong for what was sent after it (defect #1838).
 */
import type { Message } from "../../../core/agent/state.ts";
import type { AgentPorts, AgentUnderTest } from "../ports.ts";
import { Inbox } from "./inbox.ts";
import { announce, runTurn } from "./turn.ts";

export class ParksLateWakes implements AgentUnderTest {
  readonly #ports: AgentPorts;
  readonly #inbox = new Inbox();
  /** Of the driver that runs; null at idle. */
  #controller: AbortController | null = null;
  #closing = false;
  #turns = 0;
  #waiting: (() => void)[] = [];

  constructor(ports: AgentPorts) {
    this.#ports = ports;
  }

  send(message: Message): void {
    // Nobody is left to steer: the message asks for a turn of its own.
    const late = message.wake && (this.#closing || this.#controller?.signal.aborted === true);
    this.#inbox.put(late ? { ...message, lane: "next-turn" } : message);
    if (message.wake) this.#wakeDriver();
  }

  retract(id: string): void {
    const message = this.#inbox.remove(id);
    if (message !== undefined) announce(this.#ports, [message], "canceled");
  }

  cancel(cause: string, { keepInbox }: { readonly keepInbox: boolean }): void {
    if (!keepInbox) announce(this.#ports, this.#inbox.clear(), "canceled");
    this.#controller?.abort(cause);
  }

  async whenIdle(): Promise<void> {
    if (this.#controller !== null) await new Promise<void>((resolve) => this.#waiting.push(resolve));
  }

  #wakeDriver(): void {
    // A driver is running, it will see the message.
    if (this.#controller !== null) return;
    this.#controller = new AbortController();
    void this.#drive(this.#controller.signal);
  }

  async #drive(signal: AbortSignal): Promise<void> {
    this.#ports.onStatus("running");
    let failed = false;
    try {
      do {
        this.#closing = false;
        await runTurn({
          turn: ++this.#turns,
          inbox: this.#inbox,
          ports: this.#ports,
          signal,
          onClosing: ({ kind }) => {
            this.#closing = true;
            failed = kind === "failed";
          },
        });
      } while (!signal.aborted && !failed && this.#inbox.wantsTurn);
    } finally {
      this.#closing = false;
      this.#controller = null;
      this.#ports.onStatus("idle");
      for (const resolve of this.#waiting.splice(0)) resolve();
    }
  }
}
