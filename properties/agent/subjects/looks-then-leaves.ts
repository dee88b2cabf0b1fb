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
import { Activity } from "./activity.ts";
import { Inbox } from "./inbox.ts";
import { announce, runTurn } from "./turn.ts";
import { TurnLog } from "./turn-log.ts";
import { Waiters } from "./waiters.ts";

export class LooksThenLeaves implements AgentUnderTest {
  readonly #ports: AgentPorts;
  readonly #inbox = new Inbox();
  readonly #log = new TurnLog();
  readonly #waiters = new Waiters();
  /** The driver or the task that is live; null at idle. */
  #activity: Activity | null = null;
  #disposed = false;

  constructor(ports: AgentPorts) {
    this.#ports = ports;
  }

  send(message: Message): void {
    this.#inbox.put(this.#activity?.takes(message) ?? message);
    if (message.wake && !this.#disposed) this.#kick(message.id);
  }

  retract(id: string): void {
    const message = this.#inbox.remove(id);
    if (message !== undefined) announce(this.#ports, [message], "canceled");
  }

  cancel(cause: string, { keepInbox }: { readonly keepInbox: boolean }): void {
    const cleared = keepInbox ? [] : this.#inbox.clear();
    if (!keepInbox) this.#activity?.latched.clear();
    this.#activity?.stop(cause);
    announce(this.#ports, cleared, "canceled");
  }

  dispose(): Promise<void> {
    this.#disposed = true;
    this.#activity?.latched.clear();
    this.#activity?.stop("disposed");
    return this.whenIdle();
  }

  async whenIdle(): Promise<void> {
    if (this.#activity !== null) await this.#waiters.wait();
  }

  async runMaintenance(task: (signal: AbortSignal) => Promise<void>): Promise<void> {
    if (this.#disposed || this.#activity !== null || this.#log.unwritten !== null) {
      throw new Error("Cannot run maintenance: the agent is busy, disposed of, or has a record to write");
    }
    const activity = this.#begin("task");
    try {
      await task(activity.signal);
    } finally {
      this.#activity = null;
      if (!this.#disposed && activity.isWoken(this.#inbox)) void this.#drive();
      else this.#waiters.release();
    }
  }

  #kick(id: string): void {
    const activity = this.#activity;
    if (activity === null) void this.#drive();
    else if (activity.kind === "task" || activity.isStopped || activity.hasFailed) activity.latched.add(id);
    // Else the driver looks at the inbox at its next boundary.
  }

  async #drive(): Promise<void> {
    try {
      await this.#runWhileWoken();
    } finally {
      this.#activity = null;
      this.#ports.onStatus("idle");
      if (this.#activity === null) this.#waiters.release();
    }
  }

  async #runWhileWoken(): Promise<void> {
    let driver = this.#begin("driver");
    while (true) {
      this.#ports.onStatus("running");
      await this.#runTurns(driver);
      // The last look.
      if (this.#disposed || !driver.isWoken(this.#inbox)) return;
      driver = this.#begin("driver");
      this.#ports.onStatus("idle");
    }
  }

  /** Runs turns until the inbox wants none, or until a stop, a failure or a refused record parks what it wants. */
  async #runTurns(driver: Activity): Promise<void> {
    let landed: boolean;
    do {
      landed = await runTurn({ driver, log: this.#log, inbox: this.#inbox, ports: this.#ports });
    } while (landed && !driver.isStopped && !driver.hasFailed && this.#inbox.wantsTurn);
  }

  #begin(kind: "driver" | "task"): Activity {
    const activity = new Activity(kind);
    this.#activity = activity;
    return activity;
  }
}
