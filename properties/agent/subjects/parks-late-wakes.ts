/**
 * An agent that forgets a wake. What it does differently: its driver has no latch. A message that arrives while a driver
 * runs wakes nobody, because the driver will find it; but a driver that was stopped leaves without another look.
 *
 * It comes from a good reason: "after a stop nothing may run by itself", so the loop ends at a stop whatever the inbox
 * holds. That is right for what was pending at the stop, and wrong for what was sent after it (defect #1838). It breaks
 * between a stop and the end of the turn that it strikes.
 */
import type { Message } from "../../../core/agent/state.ts";
import type { AgentPorts, AgentUnderTest } from "../ports.ts";
import { Activity } from "./activity.ts";
import { Inbox } from "./inbox.ts";
import { announce, runTurn } from "./turn.ts";
import { TurnLog } from "./turn-log.ts";
import { Waiters } from "./waiters.ts";

export class ParksLateWakes implements AgentUnderTest {
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
    if (message.wake && !this.#disposed) this.#wakeDriver(message.id);
  }

  retract(id: string): void {
    const message = this.#inbox.remove(id);
    if (message !== undefined) announce(this.#ports, [message], "canceled");
  }

  cancel(cause: string, { keepInbox }: { readonly keepInbox: boolean }): void {
    const cleared = keepInbox ? [] : this.#inbox.clear();
    this.#activity?.stop(cause);
    announce(this.#ports, cleared, "canceled");
  }

  dispose(): Promise<void> {
    this.#disposed = true;
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
    const activity = new Activity("task");
    this.#activity = activity;
    try {
      await task(activity.signal);
    } finally {
      this.#activity = null;
      if (!this.#disposed && activity.isWoken(this.#inbox)) void this.#drive();
      else this.#waiters.release();
    }
  }

  #wakeDriver(id: string): void {
    if (this.#activity === null) void this.#drive();
    else if (this.#activity.kind === "task") this.#activity.latched.add(id);
    // A driver is running, it will see the message.
  }

  async #drive(): Promise<void> {
    const driver = new Activity();
    this.#activity = driver;
    this.#ports.onStatus("running");
    let landed: boolean;
    do {
      landed = await runTurn({ driver, log: this.#log, inbox: this.#inbox, ports: this.#ports });
    } while (landed && !driver.isStopped && !driver.hasFailed && this.#inbox.wantsTurn);
    this.#activity = null;
    this.#ports.onStatus("idle");
    // Whoever was told may have sent something.
    if (this.#activity === null) this.#waiters.release();
  }
}
