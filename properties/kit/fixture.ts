/**
 * How a subject comes into an execution and goes out of it again. A factory that returns the subject itself is called
 * within the execution. One that returns a promise is called, and awaited, before it, outside of the realm: what it does
 * is not explored, so it may read files or wait. `unmake` runs outside of the realm, after the execution.
 */
import { describeReason } from "../../sim/native/reasons.ts";
import { ScenarioError, type ScenarioOptions } from "../../sim/scenario.ts";
import { isThenable } from "./thenable.ts";

/** The ports of the execution that runs, or early answers while none does. */
export type LatePorts<Ports> = {
  readonly ports: Ports;
  /** What the ports lead to from now on; null: nowhere, they answer at once. */
  bind(to: Ports | null): void;
};

export type FixtureOptions<Ports> = {
  readonly make: (ports: Ports) => unknown;
  readonly unmake: ((subject: unknown) => unknown) | null;
  readonly latePorts: () => LatePorts<Ports>;
};

/** What may be wrong with a factory, or with what takes its subjects away again. */
export type FactoryProblem = "factory-threw" | "unsettled" | "bad-shape" | "threw";

/** The factory itself failed, or `unmake` did; `unsettled`: a promise of theirs is still open after a while. */
export class FactoryError extends ScenarioError {
  override readonly name = "FactoryError";
  readonly kind: FactoryProblem;

  constructor(kind: FactoryProblem, message: string, options?: ErrorOptions) {
    super(message, options);
    this.kind = kind;
  }
}

/** What a check has to know of a fixture, whatever the ports are. */
export type FixtureState = {
  /** The factory is known to return a promise. */
  readonly isAsync: boolean;
  /** Takes the last subject away; to be awaited when nothing runs any more. */
  unmade(): Promise<void>;
};

type Loaded<Ports> = { readonly subject: unknown; readonly late: LatePorts<Ports> };

/** Real time; only a factory that never settles waits that long. */
const patienceMs = 5_000;
const realSetTimeout = setTimeout;
const realClearTimeout = clearTimeout;

export class Fixture<Ports> implements FixtureState {
  readonly #options: FixtureOptions<Ports>;
  /** Known after the first call; null before. */
  #isAsync: boolean | null = null;
  #made: { readonly subject: unknown } | null = null;
  #foreseen = false;

  constructor(options: FixtureOptions<Ports>) {
    this.#options = options;
    // Not every function that returns a promise is one of these, but these all do.
    if (Object.prototype.toString.call(options.make) === "[object AsyncFunction]") this.#isAsync = true;
  }

  get isAsync(): boolean {
    return this.#isAsync === true;
  }

  /**
   * Prepares for a scenario that is made before anybody has looked at the factory: then the first call is made outside of
   * the realm, and tells of which kind it is.
   */
  foresee(): void {
    this.#foreseen = true;
  }

  /** What the scenario needs for it: nothing for a plain factory without `unmake`. */
  get scenarioOptions(): Pick<ScenarioOptions, "isolate"> {
    const { unmake } = this.#options;
    return this.isAsync || this.#foreseen || unmake !== null ? { isolate: () => this.#before() } : {};
  }

  /**
   * Makes the subject of an execution that begins, or takes the one that was made for it. Null where the factory turns out
   * to return a promise: then nothing can run before `scenarioOptions` are asked for again. Throws FactoryError.
   */
  make(ports: Ports, isolated: unknown): { readonly subject: unknown } | null {
    if (isLoaded<Ports>(isolated)) {
      isolated.late.bind(ports);
      return isolated;
    }
    const subject = this.#call(ports);
    if (isThenable(subject)) {
      if (this.#isAsync === false) {
        const detail =
          "the factory returned a promise, and had returned the subject itself before; let it return a promise always, or never";
        throw new FactoryError("bad-shape", detail);
      }
      this.#isAsync = true;
      // Nobody will use this one.
      const { unmake } = this.#options;
      Promise.resolve(subject)
        .then(unmake ?? (() => {}))
        .then(undefined, () => {});
      return null;
    }
    this.#isAsync ??= false;
    this.#made = { subject };
    return this.#made;
  }

  async unmade(): Promise<void> {
    const made = this.#made;
    this.#made = null;
    const { unmake } = this.#options;
    if (made === null || unmake === null) return;
    const failed = (error: unknown) =>
      new FactoryError("threw", `unmake threw: ${describeReason(error)}`, { cause: error });
    await inTime(async () => unmake(made.subject), failed, "the promise of unmake has not settled within");
  }

  async #before(): Promise<Loaded<Ports> | undefined> {
    await this.unmade();
    if (this.#isAsync === false || (this.#isAsync === null && !this.#foreseen)) return undefined;
    const late = this.#options.latePorts();
    const made = this.#call(late.ports);
    const subject = await inTime(
      async () => made,
      (error) => new FactoryError("factory-threw", `the factory rejected: ${describeReason(error)}`, { cause: error }),
      "what is to be explored must not wait for anything that an execution does; the factory's promise has not settled within",
    );
    this.#made = { subject };
    // A factory that loads something first, and has it from then on, may stop to return promises.
    this.#isAsync = this.#isAsync === true || isThenable(made);
    if (this.#isAsync) return { subject, late };
    // One that need not be awaited is made within the execution.
    await this.unmade();
    return undefined;
  }

  #call(ports: Ports): unknown {
    try {
      return this.#options.make(ports);
    } catch (error) {
      throw new FactoryError("factory-threw", `the factory threw: ${describeReason(error)}`, { cause: error });
    }
  }
}

/** Throws what `failed` makes of an error; and FactoryError where it takes longer than anybody would wait. */
async function inTime(
  run: () => Promise<unknown>,
  failed: (error: unknown) => FactoryError,
  late: string,
): Promise<unknown> {
  let timer: NodeJS.Timeout | undefined;
  const over = new Promise<never>((_resolve, reject) => {
    const detail = `${late} ${patienceMs / 1_000} s`;
    timer = realSetTimeout(() => reject(new FactoryError("unsettled", detail)), patienceMs);
  });
  const settled = run().catch((error: unknown) => {
    throw failed(error);
  });
  try {
    return await Promise.race([settled, over]);
  } finally {
    realClearTimeout(timer);
  }
}

function isLoaded<Ports>(value: unknown): value is Loaded<Ports> {
  return typeof value === "object" && value !== null && "late" in value && "subject" in value;
}
