/**
 * Runs executions of one scenario in batches: at most 20 ms inside the virtual realm, then a real macrotask, so that
 * progress, Ctrl-C and a test runner's messages live. Explorations of one process wait for each other.
 */
import { setImmediate as realSetImmediate } from "node:timers";
import type { Chooser, Execution } from "./execution.ts";
import { withAsyncStackKept } from "./native/async-stack.ts";
import { Engine } from "./native/engine.ts";
import { Realm } from "./native/realm.ts";
import { timerFunctions } from "./native/timers.ts";
import { underWatchdog } from "./native/watchdog.ts";
import { PlaybackChooser } from "./playback.ts";
import type { Level } from "./result.ts";
import { type Scenario, ScenarioError, scenarioParts } from "./scenario.ts";

/** The bounds within which executions run; equal settings and equal choices give equal executions. */
export type Settings = {
  readonly level: Level;
  readonly script: readonly unknown[] | null;
  readonly seed: string;
  readonly stepLimit: number;
  /** How many timers may overtake pending I/O in one execution. */
  readonly overtakes: number;
  /** The longest delay a delivery may get at level jitter, in ticks; null: measured in the first execution. */
  readonly jitterTicks: number | null;
};

export type Runner = {
  /** Runs one execution in a macrotask of its own and tells it in full. With `stacks`, errors carry stack traces. */
  run(chooser: Chooser, options?: RunOptions): Promise<Execution>;
};
export type RunOptions = {
  readonly stacks?: boolean;
  /** Seeds the execution's own random streams; those of execution 0 unless said. */
  readonly execution?: number;
};

const batchMs = 20;
/** Real time after which an execution is suspected not to end; a count decides, see `#confirm`. */
const suspectMs = 250;
/** More jobs in one execution, or more clock reads without a delivery, than this is a livelock. */
const workLimit = 100_000;

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
): Promise<T> {
  const parts = scenarioParts(scenario);
  if (batchDepth() > 0) {
    throw new ScenarioError(
      `Cannot explore "${scenario.name}" inside an execution: explore it outside of the scenario`,
    );
  }
  const before: unknown = Reflect.get(globalThis, queueKey);
  const work = (async () => {
    await before;
    return body(new NativeRunner(new Engine(parts, settings), settings));
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

export class NativeRunner implements Runner {
  readonly engine: Engine;
  readonly #script: readonly unknown[];
  readonly #realm: Realm;

  constructor(engine: Engine, settings: Settings) {
    this.engine = engine;
    this.#script = settings.script ?? [];
    this.#realm = new Realm(
      engine,
      timerFunctions(engine, (id) => engine.timerById(id)),
    );
  }

  async run(chooser: Chooser, options: RunOptions = {}): Promise<Execution> {
    const { engine } = this;
    let told: Execution | null = null;
    engine.tracer.detailed = true;
    await this.batch(
      {
        next: () => (told === null ? chooser : null),
        index: options.execution ?? 0,
        ended: () => {
          told = this.tell();
        },
      },
      options.stacks === true,
    );
    engine.tracer.detailed = false;
    return told ?? this.tell();
  }

  /** Tells the last execution in full; it must have been detailed. */
  tell(): Execution {
    const { engine } = this;
    return engine.tracer.tell(engine.violation, [...engine.names.ambiguous].sort(), engine.pending.left());
  }

  /** Runs executions for as long as `work` has a next one, in batches with a real macrotask between them. */
  async batch(work: Work, stacks = false): Promise<void> {
    while (await this.#macrotask(work, stacks)) await work.between?.();
  }

  #macrotask(work: Work, stacks: boolean): Promise<boolean> {
    return new Promise((resolve, reject) => {
      realSetImmediate(withAsyncStackKept, () => {
        try {
          resolve(this.#inRealm(work, stacks));
        } catch (error) {
          reject(error);
        }
      });
    });
  }

  /** One batch. True when there may be more to do. */
  #inRealm(work: Work, stacks: boolean): boolean {
    const until = realNow() + batchMs;
    let more = true;
    let failed: { readonly error: unknown } | null = null;
    enterBatch(1);
    this.#realm.enter();
    if (stacks) Error.stackTraceLimit = 30;
    try {
      const ended = underWatchdog(() => {
        try {
          do more = this.#one(work);
          while (more && realNow() < until);
        } catch (error) {
          failed = { error };
        }
      }, suspectMs);
      if (!ended) {
        this.#confirm(work.index);
        work.ended();
      }
    } finally {
      this.engine.metronome.detach();
      this.#realm.leave();
      enterBatch(-1);
    }
    rethrow(failed);
    return more;
  }

  #one(work: Work): boolean {
    const chooser = work.next();
    if (chooser === null) return false;
    this.engine.execute(chooser, work.index, this.#script, undefined);
    work.ended();
    return true;
  }

  /** Runs the suspected execution again, alone and counted, and makes it a violation if it does not end. */
  #confirm(index: number): void {
    const { engine } = this;
    const playback = new PlaybackChooser([...engine.tracer.choices]);
    engine.abandon();
    engine.tracer.detailed = true;
    for (const limitMs of [suspectMs, 20 * suspectMs]) {
      engine.countWork();
      const ended = underWatchdog(() => engine.execute(playback.restart(), index, this.#script, undefined), limitMs);
      if (ended) return;
      engine.abandon();
      if (engine.workDone() > workLimit) break;
    }
    engine.livelock(workLimit);
  }
}

/** Executions to run: `next` prepares one (null: no more), `index` seeds it, `ended` is told when it is over. */
export type Work = {
  next(): Chooser | null;
  readonly index: number;
  ended(): void;
  /** Awaited in real time between two batches. */
  between?(): Promise<void> | void;
};

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
