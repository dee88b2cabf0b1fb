/**
 * The native engine: V8's own promises, whole executions run synchronously inside a real macrotask. Deliver one thing,
 * drain the microtask queue, check what must hold, choose the next. Everything that happens in one execution is
 * decided in this file; what is open is asked of the chooser.
 */
import type { Chooser, DeliveryKind } from "../execution.ts";
import { Random, streamSeed } from "../random.ts";
import type { Violation, ViolationKind } from "../result.ts";
import type { Settings } from "../runner.ts";
import type { ScenarioParts } from "../scenario.ts";
import { portableStack } from "../stack.ts";
import { Conditions, describeReason } from "./conditions.ts";
import { Delivery } from "./delivery.ts";
import { drainJobs } from "./jobs.ts";
import { Metronome } from "./metronome.ts";
import { type Family, NameTable, type Source } from "./name-table.ts";
import { Pending, type Steps } from "./pending.ts";
import type { RealmHost } from "./realm.ts";
import type { TimerHost } from "./timers.ts";
import { Tracer } from "./tracer.ts";
import { EngineWorld } from "./world.ts";

const settled = Promise.resolve();
const faultKinds = {
  fail: ["none", "fail"],
  hang: ["none", "hang"],
  both: ["none", "fail", "hang"],
} as const;

export class Engine implements TimerHost, RealmHost {
  readonly settings: Settings;
  readonly #parts: ScenarioParts;
  readonly names = new NameTable();
  readonly pending = new Pending();
  readonly conditions = new Conditions();
  readonly tracer = new Tracer();
  readonly metronome = new Metronome();
  readonly #worldRandom: Random;
  readonly #mathRandom: Random;
  readonly #main: Source;
  readonly #candidates: Delivery[] = [];
  readonly #onTick = (): void => this.#tick();

  /** Number of the live execution; grows by one each time, so that leftovers of an older one are told apart. */
  execution = 0;
  live = false;
  nowMs = 0;
  violation: Violation | null = null;
  #chooser: Chooser = idleChooser;
  #current: Delivery | null = null;
  #currentSource: Source;
  #sequence = 0;
  #overtakes = 0;
  #counting = false;
  #clockReads = 0;
  #ticksRun = 0;
  /** I/O asked for, notes written and the like since the last delivery: an idle timer does none of it. */
  #activity = 0;
  /** Who arrives inside the drain, and in how many ticks. */
  #arrival: Delivery | null = null;
  #arrivalTick = 0;
  #ticksLeft = 0;
  /** Longest drain seen so far in this campaign; the most that a delivery is delayed at level jitter. */
  longestDrain = 0;

  constructor(parts: ScenarioParts, settings: Settings) {
    this.#parts = parts;
    this.settings = settings;
    this.#worldRandom = new Random(streamSeed(settings.seed, "world"));
    this.#mathRandom = new Random(streamSeed(settings.seed, "math"));
    this.#main = this.names.source("main", "the scenario's body");
    this.#currentSource = this.#main;
  }

