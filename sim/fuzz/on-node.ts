/**
 * Runs a program on Node's own event loop, with every function that it uses as Node has it. Each delivery is a real
 * macrotask: a message, so it comes in the poll phase, several of one group in a row. Between two of them the loop turns
 * as often as the program says, seen from an immediate of our own in every check phase. Nothing here uses promises while
 * the program runs: its microtasks and ticks are alone in their queues.
 */
import type { EventEmitter } from "node:events";
import { MessageChannel } from "node:worker_threads";
import { describeReason } from "../native/reasons.ts";
import { asItStands } from "./compiled.ts";
import type { Group, GroupDelivery, Program } from "./program.ts";
import { type Outcome, type Started, Surroundings } from "./surroundings.ts";

/** Where in the log nobody caught a failure; what is logged after an uncaught error is no part of the comparison. */
export type RealOutcome = Outcome & { readonly failedAt: number; readonly uncaught: boolean };

type PendingIo = { readonly label: string; readonly resolve: (value: string) => void };

// Taken now, because the realm replaces them.
const { setImmediate, setTimeout } = globalThis;
const emitter: EventEmitter = process;
const { port1: sender, port2: receiver } = new MessageChannel();
let onMessage: () => void = () => {};
receiver.on("message", () => onMessage());
receiver.unref();

/** Check phases in a row in which nothing happened, after which there are no immediates any more. */
const quietPhases = 12;
/** Long after the last timer of any program. */
const unitsMost = 200;

export function runOnNode(program: Program, unitMs: number): Promise<RealOutcome> {
  return new Promise((resolve) => new NodeRun(program, unitMs, resolve).begin());
}

class NodeRun {
  readonly #groups: Group[];
  readonly #ended: (outcome: RealOutcome) => void;
  readonly #surroundings: Surroundings;
  readonly #started: Started;
  readonly #found: { readonly event: string; readonly listeners: readonly unknown[] }[] = [];
  readonly #posted: (() => void)[] = [];
  #io: PendingIo[] = [];
  /** The I/O that was pending when the group began. */
  #groupIo: PendingIo[] | null = null;
  #step = 0;
  #passed = 0;
  #quiet = 0;
  #seen = 0;
  readonly #until: number;
  #failure: string | null = null;
  #failedAt = 0;
  #uncaught = false;

  constructor(program: Program, unitMs: number, ended: (outcome: RealOutcome) => void) {
    this.#groups = [...program.groups];
    this.#ended = ended;
    this.#until = performance.now() + 1_000 + unitsMost * unitMs;
    const ask = (label: string): Promise<string> => new Promise((resolve) => this.#io.push({ label, resolve }));
    this.#surroundings = new Surroundings(unitMs, ask);
    this.#started = this.#surroundings.start(asItStands(program));
  }

  begin(): void {
    setImmediate(() => {
      this.#listen("unhandledRejection", (reason) => this.#fail(reason));
      this.#listen("uncaughtException", (error) => {
        this.#uncaught = true;
        this.#fail(error);
      });
      this.#listen("rejectionHandled", () => undefined);
      onMessage = () => this.#posted.shift()?.();
      receiver.ref();
      setImmediate(this.#onPhase);
      if (this.#groups[0]?.phases === 0) this.#post(this.#groups.shift());
      this.#act(this.#started.body);
    });
  }

  /** Runs in every check phase. */
  readonly #onPhase = (): void => {
    if (!this.#goOn()) {
      this.#end();
      return;
    }
    if (this.#surroundings.appointments.pending > 0 && this.#quiet >= quietPhases) setTimeout(this.#onPhase, 1);
    else setImmediate(this.#onPhase);
  };

  #goOn(): boolean {
    // After an uncaught error the loop takes up what it has left out.
    if (this.#posted.length > 0) return true;
    const next = this.#groups[0];
    if (next !== undefined) {
      if (++this.#passed >= next.phases) this.#post(this.#groups.shift());
      return true;
    }
    const { activity, appointments } = this.#surroundings;
    this.#quiet = activity === this.#seen ? this.#quiet + 1 : 0;
    this.#seen = activity;
    if (this.#quiet < quietPhases) return true;
    if (this.#io.length > 0) {
      this.#post({ phases: 0, deliveries: [{ kind: "io", pick: 0 }] });
      this.#quiet = 0;
      return true;
    }
    return appointments.pending > 0 && performance.now() < this.#until;
  }

  #post(group: Group | undefined): void {
    this.#passed = 0;
    this.#groupIo = null;
    for (const delivery of group?.deliveries ?? []) {
      this.#posted.push(() => this.#deliver(delivery));
      sender.postMessage(null);
    }
  }

  #deliver(delivery: GroupDelivery): void {
    this.#groupIo ??= [...this.#io];
    if (delivery.kind === "step") {
      const step = this.#started.steps[this.#step++];
      if (step !== undefined) this.#act(step);
      return;
    }
    const [io] = this.#groupIo.splice(delivery.pick % Math.max(this.#groupIo.length, 1), 1);
    if (io === undefined) return;
    this.#io = this.#io.filter((each) => each !== io);
    io.resolve(io.label);
  }

  #act(act: () => void): void {
    try {
      act();
    } catch (error) {
      this.#fail(error);
    }
  }

  #fail(reason: unknown): void {
    if (this.#failure !== null) return;
    this.#failure = describeReason(reason);
    this.#failedAt = this.#surroundings.log.length;
  }

  #end(): void {
    for (const { event, listeners } of this.#found) {
      emitter.removeAllListeners(event);
      for (const listener of listeners) Reflect.apply(emitter.on, emitter, [event, listener]);
    }
    receiver.unref();
    const { log } = this.#surroundings;
    this.#ended({ log, failure: this.#failure, failedAt: this.#failedAt, uncaught: this.#uncaught });
  }

  #listen(event: string, listener: (value: unknown) => void): void {
    this.#found.push({ event, listeners: emitter.rawListeners(event) });
    emitter.removeAllListeners(event);
    emitter.on(event, listener);
  }
}
