/**
 * Runs executions of one scenario in batches: at most 20 ms inside the virtual realm, then a real macrotask, so that
 * progress, Ctrl-C and a test runner's messages live. Explorations of one process wait for each other.
 */
import timers from "node:timers";
import type { Engines } from "./engine-choice.ts";
import type { Chooser, Execution } from "./execution.ts";
import type { Jobs } from "./jobs.ts";
import { MicrotaskJobs } from "./microtask/jobs.ts";
import { microtaskPatches } from "./microtask/realm/patches.ts";
import { withAsyncStackKept } from "./native/async-stack.ts";
import { type Asked, type Causes, Engine, type Picked } from "./native/engine.ts";
import { drainsSynchronously, NativeJobs } from "./native/jobs.ts";
import type { Leak, Watch } from "./native/leaks/detector.ts";
import { original } from "./native/original.ts";
import { refuseFakeTimers } from "./native/realm/fake-timers.ts";
import { queuePatches } from "./native/realm/next-tick.ts";
import { type Patch, whileInPlace } from "./native/realm/patch.ts";
import { Realm } from "./native/realm.ts";
import { describeReason } from "./native/reasons.ts";
import { timerFunctions } from "./native/timers.ts";
import { underWatchdog } from "./native/watchdog.ts";
import { PlaybackChooser } from "./playback.ts";
import type { Level } from "./result.ts";
import { type Scenario, ScenarioError, scenarioParts } from "./scenario.ts";
import type { Verb } from "./words.ts";

/** The bounds within which executions run; equal settings and equal choices give equal executions. */
export type Settings = {
  readonly level: Level;
  readonly engine: Engines;
  readonly script: readonly unknown[] | null;
  readonly seed: string;
  readonly stepLimit: number;
  /** How many timers may overtake pending I/O in one execution. */
  readonly overtakes: number;
  /** The longest delay a delivery may get at level jitter, in ticks; null: measured in the first execution. */
  readonly jitterTicks: number | null;
  /** The one condition that is judged, by its name; all of them, unless said. */
  readonly only?: string;
};

export type Runner = {
  /** Runs one execution in a macrotask of its own and tells it in full. With `stacks`, errors carry stack traces. */
  run(chooser: Chooser, options?: RunOptions): Promise<Execution>;
};
export type RunOptions = {
  readonly stacks?: boolean;
  /** Seeds the execution's own random streams; those of execution 0 unless said. */
  readonly execution?: number;
  /** How to look for leaks; not at all, unless said. */
  readonly watch?: Watch;
  /**
   * Tell with a violation what is known of its promises: the wait-for graph, where a rejection comes from. That needs
   * `watch: "origins"`. Only for an execution that is known to end: the watchdog waits much longer.
   */
  readonly waits?: boolean;
  /** Keep, for `askedAt()`, where every delivery was asked for; needs `stacks`. */
  readonly asked?: boolean;
};

const batchMs = 20;
/**
 * Real time after which an execution is suspected not to end; a count decides, see `#confirm`. Long, because a busy
 * machine may let a process stand still; shorter once a livelock was confirmed, because shrinking meets it again.
 */
const patience = {
  usualMs: 1_000,
  afterLivelockMs: 250,
  standstillMs: 3_000,
  /** What a counted execution may take, one try after the other: enough for the count, for a standstill, for slow work. */
  countedMs: [100, 400, 3_200, 16_000, 64_000, 256_000],
  timesWatched: 2,
  timesTold: 20,
};
let suspectMs = patience.usualMs;
/** More jobs in one drain, or more clock reads without a delivery, than this is a livelock. */
const workLimit = 300_000;
/** How often a search starts again because the machine stood still where nothing can be taken up again. */
const stallsMost = 5;

// Taken now: an imported binding would follow whoever replaces the timers of node:timers later.
const realSetImmediate = original(timers.setImmediate);
const realNow = performance.now.bind(performance);
const queueKey = Symbol.for("microloom.queue");

