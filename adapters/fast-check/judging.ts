/**
 * Judges generated values: each is a scenario of its own, whose schedules are searched. A value that was shrunk from a
 * failing one is tried under that one's orderings first, so both are small in the end.
 *
 * The seed of a value's search is drawn from fast-check's generator behind the value, and hashed: the same seed of
 * fast-check gives the same searches, and no choice of a schedule repeats what the value was made of.
 */
import { type Arbitrary, asyncProperty, type IAsyncPropertyWithHooks, PreconditionFailure } from "fast-check";
import { type ExploreResult, explore } from "../../repro/explore.ts";
import type { ExploreOptions } from "../../sim/result.ts";
import type { Scenario } from "../../sim/scenario.ts";
import { Descent, type Values } from "./descent.ts";
import { RacePropertyError } from "./race-property-error.ts";
import { type Failure, failureOf, rediscover } from "./rediscover.ts";

/** A property runs a hundred values, so that in all there are five times the executions of a race. */
const executionsPerValue = 100;

/** A value as a scenario to explore. */
export type Trial = {
  readonly scenario: Scenario;
  /** What a repro carries as its script. */
  readonly script: readonly unknown[];
  /** True once `fc.pre()` has turned the value away. */
  turnedAway(): boolean;
};

export type Judging = {
  readonly name: string;
  readonly options: ExploreOptions;
  trial(values: Values): Trial;
  /** Told of what each value came to that fast-check has run. */
  judged?(result: ExploreResult): void;
};

type SomeValues = [unknown, ...unknown[]];

/** A property of fast-check that judges every value it is given. */
export function judgingProperty(
  arbitraries: readonly [Arbitrary<unknown>, ...Arbitrary<unknown>[]],
  judging: Judging,
): IAsyncPropertyWithHooks<SomeValues> {
  const judge = new Judge(judging);
  const property = asyncProperty<SomeValues>(...arbitraries, () => judge.run());
  const { generate, shrink, run, runAfterEach } = property;
  const { descent } = judge;
  property.generate = (random, runId) => {
    const value = generate.call(property, random, runId);
    descent.generated(value.value_, `${random.nextInt()},${random.nextInt()}`);
    return value;
  };
  property.shrink = (value) =>
    shrink.call(property, value).map((smaller) => {
      descent.shrunk(smaller.value_, value.value_);
      return smaller;
    });
  property.run = (values) => {
    judge.next(values);
    return run.call(property, values);
  };
  // Comes after every run, and where fast-check did not wait for its end as well.
  property.runAfterEach = () => {
    judge.giveUp();
    return runAfterEach.call(property);
  };
  return property;
}

class Judge {
  readonly descent = new Descent();
  readonly #judging: Judging;
  #values: Values = [];
  #given = new AbortController();

  constructor(judging: Judging) {
    this.#judging = judging;
  }

  /** fast-check runs one value at a time. */
  next(values: Values): void {
    this.#given = new AbortController();
    this.#values = values;
  }

  /** Ends the search that may still be at work: nobody waits for it any more. */
  giveUp(): void {
    this.#given.abort();
  }

  /** Throws what is wrong with the value. */
  async run(): Promise<void> {
    const values = this.#values;
    // One that is given up has not failed for those that are shrunk from it, and is not to be judged once more.
    this.descent.failed(values, null);
    const result = await this.#explored(values, this.#given.signal);
    this.#judging.judged?.(result);
    if (result.outcome !== "held") throw new RacePropertyError(this.#judging.name, result, values);
    // fast-check ends the run there, and says that it was interrupted.
    if (this.#judging.options.signal?.aborted === true) throw new PreconditionFailure(true);
  }

  async #explored(values: Values, giveUp: AbortSignal): Promise<ExploreResult> {
    const known = await this.descent.inherited(values, (parent) => this.#failure(parent, giveUp));
    const { scenario, script, turnedAway } = this.#judging.trial(values);
    const all = this.#optionsFor(values, giveUp);
    const result = (known && (await rediscover(scenario, all, known))) ?? (await explore(scenario, all));
    if (result.outcome !== "violated") return result;
    if (result.violation.kind === "error" && turnedAway()) throw new PreconditionFailure();
    const violated = { ...result, repro: { ...result.repro, script } };
    this.descent.failed(values, failureOf(violated));
    return violated;
  }

  /** How a value failed that was not run, because fast-check came by its path to what was shrunk from it. */
  async #failure(values: Values, giveUp: AbortSignal): Promise<Failure | null> {
    const result = await this.#explored(values, giveUp);
    return result.outcome === "violated" ? failureOf(result) : null;
  }

  #optionsFor(values: Values, giveUp: AbortSignal): ExploreOptions {
    const { options, name } = this.#judging;
    const signal = options.signal === undefined ? giveUp : AbortSignal.any([options.signal, giveUp]);
    const seed = `${options.seed ?? name}/${this.descent.seedOf(values)}`;
    return { executions: executionsPerValue, ...options, seed, signal };
  }
}
