/**
 * An agent with the fix that the design notes propose: a latch for wakes that arrive while a stopped driver converges,
 * and a last look at latch and inbox before the driver leaves. What it does differently from the core: the last look and
 * the exit are two steps. The driver is an async function, so the code that forgets it runs a few microtasks after the
 * look. A wake that arrives in between sees a driver that is there and has nothing against it, and arms nothing.
 *
 * No delivery of its own can get in there: it takes one that arrives inside the drain of the one before it, as when both
 * come out of one promise chain. So it is right at level spec and loses a wake at level jitter.
 */
import type { Message } from "../../../core/agent/state.ts";
import type { AgentPorts, AgentUnderTest } from "../ports.ts";
import { Inbox } from "./inbox.ts";
import { announce, runTurn } from "./turn.ts";

export class LooksThenLeaves implements AgentUnderTest {
  readonly #ports: AgentPorts;
  readonly #inbox = new Inbox();
  #driving = false;
  #controller = new AbortController();
  #closing = false;
  #failed = false;
  /** Waking messages that came while the driver converged: it has to start over for them. */
  readonly #wakeRequested = new Set<string>();
  #turns = 0;
  #waiting: (() => void)[] = [];

  constructor(ports: AgentPorts) {
    this.#ports = ports;
  }

  send(message: Message): void {
    // Nobody is left to steer: the message asks for a turn of its own.
    const late = message.wake && this.#driving && (this.#closing || this.#controller.signal.aborted);
    this.#inbox.put(late ? { ...message, lane: "next-turn" } : message);
    if (message.wake) this.#kick(message.id);
  }

  retract(id: string): void {
    const message = this.#inbox.remove(id);
    if (message !== undefined) announce(this.#ports, [message], "canceled");
  }

  cancel(cause: string, { keepInbox }: { readonly keepInbox: boolean }): void {
    if (!keepInbox) {
      announce(this.#ports, this.#inbox.clear(), "canceled");
      this.#wakeRequested.clear();
    }
    if (this.#driving) this.#controller.abort(cause);
  }

  async whenIdle(): Promise<void> {
    if (this.#driving) await new Promise<void>((resolve) => this.#waiting.push(resolve));
  }

  #kick(id: string): void {
    if (!this.#driving) {
      this.#driving = true;
      void this.#drive();
    } else if (this.#controller.signal.aborted || this.#failed) {
      this.#wakeRequested.add(id);
    }
    // Else the driver looks at the inbox at its next boundary.
  }

  async #drive(): Promise<void> {
    try {
      await this.#runWhileWoken();
    } finally {
      this.#driving = false;
      this.#ports.onStatus("idle");
      for (const resolve of this.#waiting.splice(0)) resolve();
    }
  }

  async #runWhileWoken(): Promise<void> {
    this.#startOver();
    while (true) {
      await this.#runTurns();
      if (!this.#isWakeRequested()) return;
      this.#ports.onStatus("idle");
      this.#startOver();
    }
  }

  /** Runs turns until the inbox wants none, or until a stop or a failure parks what it wants. */
  async #runTurns(): Promise<void> {
    do {
      this.#closing = false;
      await runTurn({
        turn: ++this.#turns,
        inbox: this.#inbox,
        ports: this.#ports,
        signal: this.#controller.signal,
        onClosing: ({ kind }) => {
          this.#closing = true;
          this.#failed = kind === "failed";
        },
      });
    } while (!this.#controller.signal.aborted && !this.#failed && this.#inbox.wantsTurn);
  }

  #startOver(): void {
    this.#controller = new AbortController();
    this.#closing = false;
    this.#failed = false;
    this.#wakeRequested.clear();
    this.#ports.onStatus("running");
  }

  /** The last look. A message that was taken back meanwhile asks for nothing. */
  #isWakeRequested(): boolean {
    return [...this.#wakeRequested].some((id) => this.#inbox.has(id));
  }
}