  /** Runs one execution to its end. Must be called inside the realm, in a macrotask. `index` seeds its streams. */
  execute(chooser: Chooser, index: number, script: readonly unknown[], isolated: unknown): void {
    this.#begin(chooser, index);
    const world = new EngineWorld(this);
    try {
      this.#watch(this.#parts.body(world, script, isolated), "the scenario's body", false);
    } catch (error) {
      this.fail("error", "the scenario's body", error);
    }
    this.#drain();
    this.#check();
    while (this.violation === null && this.#step()) this.#check();
    this.live = false;
  }

  /** Ends an execution that the watchdog has terminated. */
  abandon(): void {
    this.live = false;
    this.metronome.read();
  }

  /** Starts to count jobs and clock reads, to tell an execution without end from a slow machine. */
  countWork(): void {
    this.metronome.attach();
    this.metronome.total = 0;
    this.#clockReads = 0;
    this.#ticksRun = 0;
    this.#counting = true;
  }

  workDone(): number {
    this.#counting = false;
    return Math.max(this.metronome.total, this.#clockReads, this.#ticksRun);
  }

  /** The terminated execution was confirmed to have no end. */
  livelock(limit: number): void {
    const where = this.#current === null ? "the scenario's body" : `the drain of ${this.#current.name}`;
    this.#violate(
      "livelock",
      where,
      `${where} does not end: more than ${limit} jobs or clock reads, or a loop without any`,
    );
  }

  #begin(chooser: Chooser, index: number): void {
    if (chooser.measures || this.#counting) this.metronome.attach();
    else this.metronome.detach();
    this.execution++;
    this.live = true;
    this.nowMs = 0;
    this.violation = null;
    this.#chooser = chooser;
    this.#current = null;
    this.#currentSource = this.#main;
    this.#sequence = 0;
    this.#overtakes = this.settings.overtakes;
    this.#arrival = null;
    this.pending.clear();
    this.conditions.reset();
    this.tracer.reset();
    this.names.ambiguous.clear();
    this.#worldRandom.restart(index);
    this.#mathRandom.restart(index);
  }

  /** Places the next delivery and drains. False when nothing is left. */
  #step(): boolean {
    const { pending } = this;
    const count = pending.fill(this.#overtakes, this.nowMs);
    if (count === 0 || pending.quiet()) {
      this.#quiesce();
      return false;
    }
    if (this.tracer.length >= this.settings.stepLimit) {
      const limit = this.settings.stepLimit;
      this.fail("liveness", "step limit", `no quiescence within ${limit} deliveries`);
      return false;
    }
    const index = count === 1 ? 0 : this.#chooser.delivery(pending.possible, count);
    const delivery = pending.possible[index];
    if (delivery === undefined || index >= count) throw new RangeError(`No delivery ${index} of ${count} possible`);
    if (count > 1) this.tracer.chose(index);
    this.tracer.possible(pending.possible, count, index);
    if (delivery.kind === "timer" && pending.io.length > 0) this.#overtakes--;
    pending.take(delivery);
    this.#place(delivery, 0);
    this.#drain();
    this.#rest(delivery);
    return true;
  }

  /** Delivers: what follows runs synchronously, its continuations in the drain. */
  #place(delivery: Delivery, tick: number): void {
    if (delivery.kind !== "event" && delivery.kind !== "start") delivery.family.open--;
    this.#current = delivery;
    this.#currentSource = delivery.family.source;
    this.#activity = 0;
    if (delivery.kind === "timer" && delivery.deadlineMs > this.nowMs) this.nowMs = delivery.deadlineMs;
    const fault = delivery.mayFail || delivery.mayHang ? this.#fault(delivery) : null;
    this.tracer.delivered(delivery, tick, fault, this.nowMs);
    this.#perform(delivery, fault);
    this.#chooser.delivered(delivery);
    if (this.settings.level === "jitter") this.#offerCompanion(delivery);
  }

