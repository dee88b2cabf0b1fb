/**
 * The engine: whole executions run synchronously inside a real macrotask. Deliver one thing, drain the microtask queue,
 * check what must hold, choose the next. Everything that happens in one execution is decided in this file; what is open
 * is asked of the chooser. Whose microtasks they are, V8's or our own, is `jobs`.
 */

import type { CausalLog } from "../causality.ts";
import type { Chooser, DeliveryKind } from "../execution.ts";
import type { JobHost, Jobs, ReadyJob } from "../jobs.ts";
import { outline } from "../outline.ts";
import type { Coverage } from "../race-coverage.ts";
import { Random, streamSeed } from "../random.ts";
import type { Violation, ViolationKind, WaitGraph } from "../result.ts";
import type { Settings } from "../runner.ts";
import type { ScenarioError, ScenarioParts } from "../scenario.ts";
import type { Stack } from "../stack.ts";
import { ArmedTimers, type TimerEngine } from "./armed-timers.ts";
import { type CompanionEngine, Companions } from "./companions.ts";
import { type Broken, Conditions } from "./conditions.ts";
import { Delivery } from "./delivery.ts";
import { emptyTable } from "./emptied.ts";
import { EndlessLines } from "./endless-lines.ts";
import { endlessly, FairOrder, fairLimitOf, noQuiescence } from "./fair.ts";
import { forgetFollowers } from "./foreign-signal.ts";
import { type FreeEngine, FreeJobs, ownJobs } from "./free-jobs.ts";
import { IdleRun } from "./idle-run.ts";
import { keptByDeliveries, keptByDrain, nameOf } from "./kept-going.ts";
import { LeakDetector, type Watch } from "./leaks/detector.ts";
import type { LeakKind } from "./leaks/kinds.ts";
import { Metronome } from "./metronome.ts";
import { type Family, NameTable, Source } from "./name-table.ts";
import { Observed } from "./observed.ts";
import { type Observer, observing } from "./observing.ts";
import { Pending, type Steps } from "./pending.ts";
import type { RealmHost } from "./realm/host.ts";
import { describeReason, isMistake, stackOf } from "./reasons.ts";
import { rejectionOf } from "./rejection.ts";
import { isThenable } from "./thenable.ts";
import { Tracer } from "./tracer.ts";
import { hasWaits, unhandledRejection, waitGraph } from "./wait-graph.ts";
import { EngineWorld } from "./world.ts";

const realNow = performance.now.bind(performance);
const bodyName = "the scenario's body";
const picksKept = 1_000;
const valueLimit = 80;
/** Firings in a row that only re-arm themselves before the engine believes that nothing will come of them. */
const idleFiringsMost = 200;
/** Level free: jobs in one execution that the search decides, for each delivery that it may decide. */
const jobsPerStep = 20;
const faultKinds = {
  fail: ["none", "fail"],
  hang: ["none", "hang"],
  both: ["none", "fail", "hang"],
} as const;

/**
 * The stack of whoever asked for a delivery. `step`: the scenario itself, which has declared an actor or events. `stands`:
 * a job, and whoever registered it goes on there.
 */
export type Asked = {
  readonly by: Stack;
  readonly step: boolean;
  readonly stands?: true;
  /** The awaits of those who wait for whoever asked, the nearest first, where its stack does not tell them. */
  readonly callers?: readonly Stack[];
};

/** What promises have told of a violation. */
export type Causes = Pick<Violation, "waits" | "rejection">;

/** What a choice of data came out as, and the stack of whoever made it. */
export type Picked = {
  readonly label: string;
  readonly index: number;
  readonly value: string;
  readonly asked: Error;
};

