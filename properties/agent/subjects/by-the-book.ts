/**
 * An agent that keeps the contract, written from its page alone and in the style of the subjects beside it: a driver that is
 * an async loop, ports that are awaited, fields that say what is live. It keeps no notes, and tells what became of each
 * message by `onRemoved`. Everything that is false in the other subjects stands here as it should be:
 *
 * - A command changes the state at once, and tells of it afterwards (`effects.ts`). So a command from inside an observer
 *   finds a state that is whole.
 * - The driver looks and leaves in one go, in `#converge`. An `await` between the two would be a gap.
 * - After each `await` the driver asks first whether somebody has stopped it.
 */
import type { Message, TurnEndReason, TurnRecord } from "../../../core/agent/state.ts";
import type { AgentPorts, AgentUnderTest, RemovalOutcome } from "../ports.ts";
import { Activity } from "./activity.ts";
import { AnsweringPorts } from "./answering-ports.ts";
import { Effects } from "./effects.ts";
import { Inbox } from "./inbox.ts";
import { TurnLog } from "./turn-log.ts";
import { Waiters } from "./waiters.ts";

const completed: TurnEndReason = { kind: "completed" };
const failed: TurnEndReason = { kind: "failed" };
const blocked: TurnEndReason = { kind: "blocked" };

export class ByTheBook implements AgentUnderTest {
  readonly #tells: Pick<AgentPorts, "onStatus" | "onRemoved">;
  readonly #asks: AnsweringPorts;
  readonly #inbox = new Inbox();
  readonly #log = new TurnLog();
  readonly #effects = new Effects();
  #waiters = new Waiters();
  /** The driver or the task that is live; null at idle. */
  #activity: Activity | null = null;
  /** Claimed for a step and not yet in it. */
  #batch: readonly Message[] = [];
  #disposed = false;

  constructor(ports: AgentPorts) {
    this.#tells = ports;
    this.#asks = new AnsweringPorts(ports);
  }