/**
 * Runs `body` with a runner for the scenario, when no other exploration of this process is under way. Throws
 * ScenarioError for a wrong scenario, and when called from inside an execution.
 */
export async function withRunner<T>(
  scenario: Scenario,
  settings: Settings,
  body: (runner: NativeRunner) => Promise<T>,
  verb: Verb = "explore",
): Promise<T> {
  const parts = scenarioParts(scenario);
  if (batchDepth() > 0) {
    throw new ScenarioError(
      `Cannot ${verb} "${scenario.name}" inside an execution: ${verb} it outside of the scenario`,
    );
  }
  refuseFakeTimers(scenario.name, verb);
  const before: unknown = Reflect.get(globalThis, queueKey);
  const work = (async () => {
    await before;
    for (let stalls = 0; ; stalls++) {
      try {
        return await body(
          new NativeRunner(new Engine(parts, settings, jobsOf(settings)), settings, parts.options.isolate ?? null),
        );
      } catch (error) {
        if (!(error instanceof StallError) || stalls >= stallsMost) throw error;
        suspectMs = patience.usualMs;
      }
    }
  })();
  // The queue must go on whatever becomes of this exploration; its own caller hears of the error.
  Reflect.set(
    globalThis,
    queueKey,
    work.then(
      () => undefined,
      () => undefined,
    ),
  );
  return work;
}

/**
 * The process stood still for long between two executions, and the watchdog has cut off what a strategy was doing.
 * Equal settings give equal executions, so the whole search starts again.
 */
class StallError extends Error {
  override readonly name = "StallError";
}

export class NativeRunner implements Runner {
  readonly engine: Engine;
  #executing = false;
  #askedAt: ReadonlyMap<string, Asked> | null = null;
  #picked: readonly Picked[] = [];
  readonly #script: readonly unknown[];
  readonly #realm: Realm;
  readonly #isolate: (() => Promise<unknown>) | null;
  /** What `isolate` has loaded for the execution that comes next. */
  #isolated: unknown;

  constructor(engine: Engine, settings: Settings, isolate: (() => Promise<unknown>) | null) {
    this.engine = engine;
    this.#script = settings.script ?? [];
    this.#isolate = isolate;
    this.#realm = new Realm(engine, timerFunctions(engine.timers), queuePatchesOf(engine));
  }

  async run(chooser: Chooser, options: RunOptions = {}): Promise<Execution> {
    const { engine } = this;
    let told: Execution | null = null;
    await this.batch(
      {
        next: () => {
          engine.tracer.detailed = true;
          engine.watch = options.watch ?? "off";
          engine.promises.wanted = options.waits === true;
          if (told === null) engine.askedAt = options.asked === true ? new Map() : null;
          return told === null ? chooser : null;
        },
        index: options.execution ?? 0,
        again: () => fromStart(chooser, engine.tracer.choices),
        ended: () => {
          told = options.waits === true ? withCauses(this.tell(), engine.causes()) : this.tell();
        },
      },
      options.stacks === true,
    );
    engine.tracer.detailed = false;
    engine.promises.wanted = false;
    this.#askedAt = engine.askedAt;
    this.#picked = engine.picked;
    engine.askedAt = null;
    engine.picked = [];
    return told ?? this.tell();
  }

  /** Whoever asked for a delivery in the last execution that was run with `asked`; null where it had none of that name. */
  askedAt(delivery: string): Asked | null {
    return this.#askedAt?.get(delivery) ?? null;
  }

  /** The choices of data of that execution, in order. */
  picked(): readonly Picked[] {
    return this.#picked;
  }

  /** What has escaped in the last execution. */
  leaks(): readonly Leak[] {
    return this.engine.leaks.clean ? [] : this.engine.leaks.leaks();
  }

