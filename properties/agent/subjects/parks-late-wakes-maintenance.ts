/**
 * An agent that forgets a wake around maintenance. What it does differently: the look at the latch stands behind the
 * `await` of the task, and not in the `finally`. A task that was stopped ends by rejecting, so nobody looks.
 *
 * It is the fault of `parks-late-wakes` once more (defect #1838), in an agent whose driver is right: whoever fixed the
 * driver did not think of the other activity. It breaks between the stop of a maintenance task and the task's end.
 */
import type { Message } from "../../../core/agent/state.ts";
import type { AgentPorts, AgentUnderTest } from "../ports.ts";
import { Activity } from "./activity.ts";
import { Inbox } from "./inbox.ts";
import { announce, runTurn } from "./turn.ts";
import { TurnLog } from "./turn-log.ts";
import { Waiters } from "./waiters.ts";

export class ParksLateWakesMaintenance implements AgentUnderTest {
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
    const activity = new Activity("task");
    this.#activity = activity;
    let isWoken = false;
    try {
      await task(activity.signal);
      // Whoever wrote while the task ran gets an answer now.
      isWoken = !this.#disposed && activity.isWoken(this.#inbox);
    } finally {
      this.#activity = null;
      if (isWoken) void this.#drive();
      else this.#waiters.release();
    }
  }

  #kick(id: string): void {
    const activity = this.#activity;
    if (activity === null) void this.#drive();
    else if (activity.kind === "task" || activity.isStopped || activity.hasFailed) activity.latched.add(id);
    // Else the driver looks at the inbox at its next boundary.
  }

  async #drive(driver = new Activity()): Promise<void> {
    this.#activity = driver;
    this.#ports.onStatus("running");
    let landed: boolean;
    do {
      landed = await runTurn({ driver, log: this.#log, inbox: this.#inbox, ports: this.#ports });
    } while (landed && !driver.isStopped && !driver.hasFailed && this.#inbox.wantsTurn);
    this.#leave(driver);
  }

  /** Looks and leaves in one go: a wake comes before it and is seen, or after it and finds nobody. */
  #leave(driver: Activity): void {
    const next = !this.#disposed && driver.isWoken(this.#inbox) ? new Activity() : null;
    this.#activity = next;
    this.#ports.onStatus("idle");
    if (next !== null) void this.#drive(next);
    // Whoever was told may have sent something.
    else if (this.#activity === null) this.#waiters.release();
  }
}