export class Engine implements TimerEngine, CompanionEngine, FreeEngine, RealmHost, JobHost, Observer {
  readonly settings: Settings;
  readonly jobs: Jobs;
  readonly #parts: ScenarioParts;
  readonly names = new NameTable();
  readonly pending = new Pending();
  readonly conditions: Conditions;
  readonly tracer = new Tracer();
  readonly metronome: Metronome;
  readonly leaks = new LeakDetector();
  /** What is kept of promises, where executions are told in full. */
  readonly promises: CausalLog;
  readonly timers = new ArmedTimers(this);
  readonly companions = new Companions(this);
  /** Level free: one job after the other, each of them chosen. */
  readonly #free: FreeJobs | null;
  /** Told who goes first at every choice point; null while nobody asks. */
  coverage: Coverage | null = null;
  /** Delivery → the stack of whoever asked for it; null while nobody wants to know. */
  askedAt: Map<string, Asked> | null = null;
  /** The choices of data, in order; kept while somebody wants to know who asked for what. */
  picked: Picked[] = [];
  readonly #worldRandom: Random;
  readonly #mathRandom: Random;
  readonly #cryptoRandom: Random;
  readonly #main: Source;

  /** Number of the live execution; grows by one each time, so that leftovers of an older one are told apart. */
  execution = 0;
  live = false;
  /** Real macrotasks lie between the deliveries, in which others may run. */
  shared = false;
  /** How the next execution is watched for leaks. */
  watch: Watch = "off";
  /** Some execution of this campaign had a timer or immediate that only re-armed itself. */
  idled = false;
  /** Some execution of this campaign went on in fair order. */
  faired = false;
  /** Some execution of this campaign drew random numbers. */
  drew = false;
  nowMs = 0;
  violation: Violation | null = null;
  /** The scenario was built in a way that cannot work: a mistake of its author, nothing that a search has found. */
  mistake: ScenarioError | null = null;
  chooser: Chooser = idleChooser;
  #limbo: Engine | null = null;
  #current: Delivery | null = null;
  /** The delivery whose drain is under way. */
  #placed: Delivery | null = null;
  #currentSource: Source;
  #sequence = 0;
  #overtakes = 0;
  #counting = false;
  readonly #endless = new EndlessLines();
  #clockReads = 0;
  #placedAt = 0;
  /** The promise whose rejection nobody has handled. */
  #unhandled: object | null = null;
  /** I/O asked for, notes written and the like since the last delivery: an idle timer does none of it. */
  #activity = 0;
  readonly #idleRun = new IdleRun();
  readonly #fairOrder = new FairOrder();
  /** The safety phase is over: the chooser is asked nothing any more. */
  #fair = false;
  /** Names of signals and event targets, where executions are told in full. */
  readonly #things = new WeakMap<object, string>();
  #madeByBody = 0;

  constructor(parts: ScenarioParts, settings: Settings, jobs: Jobs) {
    this.#parts = parts;
    this.settings = settings;
    this.jobs = jobs;
    this.promises = jobs.promises ?? this.leaks.promises;
    this.metronome = new Metronome(jobs);
    if (jobs.engine === "microtask") this.leaks.nativePromises = "leak";
    this.#free = settings.level === "free" ? new FreeJobs(this, jobs) : null;
    this.conditions = new Conditions(settings.only ?? null);
    this.#worldRandom = new Random(streamSeed(settings.seed, "world"));
    this.#mathRandom = new Random(streamSeed(settings.seed, "math"));
    this.#cryptoRandom = new Random(streamSeed(settings.seed, "crypto"));
    this.#main = this.names.source("main", "the scenario's body");
    this.#currentSource = this.#main;
  }

  /** Runs one execution to its end. Must be called inside the realm, in a macrotask. `index` seeds its streams. */
  execute(chooser: Chooser, index: number, script: readonly unknown[], isolated: unknown): void {
    this.start(chooser, index, script, isolated);
    do this.#runJobs();
    while (this.advance());
    // What the last conditions have set going belongs to this execution, too.
    this.#runJobs();
    this.end();
  }