  /** Tells the last execution in full; it must have been detailed. */
  tell(): Execution {
    const { engine } = this;
    return engine.tracer.tell(engine.violation, [...engine.names.ambiguous].sort(), engine.pending.left());
  }

  /** Runs executions for as long as `work` has a next one, in batches with a real macrotask between them. */
  async batch(work: Work, stacks = false): Promise<void> {
    // Our own queue needs no help of Node's to be drained.
    const inOneStretch = this.engine.jobs.engine === "microtask" || (await macrotask(drainsSynchronously));
    this.engine.leaks.deaf = !inOneStretch;
    do {
      await work.between?.();
      this.#isolated = await this.#load();
    } while (await (inOneStretch ? macrotask(() => this.#stretch(work, stacks)) : this.#overMacrotasks(work, stacks)));
  }

  /** One batch, in one macrotask. True when there may be more to do. */
  #stretch(work: Work, stacks: boolean): boolean {
    // What is loaded afresh serves one execution: what that leaves behind must not meet another.
    const until = this.#isolate === null ? realNow() + batchMs : 0;
    try {
      this.#enter(stacks);
      do {
        const chooser = work.next();
        if (chooser === null || !this.#several(chooser, work, until)) return false;
        work.ended();
      } while (realNow() < until);
      return true;
    } finally {
      this.#leave();
    }
  }

  /**
   * One batch, with a real macrotask for each delivery: for a Node without the drain that runs in one stretch. The
   * realm stays in place meanwhile, so whatever else runs in this process sees it, and an endless loop cannot be ended.
   */
  async #overMacrotasks(work: Work, stacks: boolean): Promise<boolean> {
    const until = this.#isolate === null ? realNow() + batchMs : 0;
    try {
      this.engine.shared = true;
      this.#enter(stacks);
      do {
        const chooser = work.next();
        if (chooser === null) return false;
        await this.#oneOverMacrotasks(chooser, work.index);
        if (this.engine.mistake !== null) throw this.engine.mistake;
        work.ended();
      } while (realNow() < until);
      return true;
    } finally {
      this.engine.shared = false;
      this.#leave();
    }
  }

  /** Chained without promises, because every job of ours would lengthen the drain that is being measured. */
  #oneOverMacrotasks(chooser: Chooser, index: number): Promise<void> {
    const { engine } = this;
    return new Promise((resolve, reject) => {
      const end = (): void => {
        engine.end();
        resolve();
      };
      const turn = (): void => {
        try {
          next(engine.advance() ? turn : end);
        } catch (error) {
          reject(error);
        }
      };
      const next = (act: () => void): void => engine.leaks.unseen(() => realSetImmediate(act));
      next(() => {
        engine.start(chooser, index, this.#script, this.#isolated);
        next(turn);
      });
    });
  }

  async #load(): Promise<unknown> {
    try {
      return await this.#isolate?.();
    } catch (error) {
      // It says for itself what is wrong.
      if (error instanceof ScenarioError) throw error;
      throw new ScenarioError(`Cannot load what is isolated: ${describeReason(error)}`, { cause: error });
    }
  }

  #enter(stacks: boolean): void {
    enterBatch(1);
    this.#realm.enter();
    if (stacks) Error.stackTraceLimit = 30;
  }