  /** Throws where the id is pending. After `dispose()` a message is kept, and nothing will run it. */
  send(message: Message): "accepted" | "parked" {
    if (this.#batch.some(({ id }) => id === message.id)) {
      throw new Error(`Cannot send "${message.id}": a message of this id is about to enter a step`);
    }
    const activity = this.#activity;
    this.#inbox.put(activity?.takes(message) ?? message);
    if (this.#disposed) return "parked";
    if (!message.wake) return "accepted";
    if (activity === null) this.#startDriver(new Activity());
    // The latch: this activity will not look for the message any more, so it has to be started over for.
    else if (activity.kind === "task" || activity.isStopped || activity.hasFailed) activity.latched.add(message.id);
    return "accepted";
  }

  retract(id: string): void {
    const message = this.#inbox.remove(id);
    if (message !== undefined) this.#tellRemoved([message], "canceled");
  }

  cancel(cause: string, { keepInbox }: { readonly keepInbox: boolean }): void {
    const cleared = keepInbox ? [] : [...this.#batch, ...this.#inbox.clear()];
    if (!keepInbox) {
      this.#batch = [];
      this.#activity?.latched.clear();
    }
    this.#activity?.stop(cause);
    this.#tellRemoved(cleared, "canceled");
  }

  /** Resolves when everything that was live has converged. */
  dispose(): Promise<void> {
    this.#disposed = true;
    this.#activity?.latched.clear();
    this.#activity?.stop("disposed");
    return this.whenIdle();
  }

  async whenIdle(): Promise<void> {
    if (this.#activity !== null) await this.#waiters.wait();
  }

  /** Claims the agent before it returns; rejects where that cannot be, and with what the task rejects with. */
  async runMaintenance(task: (signal: AbortSignal) => Promise<void>): Promise<void> {
    if (this.#disposed) throw new Error("Cannot run maintenance: the agent is disposed of");
    if (this.#activity !== null) throw new Error("Cannot run maintenance: the agent is busy");
    if (this.#log.unwritten !== null) throw new Error("Cannot run maintenance: a turn record is still to be written");
    const activity = new Activity("task");
    this.#activity = activity;
    try {
      await task(activity.signal);
    } finally {
      this.#converge(activity);
    }
  }

  #startDriver(driver: Activity, ...before: readonly (() => void)[]): void {
    this.#activity = driver;
    this.#effects.perform(
      ...before,
      () => this.#tells.onStatus("running"),
      () => void this.#drive(driver),
    );
  }

  /** Looks and leaves in one go: a wake comes before it and is seen, or after it and finds nobody. */
  #converge(activity: Activity): void {
    const told = activity.kind === "driver" ? [() => this.#tells.onStatus("idle")] : [];
    if (!this.#disposed && activity.isWoken(this.#inbox)) {
      this.#startDriver(new Activity(), ...told);
      return;
    }
    this.#activity = null;
    // Those who have waited for this rest; an observer that is told of it may start the next turn, and wait for that.
    const waiters = this.#waiters;
    this.#waiters = new Waiters();
    this.#effects.perform(...told, () => waiters.release());
  }

  async #drive(driver: Activity): Promise<void> {
    let goesOn = this.#log.unwritten?.type !== "turn/end" || (await this.#landOldEnd(driver, this.#log.unwritten));
    while (goesOn) {
      const landed = await this.#runTurn(driver);
      goesOn = landed && !driver.isStopped && !driver.hasFailed && this.#inbox.wantsTurn;
      if (goesOn) driver.freshController();
    }
    this.#converge(driver);
  }

  /** The turn that this driver was started for comes after it, unless somebody stops it here. */
  async #landOldEnd(driver: Activity, record: TurnRecord): Promise<boolean> {
    driver.closesTurn();
    return (await this.#write(record)) && !driver.isStopped;
  }

  /** Returns false where storage refuses a record: the next driver writes it first. */
  async #runTurn(driver: Activity): Promise<boolean> {
    driver.opensTurn();
    const start = this.#log.opens();
    if (!(await this.#write(start))) return false;
    const reason = driver.isStopped ? this.#close(driver, abortedBy(driver)) : await this.#runSteps(driver, start.turn);
    return this.#write(this.#log.closes(start.turn, reason));
  }

  async #runSteps(driver: Activity, turn: number): Promise<TurnEndReason> {
    let ending = completed;
    let isNatural = false;
    for (let step = 1; ; step++) {
      this.#batch = step === 1 ? this.#inbox.claimForTurn() : this.#inbox.claimForStep();
      this.#tellRemoved(this.#batch, "claimed");
      // Whoever was told of the claim may have stopped the agent.
      const call = { turn, step, messages: this.#batch, signal: driver.signal };
      const decision = driver.isStopped ? null : await this.#asks.propose(call);
      if (driver.isStopped || decision === null) return this.#giveUp(driver);
      if (decision.kind !== "enter") return this.#turnAway(driver, decision.kind === "reject" ? blocked : failed);

      const entering = this.#admit(decision.messages);
      if (driver.isStopped) return this.#giveUp(driver);
      this.#batch = [];
      if (entering.length === 0 && (step === 1 || isNatural)) return this.#close(driver, ending);

      const outcome = await this.#asks.runStep({ ...call, messages: entering });
      if (driver.isStopped) return this.#close(driver, abortedBy(driver));
      if (outcome === "failed") return this.#close(driver, failed);
      isNatural = outcome !== "continue";
      if (outcome === "max-tokens") ending = { kind: "max-tokens" };
      if (isNatural && !this.#inbox.wantsStep) return this.#close(driver, ending);
    }
  }

  /** Said together with the last look at the inbox: from then on, whoever steers comes too late. */
  #close(driver: Activity, reason: TurnEndReason): TurnEndReason {
    driver.closesTurn(reason);
    return reason;
  }

  /** A stop never makes a message vanish: what was claimed and has not entered is pending again, where it was. */
  #giveUp(driver: Activity): TurnEndReason {
    this.#inbox.giveBack(this.#batch);
    this.#batch = [];
    return this.#close(driver, abortedBy(driver));
  }

  #turnAway(driver: Activity, reason: TurnEndReason): TurnEndReason {
    const refused = this.#batch;
    this.#batch = [];
    this.#close(driver, reason);
    this.#tellRemoved(refused, "blocked");
    return reason;
  }

  /** What enters: messages of the batch, and additions. One that is pending has its own turn to come. */
  #admit(messages: readonly Message[]): readonly Message[] {
    const entering = messages.filter(({ id }) => !this.#inbox.has(id));
    const enters = ({ id }: Message) => entering.some((message) => message.id === id);
    const refused = this.#batch.filter((message) => !enters(message));
    this.#batch = this.#batch.filter(enters);
    this.#tellRemoved(refused, "blocked");
    return entering;
  }

  async #write(record: TurnRecord): Promise<boolean> {
    const landed = await this.#asks.append(record);
    if (landed) this.#log.landed();
    return landed;
  }

  #tellRemoved(messages: readonly Message[], outcome: RemovalOutcome): void {
    this.#effects.perform(...messages.map((message) => () => this.#tells.onRemoved(message, outcome)));
  }
}

function abortedBy({ signal }: Activity): TurnEndReason {
  return { kind: "aborted", cause: String(signal.reason) };
}