  /** Begins an execution: runs the scenario's body. A drain has to follow, and `advance` after it. */
  start(chooser: Chooser, index: number, script: readonly unknown[], isolated: unknown): void {
    this.#begin(chooser, index);
    this.promises.base = bodyName;
    const world = new EngineWorld(this);
    this.jobs.enter(this.#main, null);
    try {
      this.#watch(this.#parts.body(world, script, isolated), bodyName, false, null);
    } catch (error) {
      this.fail("error", "the scenario's body", error);
    }
  }

  /** After a drain: checks what must hold and places the next delivery. False when the execution is over. */
  advance(): boolean {
    this.#afterDrain();
    this.#check();
    return this.violation === null && this.#step();
  }

  end(): void {
    this.live = false;
    this.jobs.end();
    observing.by = null;
    if (this.leaks.clean) return;
    this.leaks.end();
    this.#limbo ??= new Engine(this.#parts, this.settings, this.jobs);
  }

  /**
   * Where what has leaked lives on, when it comes back from the real world after its execution: an engine that never
   * delivers anything. Null while nothing has leaked: then whoever uses a world that has ended made a mistake.
   */
  limbo(): Engine | null {
    return this.live ? null : this.#limbo;
  }

  /** Ends an execution that the watchdog has terminated. */
  abandon(): void {
    this.end();
    this.metronome.read();
  }

  /** Starts to count the jobs of a drain and the clock reads after a delivery, to tell a loop from a slow machine. */
  countWork(): void {
    this.metronome.attach();
    this.metronome.total = 0;
    this.#clockReads = 0;
    this.#counting = true;
    this.#endless.attach(() => this.#work());
    this.#placedAt = realNow();
  }

  /** Real milliseconds since the last delivery of a counted execution: work that is merely slow gets on. */
  stoodForMs(): number {
    return realNow() - this.#placedAt;
  }

  workDone(): number {
    this.#counting = false;
    this.#endless.detach();
    return this.#work();
  }

  #work(): number {
    return Math.max(this.metronome.total, this.#clockReads);
  }

  /** The terminated execution was confirmed to have no end. */
  livelock(limit: number): void {
    const where = this.#current === null ? "the scenario's body" : `the drain of ${this.#current.name}`;
    const detail = `${where} does not end: more than ${limit} jobs or clock reads, or a loop without any`;
    const told = this.#endless.told();
    const drain = { name: where, at: told?.at ?? null };
    const waits = keptByDrain(drain, this.conditions.stuck(), this.pending.left());
    this.#violate("livelock", where, detail, { ...(told === null ? {} : { stack: told.stack }), waits });
  }

  #begin(chooser: Chooser, index: number): void {
    if (chooser.measures || this.#counting) this.metronome.attach();
    else this.metronome.detach();
    this.jobs.begin(this);
    this.#free?.begin();
    this.leaks.begin(this.watch);
    this.jobs.promises?.begin((this.promises.wanted && this.watch === "origins") || this.askedAt !== null);
    this.#unhandled = null;
    this.execution++;
    this.live = true;
    this.nowMs = 0;
    this.violation = null;
    this.mistake = null;
    this.chooser = chooser;
    this.#current = null;
    this.#placed = null;
    this.#currentSource = this.#main;
    this.#sequence = 0;
    this.#overtakes = this.settings.overtakes;
    this.companions.reset();
    this.#idleRun.reset();
    this.#fairOrder.reset();
    this.#fair = false;
    this.timers.reset();
    this.pending.clear();
    this.conditions.reset();
    this.tracer.reset();
    observing.by = this.tracer.detailed ? this : null;
    this.#madeByBody = 0;
    this.askedAt?.clear();
    if (this.askedAt !== null) this.picked = [];
    forgetFollowers();
    emptyTable(this.names.ambiguous);
    this.#worldRandom.restart(index);
    this.#mathRandom.restart(index);
    this.#cryptoRandom.restart(index);
  }

  /** Places the next delivery and drains. False when nothing is left. */
  #step(): boolean {
    const { pending, tracer } = this;
    const { stepLimit } = this.settings;
    if (!this.#fair && (tracer.length - tracer.jobs >= stepLimit || tracer.jobs >= this.jobsMost)) this.#turnFair();
    const count = pending.fill(this.#fair ? Number.POSITIVE_INFINITY : this.#overtakes, this.nowMs);
    const spent = this.#fair && tracer.length >= tracer.fairFrom + fairLimitOf(stepLimit);
    if (pending.idles()) this.idled = true;
    if (count === 0 || (pending.quiet() && (spent || this.#rests()))) {
      this.#quiesce();
      return false;
    }
    if (spent) {
      const unsettled = this.conditions.stuck();
      this.#violate(
        "liveness",
        unsettled[0] ?? noQuiescence,
        endlessly(stepLimit, unsettled, tracer.fairly().map(nameOf), pending.timers),
      );
      return false;
    }
    const index = this.#choose(count);
    const delivery = pending.possible[index];
    if (delivery === undefined || index >= count) throw new RangeError(`No delivery ${index} of ${count} possible`);
    if (!this.#fair) {
      if (count > 1) {
        tracer.chose(index);
        this.coverage?.chose(pending.possible, count, index);
      }
      tracer.possible(pending.possible, count, index);
    }
    if (delivery.kind === "timer" && pending.io.length > 0) this.#overtakes--;
    pending.take(delivery);
    this.#activity = 0;
    this.#place(delivery, 0);
    this.#placed = delivery;
    return true;
  }

  #choose(count: number): number {
    const { possible } = this.pending;
    if (this.#fair) {
      this.faired = true;
      return this.#fairOrder.pick(possible, count);
    }
    return count === 1 ? 0 : this.chooser.delivery(possible, count);
  }

  #turnFair(): void {
    this.#fair = true;
    this.tracer.fairFrom = this.tracer.length;
  }

  /**
   * Decides whether timers that only re-arm themselves are quiescence. Where all is well they are; where somebody still
   * waits, one more firing may be what ends it (a loop that counts), so it takes many to conclude that none will.
   */
  #rests(): boolean {
    if (this.#idleRun.length >= idleFiringsMost) return true;
    return this.conditions.stuck().length === 0 && this.conditions.quiescent() === null;
  }

  /** Delivers: what follows runs synchronously, its continuations in the drain. */
  #place(delivery: Delivery, tick: number): void {
    if (delivery.kind !== "event" && delivery.kind !== "start") delivery.family.open--;
    this.#current = delivery;
    this.#currentSource = delivery.family.source;
    this.jobs.enter(delivery.family.source, delivery.context);
    if (this.promises.on) this.promises.place(delivery);
    this.pending.delivered(delivery);
    this.#clockReads = 0;
    if (this.#counting) {
      this.metronome.total = 0;
      this.#placedAt = realNow();
    }
    if (delivery.kind === "timer" && delivery.deadlineMs > this.nowMs) this.nowMs = delivery.deadlineMs;
    if (delivery.kind === "timer" || delivery.kind === "immediate") this.#touch("clock", true);
    // Timers wait for I/O, as far as overtakes are bounded, and I/O for the check phase.
    if (delivery.kind !== "event" && delivery.kind !== "start") this.#touch("loop", delivery.kind !== "io");
    const fault = !this.#fair && (delivery.mayFail || delivery.mayHang) ? this.#fault(delivery) : null;
    this.tracer.delivered(delivery, tick, fault, this.nowMs);
    // Before it runs: a delivery that never returns has been placed as well.
    if (!this.#fair) this.chooser.delivered(delivery);
    this.#perform(delivery, fault);
    if (this.settings.level === "jitter" && !this.#fair) this.companions.offer(delivery);
  }

  accompany(companion: Delivery, tick: number): void {
    this.#activity++;
    this.#place(companion, tick);
  }

  #fault(delivery: Delivery): "fail" | "hang" | null {
    const kinds = delivery.mayFail ? (delivery.mayHang ? faultKinds.both : faultKinds.fail) : faultKinds.hang;
    const index = this.chooser.fault(delivery, kinds);
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
        this.#fire(delivery);
        return;
      case "job":
        return;
      case "event":
      case "start":
        try {
          const { act } = delivery;
          this.#watch(act?.(), delivery.name, delivery.mayReject, delivery);
        } catch (error) {
          if (!delivery.mayReject) this.fail("error", delivery.name, error);
        }
    }
  }