  #fault(delivery: Delivery): "fail" | "hang" | null {
    const kinds = delivery.mayFail ? (delivery.mayHang ? faultKinds.both : faultKinds.fail) : faultKinds.hang;
    const index = this.#chooser.fault(delivery, kinds);
    this.tracer.chose(index);
    const kind = kinds[index];
    if (kind === undefined) throw new RangeError(`No fault ${index} of ${kinds.length}`);
    return kind === "none" ? null : kind;
  }

  #perform(delivery: Delivery, fault: "fail" | "hang" | null): void {
    switch (delivery.kind) {
      case "io":
        this.#complete(delivery, fault);
        return;
      case "timer":
      case "immediate":
        if (delivery.every) this.#armAgain(delivery, true);
        try {
          if (delivery.callback !== null) Reflect.apply(delivery.callback, undefined, delivery.args);
        } catch (error) {
          this.fail("error", delivery.name, error);
        }
        return;
      case "event":
      case "start":
        try {
          this.#watch(delivery.act?.(), delivery.name, delivery.mayReject, delivery);
        } catch (error) {
          if (!delivery.mayReject) this.fail("error", delivery.name, error);
        }
    }
  }

  #complete(io: Delivery, fault: "fail" | "hang" | null): void {
    if (fault === "hang") return;
    try {
      if (fault === "fail") throw new Error(`${io.name} was made to fail`);
      io.resolve?.(io.produce?.());
    } catch (error) {
      io.reject?.(error);
    }
  }

  /** Watches what an act returned: a rejection is a violation; an actor must settle before quiescence. */
  #watch(returned: unknown, name: string, mayReject: boolean, delivery?: Delivery): void {
    if (!isThenable(returned)) return;
    const execution = this.execution;
    const done = delivery?.kind === "start" ? this.conditions.unsettled(delivery.source) : null;
    returned.then(
      () => done?.(),
      (reason: unknown) => {
        done?.();
        if (!mayReject && execution === this.execution) this.fail("error", name, reason);
      },
    );
  }

  /** Level jitter: somebody may arrive inside the drain that is about to run. */
  #offerCompanion(after: Delivery): void {
    const candidates = this.#candidates;
    const count = this.violation === null ? this.pending.fillCompanions(candidates) : 0;
    const index = count === 0 ? 0 : this.#chooser.companion(candidates, count, after);
    if (count > 0) this.tracer.chose(index);
    if (index === 0) {
      if (this.#chooser.measures) this.metronome.start();
      return;
    }
    const companion = candidates[index - 1];
    if (companion === undefined || index > count) throw new RangeError(`No companion ${index} of ${count}`);
    const ticks = this.#chooser.ticks(this.settings.jitterTicks ?? this.longestDrain, companion);
    this.tracer.chose(ticks);
    this.tracer.possible(candidates, count, index - 1);
    this.pending.take(companion);
    // Tick 1 is now, ahead of every job; tick k follows k - 1 rounds of the microtask queue.
    if (ticks === 1) {
      this.#place(companion, 1);
      return;
    }
    this.#arrival = companion;
    this.#arrivalTick = ticks;
    this.#ticksLeft = ticks - 1;
    settled.then(this.#onTick);
  }

  /** One link of the chain that delays an arrival: exactly one round of the microtask queue. */
  #tick(): void {
    const arrival = this.#arrival;
    if (arrival === null || !this.live) return;
    this.#ticksLeft--;
    if (this.#ticksLeft > 0) {
      settled.then(this.#onTick);
      return;
    }
    this.#arrival = null;
    if (this.violation === null) this.#place(arrival, this.#arrivalTick);
  }

  #drain(): void {
    // What a nextTick callback throws ends that drain early; the bound ends a queue that does nothing but throw.
    for (let attempt = 0; attempt < 1_000; attempt++) {
      try {
        drainJobs();
        break;
      } catch (error) {
        this.uncaught(error);
      }
    }
    if (this.#chooser.measures && this.settings.level === "jitter") {
      const ticks = this.metronome.read();
      if (ticks > this.longestDrain) this.longestDrain = ticks;
      this.#chooser.drained(ticks);
    }
  }

  /** Keeps count of timers that only re-arm themselves. */
  #rest(delivery: Delivery): void {
    if (delivery.kind !== "timer" || this.#activity > 0) {
      for (const timer of this.pending.timers) timer.idleFirings = 0;
      return;
    }
    for (const timer of this.pending.timers) {
      if (timer.askedBy === delivery && timer.family === delivery.family) timer.idleFirings = delivery.idleFirings + 1;
    }
  }

  #check(): void {
    const broken = this.conditions.check();
    if (broken !== null) this.#violate("always", broken.name, broken.detail);
  }

  #quiesce(): void {
    const stuck = this.conditions.stuck();
    if (stuck.length > 0) {
      this.#violate("stuck", stuck[0] ?? "", `nothing is left to deliver, and unsettled: ${stuck.join(", ")}`);
      return;
    }
    const broken = this.conditions.quiescent();
    if (broken !== null) this.#violate("quiescence", broken.name, broken.detail);
  }

  fail(kind: ViolationKind, name: string, reason: unknown): void {
    if (this.violation !== null || !this.live) return;
    const stack = Error.stackTraceLimit > 0 && reason instanceof Error ? portableStack(String(reason.stack)) : null;
    this.#violate(kind, name, describeReason(reason), stack);
  }

  #violate(kind: ViolationKind, name: string, detail: string, stack: string | null = null): void {
    if (this.violation !== null) return;
    const at = this.#current?.name ?? null;
    this.violation = { kind, name, detail, at, ...(stack === null ? {} : { stack }) };
  }

  // What the realm asks for.

  unhandled(reason: unknown): void {
    this.fail("error", "unhandled rejection", reason);
  }

  uncaught(error: unknown): void {
    this.fail("error", "uncaught error", error);
  }

  readClock(): number {
    this.#clockReads++;
    return this.nowMs;
  }

  random(): number {
    return this.#mathRandom.fraction();
  }

  runTick(execution: number, callback: (...args: unknown[]) => unknown, args: readonly unknown[]): void {
    if (execution !== this.execution || !this.live) return;
    this.#ticksRun++;
    try {
      Reflect.apply(callback, undefined, args);
    } catch (error) {
      this.uncaught(error);
    }
  }

  // What the world asks for.

  worldRandom(): number {
    return this.#worldRandom.fraction();
  }

  get source(): Source {
    return this.#currentSource;
  }

  /** Numbers and names a delivery, asked for by whatever is being delivered now. */
  ask(kind: DeliveryKind, family: Family): Delivery {
    const occurrence = this.names.number(family, this.execution);
    return new Delivery(kind, family, occurrence, this.#sequence++, this.#current);
  }

  /** Numbers a step of an actor or events source; its order is given, so equal labels cannot be confused. */
  askStep(kind: "event" | "start", family: Family, before: Delivery | null): Delivery {
    const occurrence = this.names.numberStep(family, this.execution);
    return new Delivery(kind, family, occurrence, this.#sequence++, before ?? this.#current);
  }

  askIo(label: string, key: string | undefined, where: string): Delivery {
    this.#activity++;
    const delivery = this.ask("io", this.names.asked(this.#currentSource, label, key, where));
    this.pending.io.push(delivery);
    return delivery;
  }

  addSteps(steps: Steps): void {
    this.pending.steps.push(steps);
  }

  choose(label: string, count: number): number {
    const index = count === 1 ? 0 : this.#chooser.data(label, count);
    if (!(index >= 0 && index < count)) throw new RangeError(`No option ${index} of ${count} for "${label}"`);
    if (count > 1) this.tracer.chose(index);
    this.tracer.data(index);
    return index;
  }

  note(event: string, data: unknown): void {
    this.#activity++;
    this.tracer.note(event, data);
  }

  // What timers ask for.

  arm(kind: "timer" | "immediate", delayMs: number, every: boolean): Delivery {
    const label = kind === "immediate" ? "immediate" : `${every ? "interval" : "timer"} ${delayMs}`;
    const timer = this.ask(kind, this.names.family(this.#currentSource, label, "a timer"));
    timer.every = every;
    timer.delayMs = delayMs;
    timer.deadlineMs = this.nowMs + delayMs;
    // After a violation nothing is delivered any more; Node itself asks for an immediate after an uncaught error.
    if (!this.live || this.violation !== null) timer.cancelled = true;
    else if (kind === "immediate") this.pending.immediates.push(timer);
    else this.pending.addTimer(timer);
    return timer;
  }

  disarm(timer: Delivery): void {
    if (timer.cancelled) return;
    timer.cancelled = true;
    const list = timer.kind === "immediate" ? this.pending.immediates : this.pending.timers;
    if (list.includes(timer)) {
      timer.family.open--;
      this.pending.take(timer);
    }
  }

  /** Puts a timer back at the end of its duration, whether it has fired or not; a cancelled one stays cancelled. */
  rearm(timer: Delivery): void {
    if (timer.cancelled) return;
    this.disarm(timer);
    this.#armAgain(timer, timer.every);
  }

  timerById(id: number): Delivery | undefined {
    return this.pending.timers.find((timer) => timer.slot?.armed === timer && timer.firstSequence === id);
  }

  #armAgain(timer: Delivery, every: boolean): void {
    const again = this.ask("timer", timer.family);
    again.callback = timer.callback;
    again.args = timer.args;
    again.every = every;
    again.delayMs = timer.delayMs;
    again.deadlineMs = this.nowMs + timer.delayMs;
    again.firstSequence = timer.firstSequence;
    again.slot = timer.slot;
    if (again.slot !== null) again.slot.armed = again;
    this.pending.addTimer(again);
  }
}

/** Chooses nothing: stands in before the first execution. */
const idleChooser: Chooser = {
  measures: false,
  delivery: () => 0,
  companion: () => 0,
  ticks: () => 1,
  data: () => 0,
  fault: () => 0,
  delivered: () => undefined,
  drained: () => undefined,
};

function isThenable(value: unknown): value is PromiseLike<unknown> {
  return typeof value === "object" && value !== null && "then" in value && typeof value.then === "function";
}