  #leave(): void {
    this.engine.metronome.detach();
    this.engine.leaks.detach();
    enterBatch(-1);
    this.#realm.leave();
  }

  /**
   * Runs the execution that was prepared and as many more as fit, and leaves the last one for the caller to end. False
   * when there was no other. Where executions are told in full, ending one may take long by right: then it runs only one.
   */
  #several(first: Chooser, work: Work, until: number): boolean {
    let chooser: Chooser | null = first;
    let failed: { readonly error: unknown } | null = null;
    const limitMs = this.#patienceMs();
    this.engine.leaks.givesUpAtMs = realNow() + limitMs / 2;
    const inTime = underWatchdog(() => {
      try {
        while (chooser !== null) {
          this.#executing = true;
          this.engine.execute(chooser, work.index, this.#script, this.#isolated);
          this.#executing = false;
          if (
            (this.engine.tracer.detailed && work.brisk !== true) ||
            this.engine.mistake !== null ||
            realNow() >= until
          )
            return;
          work.ended();
          chooser = work.next();
        }
      } catch (error) {
        failed = { error };
      }
    }, limitMs);
    rethrow(failed);
    if (!inTime && !this.#executing) {
      throw new StallError(`Cannot go on with the search: the process stood still for ${suspectMs} ms`);
    }
    if (!inTime) this.#confirm(work);
    if (this.engine.mistake !== null) throw this.engine.mistake;
    return chooser !== null;
  }

  /** Hooks that keep origins make an execution many times as long. */
  #patienceMs(): number {
    const { watch, leaks } = this.engine;
    if (watch !== "origins") return suspectMs;
    // Whoever asks for the wait-for graph has seen the execution end before.
    return Math.max(suspectMs, patience.usualMs) * (leaks.promises.wanted ? patience.timesTold : patience.timesWatched);
  }

  /** Runs the suspected execution again, alone and counted, and makes it a violation if it does not end. */
  #confirm(work: Work): void {
    const { engine } = this;
    for (const limitMs of patience.countedMs) {
      engine.abandon();
      const chooser = work.again();
      engine.tracer.detailed = true;
      engine.countWork();
      engine.watch = "off";
      const ended = underWatchdog(() => engine.execute(chooser, work.index, this.#script, this.#isolated), limitMs);
      const jobs = engine.workDone();
      if (ended) return;
      if (jobs > workLimit || engine.stoodForMs() >= patience.standstillMs) break;
    }
    engine.abandon();
    engine.livelock(workLimit);
    suspectMs = patience.afterLivelockMs;
  }
}

function queuePatchesOf(engine: Engine): Patch[] {
  if (engine.jobs.engine === "microtask") return microtaskPatches(engine);
  return whileInPlace(queuePatches(engine), () => engine.live);
}

function jobsOf({ engine }: Settings): Jobs {
  return engine === "native" ? new NativeJobs() : new MicrotaskJobs();
}

/** Runs `act` in a real macrotask of its own, where no other job is under way. */
function macrotask<T>(act: () => T): Promise<T> {
  return new Promise((resolve, reject) => {
    realSetImmediate(withAsyncStackKept, () => {
      try {
        resolve(act());
      } catch (error) {
        reject(error);
      }
    });
  });
}

/** Executions to run: `next` prepares one (null: no more), `index` seeds it, `ended` is told when it is over. */
export type Work = {
  next(): Chooser | null;
  readonly index: number;
  /** Prepares the current execution once more, because it was cut off. */
  again(): Chooser;
  ended(): void;
  /** To end an execution never takes long, told in full or not. */
  readonly brisk?: true;
  /** Awaited in real time before each batch. */
  between?(): Promise<void> | void;
};

function withCauses(execution: Execution, causes: Causes): Execution {
  const { violation } = execution;
  return violation === null ? execution : { ...execution, violation: { ...violation, ...causes } };
}

/** The chooser at its start, or what it has answered so far where it cannot start again. */
function fromStart(chooser: Chooser, answers: readonly number[]): Chooser {
  if (!("restart" in chooser) || typeof chooser.restart !== "function") return new PlaybackChooser([...answers]);
  chooser.restart();
  return chooser;
}

function rethrow(failed: { readonly error: unknown } | null): void {
  if (failed !== null) throw failed.error;
}

const depthKey = Symbol.for("microloom.depth");

function batchDepth(): number {
  const depth: unknown = Reflect.get(globalThis, depthKey);
  return typeof depth === "number" ? depth : 0;
}

function enterBatch(by: number): void {
  Reflect.set(globalThis, depthKey, batchDepth() + by);
}
