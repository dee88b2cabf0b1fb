/**
 * An agent whose idle is not true. What it does differently: it has no latch, but a promise of the activity that is live,
 * and a wake that comes too late for that activity is replayed with `activityDone.then(...)`. Callers of `whenIdle()` wait
 * for the same promise: they are told that the agent is at rest, and then it starts by itself.
 *
 * The design notes reject it for that: nobody may be told of idle while a replay is due. It breaks wherever a wake is sent
 * while a stopped, failed or maintained agent converges, and somebody waits.
 */
import type { Message } from "../../../core/agent/state.ts";
import type { AgentPorts, AgentUnderTest } from "../ports.ts";
import { Activity } from "./activity.ts";
import { Inbox } from "./inbox.ts";
import { announce, runTurn } from "./turn.ts";
import { TurnLog } from "./turn-log.ts";

export class ReplaysByPromise implements AgentUnderTest {
  readonly #ports: AgentPorts;
  readonly #inbox = new Inbox();
  readonly #log = new TurnLog();
  /** The driver or the task that is live; null at idle. */
  #activity: Activity | null = null;
  #activityDone: Promise<void> = Promise.resolve();
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
    this.#activity?.stop(cause);
    announce(this.#ports, cleared, "canceled");
  }

  dispose(): Promise<void> {
    this.#disposed = true;
    this.#activity?.stop("disposed");
    return this.whenIdle();
  }

  whenIdle(): Promise<void> {
    return this.#activityDone;
  }

  runMaintenance(task: (signal: AbortSignal) => Promise<void>): Promise<void> {
    if (this.#disposed || this.#activity !== null || this.#log.unwritten !== null) {
      const why = "Cannot run maintenance: the agent is busy, disposed of, or has a record to write";
      return Promise.reject(new Error(why));
    }
    const maintenance = this.#maintain(task);
    this.#activityDone = maintenance.catch(() => {});
    return maintenance;
  }

  #kick(id: string): void {
    const activity = this.#activity;
    if (activity === null) this.#activityDone = this.#drive();
    else if (activity.kind === "task" || activity.isStopped || activity.hasFailed) {
      void this.#activityDone.then(() => this.#replay(id));
    }
    // Else the driver looks at the inbox at its next boundary.
  }

  /** A wake that was taken back meanwhile asks for nothing. */
  #replay(id: string): void {
    if (!this.#disposed && this.#inbox.has(id)) this.#kick(id);
  }

  async #maintain(task: (signal: AbortSignal) => Promise<void>): Promise<void> {
    const activity = new Activity("task");
    this.#activity = activity;
    try {
      await task(activity.signal);
    } finally {
      this.#activity = null;
    }
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
  }
}
