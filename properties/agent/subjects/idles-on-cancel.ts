/**
 * An agent with two drivers. What it does differently: `cancel` lets go of the driver at once. The driver unwinds on its own
 * account, its step is torn down, its turn/end is written; but a wake that comes meanwhile finds the agent idle and starts
 * another one, which opens its turn inside the turn of the first.
 *
 * It is the other short fix of defect #1838, since no wake can come too late for a driver that is gone, and the design notes
 * reject it: idle is when the activity has converged. Observers and callers of `whenIdle()` wait for the last driver here,
 * so that is all that is wrong. It breaks between a stop and the turn/end of the turn that it strikes. Once there are
 * two drivers, turn-end-before-turn-start breaks as well, and cancel-bites, since the agent has never come to rest.
 */
import type { Message } from "../../../core/agent/state.ts";
import type { AgentPorts, AgentUnderTest } from "../ports.ts";
import { Activity } from "./activity.ts";
import { Inbox } from "./inbox.ts";
import { announce, runTurn } from "./turn.ts";
import { TurnLog } from "./turn-log.ts";
import { Waiters } from "./waiters.ts";

export class IdlesOnCancel implements AgentUnderTest {
  readonly #ports: AgentPorts;
  readonly #inbox = new Inbox();
  readonly #log = new TurnLog();
  readonly #waiters = new Waiters();
  /** The driver or the task that is live; null at idle. */
  #activity: Activity | null = null;
  /** Drivers that have not finished, let go or not. */
  #drivers = 0;
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
    // A task has to be over before anything else may run; a driver that was stopped does nothing any more.
    if (this.#activity?.kind === "driver") this.#activity = null;
    announce(this.#ports, cleared, "canceled");
  }

  dispose(): Promise<void> {
    this.#disposed = true;
    this.#activity?.latched.clear();
    this.#activity?.stop("disposed");
    return this.whenIdle();
  }

  async whenIdle(): Promise<void> {
    if (this.#activity !== null || this.#drivers > 0) await this.#waiters.wait();
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
    this.#drivers += 1;
    if (this.#drivers === 1) this.#ports.onStatus("running");
    let landed: boolean;
    do {
      landed = await runTurn({ driver, log: this.#log, inbox: this.#inbox, ports: this.#ports });
    } while (landed && !driver.isStopped && !driver.hasFailed && this.#inbox.wantsTurn);
    this.#drivers -= 1;
    this.#leave(driver);
  }

  #leave(activity: Activity): void {
    const next = !this.#disposed && activity.isWoken(this.#inbox) ? new Activity() : null;
    // Another driver may have taken over.
    if (this.#activity === activity) this.#activity = next;
    if (activity.kind === "driver" && this.#drivers === 0) this.#ports.onStatus("idle");
    if (next !== null) void this.#drive(next);
    else if (this.#activity === null && this.#drivers === 0) this.#waiters.release();
  }
}
