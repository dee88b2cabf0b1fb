/**
 * An agent that owes a turn. What it does differently: "is it still there?" is asked in `#wakeDriver()`, where every wake
 * comes by, and not only where a latched one is replayed. A wake at idle is collected for a moment, so that several sends
 * share one driver; if its message is taken back in that moment, no driver starts, and nobody sees idle, running, idle.
 *
 * The design notes keep the guard out of the idle path: a goal driver that has sent its next round waits for that edge, and
 * hangs. It breaks between a wake at idle and the timer that starts the driver.
 */
import type { Message } from "../../../core/agent/state.ts";
import type { AgentPorts, AgentUnderTest } from "../ports.ts";
import { Activity } from "./activity.ts";
import { Inbox } from "./inbox.ts";
import { announce, runTurn } from "./turn.ts";
import { TurnLog } from "./turn-log.ts";
import { Waiters } from "./waiters.ts";

export class GuardsIdleWake implements AgentUnderTest {
  readonly #ports: AgentPorts;
  readonly #inbox = new Inbox();
  readonly #log = new TurnLog();
  readonly #waiters = new Waiters();
  /** The driver or the task that is live; null at idle. */
  #activity: Activity | null = null;
  /** Wakes at idle that the timer will start a driver for. */
  readonly #woken = new Set<string>();
  #timer: ReturnType<typeof setTimeout> | null = null;
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
    if (this.#activity !== null || this.#timer !== null) await this.#waiters.wait();
  }

  async runMaintenance(task: (signal: AbortSignal) => Promise<void>): Promise<void> {
    if (this.#disposed || this.#activity !== null || this.#timer !== null || this.#log.unwritten !== null) {
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
      this.#woken.add(id);
      this.#timer ??= setTimeout(() => this.#wakeUp(), 0);
    } else if (activity.kind === "task" || activity.isStopped || activity.hasFailed) {
      activity.latched.add(id);
    }
    // Else the driver looks at the inbox at its next boundary.
  }

  #wakeUp(): void {
    this.#timer = null;
    const woken = [...this.#woken];
    this.#woken.clear();
    this.#wakeDriver(woken);
  }

  #wakeDriver(woken: readonly string[]): void {
    if (!this.#disposed && woken.some((id) => this.#inbox.has(id))) void this.#drive();
    else this.#waiters.release();
  }

  async #drive(): Promise<void> {
    const driver = new Activity();
    this.#activity = driver;
    this.#ports.onStatus("running");
    let landed: boolean;
    do {
      landed = await runTurn({ driver, log: this.#log, inbox: this.#inbox, ports: this.#ports });
    } while (landed && !driver.isStopped && !driver.hasFailed && this.#inbox.wantsTurn);
    this.#leave(driver);
  }

  #leave(activity: Activity): void {
    this.#activity = null;
    if (activity.kind === "driver") this.#ports.onStatus("idle");
    // Whoever was told may have sent something; then the timer looks.
    if (this.#timer === null) this.#wakeDriver([...activity.latched]);
    else for (const id of activity.latched) this.#woken.add(id);
  }
}