  #fire(delivery: Delivery): void {
    const { timer } = delivery;
    if (timer === null) return;
    observing.by?.touched(timer, true);
    try {
      Reflect.apply(timer.callback, timer.handle, timer.args);
    } catch (error) {
      this.fail("error", delivery.name, error);
    }
    this.timers.fired(timer, delivery);
  }

  #complete(io: Delivery, fault: "fail" | "hang" | null): void {
    if (fault === "hang") {
      if (this.promises.on) this.promises.hung.add(io);
      return;
    }
    try {
      if (fault === "fail") throw new Error(`${io.name} was made to fail`);
      const { produce } = io;
      io.resolve?.(produce?.());
    } catch (error) {
      io.reject?.(error);
    }
  }

  /** Watches what an act returned: a rejection is a violation; an actor must settle before quiescence. */
  #watch(returned: unknown, name: string, mayReject: boolean, delivery: Delivery | null): void {
    if (!isThenable(returned)) return;
    const execution = this.execution;
    const context = this.jobs.context();
    const flow = delivery === null ? bodyName : delivery.kind === "start" ? delivery.source : null;
    const done = flow === null ? null : this.conditions.unsettled(flow, returned);
    this.jobs.enter(ownJobs, context);
    returned.then(
      () => done?.(),
      (reason: unknown) => {
        done?.();
        if (execution === this.execution) {
          if (!mayReject) this.fail("error", name, reason);
        } else if (isMistake(reason)) {
          // What an older execution has left behind woke up, and used a world that has ended.
          this.mistake = reason;
        }
      },
    );
    this.jobs.back(context);
  }

  #afterDrain(): void {
    if (this.#placed !== null) {
      const idled = this.#idleRun.after(this.#placed, this.#activity, this.pending);
      // Whatever is delivered has its turn at the loop. A check phase lets nobody in between; who only re-arms itself is
      // cut off sooner or later, and any other delivery begins that count afresh.
      this.#touch("turn", idled || this.#placed.kind === "immediate");
    }
    this.#placed = null;
    if (this.settings.level === "jitter" && !this.#fair) this.companions.drained();
  }

  #runJobs(): void {
    if (this.#free !== null && !this.#fair) this.#free.run();
    this.jobs.drain();
  }

  #check(): void {
    const broken = this.conditions.check();
    if (broken !== null) this.#broken("always", broken);
  }

  #broken(kind: "always" | "quiescence", { name, detail, told, mistake }: Broken): void {
    if (mistake !== null && this.violation === null) this.mistake = mistake;
    this.#violate(kind, name, detail, told);
  }

  #quiesce(): void {
    const stuck = this.conditions.stuck();
    if (stuck.length > 0) {
      this.leaks.recordForeign();
      this.#violate("stuck", stuck[0] ?? "", `nothing is left to deliver, and unsettled: ${stuck.join(", ")}`);
      return;
    }
    const broken = this.conditions.quiescent();
    if (broken !== null) this.#broken("quiescence", broken);
  }

  fail(kind: ViolationKind, name: string, reason: unknown): void {
    if (this.violation !== null || !this.live) return;
    if (isMistake(reason)) this.mistake = reason;
    const stack = Error.stackTraceLimit > 0 ? stackOf(reason) : null;
    this.#violate(kind, name, describeReason(reason), stack === null ? {} : { stack });
  }

  #violate(kind: ViolationKind, name: string, detail: string, told: Partial<Violation> = {}): void {
    if (this.violation !== null) return;
    this.violation = { kind, name, detail, at: this.#current?.name ?? null, ...told };
  }

  // What the realm asks for.

  unhandled(reason: unknown, promise: unknown): void {
    // Rejected by an older execution, or by somebody who runs beside us: no fault of this one.
    if (this.leaks.isForeign(promise)) this.leaked("foreign promise");
    else if (this.violation === null && this.live) {
      if (this.promises.on && typeof promise === "object") this.#unhandled = promise;
      this.fail("error", unhandledRejection, reason);
    }
  }

  leaked(kind: LeakKind): void {
    if (this.live) this.leaks.record(kind);
  }

  uncaught(error: unknown): void {
    this.fail("error", "uncaught error", error);
  }

  readClock(): number {
    this.#clockReads++;
    if (this.#counting) this.#endless.look(this.#clockReads);
    this.#touch("clock", false);
    return this.nowMs;
  }

  jobAsked(): void {
    if (this.#counting) this.#endless.look(this.#work());
  }

  jobRan(): void {
    this.metronome.jobRan();
  }

  random(): number {
    this.drew = true;
    this.#touch("Math.random", true);
    return this.#mathRandom.fraction();
  }

  randomBits(): number {
    this.drew = true;
    this.#touch("crypto", true);
    return this.#cryptoRandom.word();
  }

  runTick(execution: number, callback: (...args: unknown[]) => unknown, args: readonly unknown[]): void {
    if (execution !== this.execution || !this.live) return;
    this.metronome.jobRan();
    try {
      Reflect.apply(callback, undefined, args);
    } catch (error) {
      this.uncaught(error);
    }
  }

  // What the world asks for.

  worldRandom(): number {
    this.drew = true;
    this.#touch("world.random", true);
    return this.#worldRandom.fraction();
  }

  /** Numbers and names a delivery, asked for by whatever is being delivered now. */
  ask(kind: DeliveryKind, family: Family): Delivery {
    const occurrence = this.names.number(family, this.execution);
    if (this.tracer.detailed) this.#touch(`name ${family.source.name}:${family.label}`, true);
    const delivery = new Delivery(kind, family, occurrence, this.#sequence++, this.#current);
    delivery.context = this.jobs.context();
    if (this.promises.on) this.promises.ask(delivery);
    this.askedAt?.set(delivery.name, { by: new Error(), step: false, callers: this.jobs.promises?.callers() ?? [] });
    return delivery;
  }

  /** The world gives out a promise that this delivery settles. */
  gave(promise: object, delivery: Delivery): void {
    if (this.promises.on) this.promises.give(promise, delivery);
  }

  /** Reads from what was logged of promises what has led to the violation; ask when the execution has ended. */
  causes(): Causes {
    const waits = this.#waits();
    if (waits !== null) return { waits };
    const rejection = this.#unhandled === null ? null : rejectionOf(this.#unhandled, this.promises);
    return rejection === null ? {} : { rejection };
  }

  #waits(): WaitGraph | null {
    const { violation, leaks, conditions, pending, tracer } = this;
    if (!hasWaits(violation)) return null;
    const sawAll = this.jobs.promises !== null || leaks.sawAll;
    const graph = waitGraph(conditions.waiting(), this.promises, sawAll, pending);
    if (violation?.kind !== "liveness") return graph;
    return { ...graph, kept: keptByDeliveries(tracer.fairly(), pending.left()) };
  }

  /** Numbers a step of an actor or events source; its order is given, so equal labels cannot be confused. */
  askStep(kind: "event" | "start", family: Family, before: Delivery | null): Delivery {
    const occurrence = this.names.numberStep(family, this.execution);
    if (this.tracer.detailed) this.#touch(`name ${family.source.name}:${family.label}`, true);
    const delivery = new Delivery(kind, family, occurrence, this.#sequence++, before ?? this.#current);
    delivery.context = this.jobs.context();
    this.askedAt?.set(delivery.name, { by: new Error(), step: true });
    return delivery;
  }

  askIo(label: string, key: string | undefined, where: string): Delivery {
    this.#activity++;
    this.#touch("loop", false);
    const delivery = this.ask("io", this.names.asked(this.#currentSource, label, key, where));
    this.pending.io.push(delivery);
    return delivery;
  }

  addSteps(steps: Steps): void {
    this.pending.steps.push(steps);
  }

  choose(label: string, options: readonly unknown[]): number {
    const count = options.length;
    if (count === 1 || this.#fair) return 0;
    const index = this.chooser.data(label, count);
    if (!(index >= 0 && index < count)) throw new RangeError(`No option ${index} of ${count} for "${label}"`);
    this.tracer.chose(index);
    this.tracer.data(index);
    if (this.askedAt !== null && this.picked.length < picksKept) {
      this.picked.push({ label, index, value: outline(options[index], valueLimit), asked: new Error() });
    }
    return index;
  }

  note(event: string, data: unknown): void {
    this.#activity++;
    if (this.tracer.detailed) this.#touch(`note ${event}`, true);
    this.tracer.note(event, data, this.conditions.looking);
  }

  // Who looks on, where executions are told in full: what the delivery that is under way has touched.

  made(thing: object): void {
    const observed = this.#observed();
    const maker = this.#current?.name ?? bodyName;
    if (observed === null) this.#things.set(thing, `${maker}~${this.#madeByBody++}`);
    else this.#things.set(thing, `${maker}~${observed.made++}`);
  }

  touched(thing: object, writes: boolean): void {
    const name = this.#things.get(thing);
    // What is older than the execution, or of a class of its own, is nobody's but the code under test's.
    if (name !== undefined) this.#touch(name, writes);
  }

  touchesTimers(kind: "timer" | "immediate", takenBack: Delivery | null): void {
    this.#touch("clock", true);
    if (kind === "immediate") this.#touch("loop", true);
    if (takenBack === null) return;
    const { name, source, askedBy } = takenBack;
    this.#observed()?.takenBack.push({ name, source, kind, askedBy: askedBy?.name ?? null });
  }

  #touch(resource: string, writes: boolean): void {
    if (this.tracer.detailed) this.#observed()?.touch(resource, writes);
  }

  /** Null before the first delivery, which everything comes after, and while a condition looks. */
  #observed(): Observed | null {
    const delivery = this.#current;
    if (delivery === null || !this.tracer.detailed || this.conditions.looking) return null;
    delivery.observed ??= new Observed();
    return delivery.observed;
  }

  // What free jobs ask for.

  get jobsMost(): number {
    return this.settings.stepLimit * jobsPerStep;
  }

  /** An async function that goes on keeps its family, as long as no other job has it. */
  askJob(job: ReadyJob): Delivery {
    const owner = job.frame?.owner;
    const source = owner instanceof Source ? owner : this.#currentSource;
    const last = job.delivery;
    const kept = last instanceof Delivery && last.family.source === source && last.family.open === 0;
    const family = kept ? last.family : this.names.free(source, job.label, this.execution);
    const occurrence = this.names.number(family, this.execution);
    const before = this.#current;
    const named = new Delivery("job", family, occurrence, this.#sequence++, before);
    named.within = before?.kind === "job" ? before.within : before;
    if (this.askedAt !== null) {
      const asked = this.jobs.promises?.askedAt(job);
      if (asked != null) this.askedAt.set(named.name, { ...asked, step: false, stands: true });
    }
    return named;
  }

  /** What a job asks for has the names that it would have at every other level: those of its delivery. */
  runs(job: Delivery): void {
    job.family.open--;
    this.#current = job;
    this.#currentSource = job.within?.family.source ?? this.#main;
    if (this.promises.on) this.jobs.promises?.goesOn(job.within);
    this.tracer.delivered(job, 0, null, this.nowMs);
    this.chooser.delivered(job);
  }

  // What timers ask for.

  get delivers(): boolean {
    return this.live && this.violation === null;
  }

  family(label: string): Family {
    return this.names.family(this.#currentSource, label, "a timer");
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
