/**
 * An agent that does not stay stopped. What it does differently: every wake that finds a driver is latched, whether that
 * driver has been stopped or not. A prompt that was waiting when the user stopped the agent is in the latch as well, and
 * the agent starts over for it as soon as the stop has converged.
 *
 * It is the shortest fix of defect #1838, and the one that the design notes reject first: only what was sent after a stop
 * may outlive it. It breaks where a wake is sent to a live driver and a stop comes before that driver claims it.
 */
import type { Message } from "../../../core/agent/state.ts";
import type { AgentPorts, AgentUnderTest } from "../ports.ts";
import { Activity } from "./activity.ts";
import { Inbox } from "./inbox.ts";
import { announce, runTurn } from "./turn.ts";
import { TurnLog } from "./turn-log.ts";
import { Waiters } from "./waiters.ts";

export class LatchesEveryWake implements AgentUnderTest {
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
    try {
      await task(activity.signal);
    } finally {
      this.#leave(activity);
    }
  }

  #kick(id: string): void {
    if (this.#activity === null) void this.#drive();
    else this.#activity.latched.add(id);
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
  #leave(activity: Activity): void {
    const next = !this.#disposed && activity.isWoken(this.#inbox) ? new Activity() : null;
    this.#activity = next;
    if (activity.kind === "driver") this.#ports.onStatus("idle");
    if (next !== null) void this.#drive(next);
    // Whoever was told may have sent something.
    else if (this.#activity === null) this.#waiters.release();
  }
}
