/**
 * An agent that gets up again after its disposal, if a user has stopped it before. What it does differently: it asks the
 * cause of the stop whether it is being disposed of. The first cause stays, so a dispose that comes after a user's stop is
 * not seen, and a wake behind it is latched and replayed.
 *
 * That the first cause stays is a decision of the design notes; that disposal is a fact of its own, and no cause, is what
 * they need beside it. It breaks where a dispose comes while a user's stop converges, and a wake after it.
 */
import type { Message } from "../../../core/agent/state.ts";
import type { AgentPorts, AgentUnderTest } from "../ports.ts";
import { Activity } from "./activity.ts";
import { Inbox } from "./inbox.ts";
import { announce, runTurn } from "./turn.ts";
import { TurnLog } from "./turn-log.ts";
import { Waiters } from "./waiters.ts";

export class FirstCauseDecidesDispose implements AgentUnderTest {
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
    if (message.wake) this.#kick(message.id);
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
    const activity = this.#activity;
    if (activity === null) {
      if (!this.#disposed) void this.#drive();
    } else if (activity.isStopped) {
      // Nobody starts over for a message that came after the disposal.
      if (activity.signal.reason !== "disposed") activity.latched.add(id);
    } else if (activity.kind === "task" || activity.hasFailed) {
      activity.latched.add(id);
    }
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
  #leave(activity: Activity): void {
    const next = activity.isWoken(this.#inbox) ? new Activity() : null;
    this.#activity = next;
    if (activity.kind === "driver") this.#ports.onStatus("idle");
    if (next !== null) void this.#drive(next);
    // Whoever was told may have sent something.
    else if (this.#activity === null) this.#waiters.release();
  }
}
