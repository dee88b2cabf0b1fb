/**
 * An agent that starts for what was cleared. What it does differently: `cancel` without keepInbox empties the inbox and
 * leaves the latch as it is. The latch is a list of its own, from which `retract` strikes what it takes back, so whoever
 * replays it does not look into the inbox again; the clear has been forgotten. The driver then starts over for nothing.
 *
 * The design notes make the clear a decision about the latch, too: cleared is cleared. It breaks where a wake is sent
 * after a stop and a second stop clears it before the first has converged. The same fault breaks no-empty-replay.
 */
import type { Message } from "../../../core/agent/state.ts";
import type { AgentPorts, AgentUnderTest } from "../ports.ts";
import { Activity } from "./activity.ts";
import { Inbox } from "./inbox.ts";
import { announce, runTurn } from "./turn.ts";
import { TurnLog } from "./turn-log.ts";
import { Waiters } from "./waiters.ts";

export class KeepsLatchOnClear implements AgentUnderTest {
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
    this.#activity?.latched.delete(id);
    if (message !== undefined) announce(this.#ports, [message], "canceled");
  }

  cancel(cause: string, { keepInbox }: { readonly keepInbox: boolean }): void {
    const cleared = keepInbox ? [] : this.#inbox.clear();
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
    let landed: boolean;
    do {
      landed = await runTurn({ driver, log: this.#log, inbox: this.#inbox, ports: this.#ports });
    } while (landed && !driver.isStopped && !driver.hasFailed && this.#inbox.wantsTurn);
    this.#leave(driver);
  }

  /** Looks and leaves in one go: a wake comes before it and is seen, or after it and finds nobody. */
  #leave(activity: Activity): void {
    const next = !this.#disposed && activity.latched.size > 0 ? new Activity() : null;
    this.#activity = next;
    if (activity.kind === "driver") this.#ports.onStatus("idle");
    if (next !== null) void this.#drive(next);
    // Whoever was told may have sent something.
    else if (this.#activity === null) this.#waiters.release();
  }
}
