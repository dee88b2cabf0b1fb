/**
 * An agent that swallows a stop. What it does differently: between two turns it asks how the last one ended, and not whether
 * somebody has stopped it since. A stop that comes while the end of a turn is being written does not change how that turn
 * ended, and then the next turn gets a fresh controller: nobody remembers the stop, and what it should have parked runs.
 *
 * A controller for each turn is right, and the design notes want it; the boundary has to look at the old one first. It
 * breaks between the decision to end a turn and the start of the next. A swallowed stop breaks cancel-bites as well.
 */
import type { Message } from "../../../core/agent/state.ts";
import type { AgentPorts, AgentUnderTest } from "../ports.ts";
import { Activity } from "./activity.ts";
import { Inbox } from "./inbox.ts";
import { announce, runTurn } from "./turn.ts";
import { TurnLog } from "./turn-log.ts";
import { Waiters } from "./waiters.ts";

export class FreshControllerAtBoundary implements AgentUnderTest {
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
    const activity = this.#activity;
    if (activity === null) void this.#drive();
    else if (activity.kind === "task" || activity.isStopped || activity.hasFailed) activity.latched.add(id);
    // Else the driver looks at the inbox at its next boundary.
  }

  async #drive(driver = new Activity()): Promise<void> {
    this.#activity = driver;
    this.#ports.onStatus("running");
    while (await runTurn({ driver, log: this.#log, inbox: this.#inbox, ports: this.#ports })) {
      if (this.#disposed || driver.outcome?.kind === "aborted" || driver.hasFailed) break;
      if (!this.#inbox.wantsTurn) break;
      // A signal that has fired stays fired, so the next turn gets one of its own.
      driver.freshController();
    }
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
