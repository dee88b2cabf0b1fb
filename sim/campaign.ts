/** One search: which executions run, in which order, until something breaks, nothing is left, or the budget is spent. */
import { mistaken, NamedChooser, type Side } from "./both-orders.ts";
import type { Plan } from "./bounds.ts";
import { firstDifference } from "./divergence.ts";
import type { Chooser, Execution } from "./execution.ts";
import { fairLimitOf } from "./native/fair.ts";
import { describeLeaks, type Leak, type Watch } from "./native/leaks/detector.ts";
import { PlaybackChooser } from "./playback.ts";
import { Coverage } from "./race-coverage.ts";
import { streamSeed, worldIndex } from "./random.ts";
import type { Certificate, HowEnded, Mistaken, RaceCoverage, Reached } from "./result.ts";
import type { NativeRunner } from "./runner.ts";
import { Saturation } from "./saturation.ts";
import type { SearchResult } from "./search.ts";
import { firstComePairs } from "./strategies/dpor/pairs.ts";
import { strategyNamed } from "./strategies/named.ts";
import { SamplingChooser } from "./strategies/sampling.ts";
import { type Ended, type Exhausted, FirstComeChooser, type IndependentPair, type Strategy } from "./strategy.ts";

/** One execution in this many runs twice, and the traces must be equal. */
const checkEvery = 256;
/** Where nothing is certified, one pair of families is run in both orders for this many executions: it costs a tenth. */
const executionsPerPair = 40;
/** Random orders that are run once all classes were, where deliveries were taken for independent. */
const auditsMost = 64;
/** Below this many executions a goal that was not reached says nothing. */
const judgedFrom = 100;

const realNow = performance.now.bind(performance);

export class Campaign {
  readonly #runner: NativeRunner;
  readonly #plan: Plan;
  readonly #strategy: Strategy;
  readonly #ambiguous = new Set<string>();
  readonly #coverage = new Coverage();
  /** Null where the whole budget is to be spent. */
  readonly #saturation: Saturation | null;
  readonly #started = realNow();
  readonly #end: Ended;
  #executions = 0;
  #failing: readonly number[] | null = null;
  #diverged: string | null = null;
  readonly #mistaken: Mistaken[] = [];
  /** What has escaped in some execution. */
  #leaks: readonly Leak[] = [];
  /** The choices that led there. */
  #leaking: readonly number[] = [];
  /** An execution that is about to be run again, to see whether it gives the same trace. */
  #check: { readonly choices: readonly number[]; readonly hash: number } | null = null;
  #checking = false;
  /** Goal → number of executions that reached it. */
  readonly #goals = new Map<string, number>();
  #suspect: readonly number[] = [];
  #stopped = false;
  /** Seeds the world's streams of the last execution. */
  #lastIndex = 0;
  /** Told when it was confirmed: running it once more would take as long again. */
  #livelock: Execution | null = null;
  #first: { readonly execution: Execution; readonly choices: readonly number[] } | null = null;

  constructor(runner: NativeRunner, plan: Plan) {
    this.#runner = runner;
    this.#plan = plan;
    this.#saturation = plan.until === "flat" ? new Saturation() : null;
    const { engine } = runner;
    const coverage = this.#coverage;
    engine.coverage = coverage;
    this.#strategy = strategyOf(plan, this.#coverage);
    this.#end = {
      get violated(): boolean {
        return engine.violation !== null;
      },
      get deliveries(): number {
        return engine.tracer.length;
      },
      tell: () => {
        const execution = runner.tell();
        coverage.learn(execution.steps);
        return execution;
      },
    };
  }

  async run(): Promise<SearchResult> {
    const { seed } = this.#plan.settings;
    await this.#firstCome();
    if (this.#strategy.name !== "first-come" && this.#leaks.length === 0) await this.#search();
    if (this.#leaks.length === 0) await this.#bothOrders();
    if (this.#leaks.length === 0) await this.#audit();
    if (this.#leaks.length === 0) await this.#firstComeAgain();
    if (this.#leaks.length > 0) return this.#leaked();
    const executions = this.#executions;
    if (this.#diverged !== null) {
      return { outcome: "diverged", where: null, detail: this.#diverged, executions, seed };
    }
    if (this.#failing !== null) return this.#violated(this.#failing);
    const certificate = this.#certificate();
    return {
      outcome: "held",
      executions,
      certificate,
      mistaken: this.#mistaken,
      estimate: certificate === null ? this.#strategy.estimate : null,
      ended: this.#howEnded(certificate),
      reached: this.#reached(certificate !== null),
      races: this.#races(),
      seed,
      ambiguous: [...this.#ambiguous].sort(),
    };
  }

  /**
   * Runs the first-come schedule twice: that measures the longest drain and shows that the scenario is deterministic.
   * Counts as an execution only where it is all that is asked for, or where it is the one that fails.
   */
  async #firstCome(): Promise<void> {
    const { engine } = this.#runner;
    const jitter = this.#plan.settings.level === "jitter";
    const first = await this.#runner.run(new FirstComeChooser(jitter), { watch: "origins" });
    if (first.violation?.kind === "livelock") this.#livelock = first;
    const choices = [...engine.tracer.choices];
    this.#first = { execution: first, choices };
    this.#coverage.learn(first.steps);
    this.#remember();
    if (first.violation !== null) this.#failing = choices;
    if (first.violation !== null || this.#strategy.name === "first-come") {
      this.#executions = 1;
      this.#countGoals();
    }
    this.#findLeaks();
    if (this.#leaks.length > 0) this.#executions = 1;
    if (first.violation?.kind === "livelock" || this.#leaks.length > 0) return;
    const second = await this.#runner.run(new PlaybackChooser(choices), { watch: "origins" });
    this.#findLeaks();
    this.#diverged = firstDifference(first, second);
  }

  /**
   * What the first execution did, the same choices must still do after all the others. Otherwise something outside of
   * the scenario's body remembers, and a violation may be the sum of executions that never meet in real life.
   */
  async #firstComeAgain(): Promise<void> {
    const first = this.#first;
    if (first === null || this.#diverged !== null || first.execution.violation?.kind === "livelock") return;
    const last = await this.#runner.run(new PlaybackChooser(first.choices), { watch: "resources" });
    this.#findLeaks();
    const difference = firstDifference(first.execution, last);
    if (difference === null) return;
    this.#diverged = `${difference}; state outside of the scenario's body outlives an execution: make it inside the body`;
  }

  /** Runs what the strategy took for independent in both orders; no execution of the budget. */
  async #bothOrders(): Promise<void> {
    for (const pair of this.#strategy.exhausted?.pairs ?? this.#firstComePairs()) {
      this.#look();
      if (this.#stopped || this.#failing !== null || this.#diverged !== null) return;
      const { first, then } = pair;
      const one = await this.#side(pair, [first, then, ...(pair.rest ?? [])]);
      const rest = one.execution.steps.slice(pair.at + 2).map(({ name }) => name);
      const other = this.#failing === null ? await this.#side(pair, [then, first, ...rest]) : null;
      const mistake = other === null || this.#failing !== null ? null : mistaken(pair, one, other);
      if (mistake !== null) this.#mistaken.push(mistake);
    }
  }

  #firstComePairs(): readonly IndependentPair[] {
    const most = Math.floor(this.#executions / executionsPerPair);
    if (this.#first === null || this.#plan.settings.level !== "spec" || most === 0) return [];
    return firstComePairs(this.#first.execution, most);
  }

  /** A violation on the way counts: the execution is as legal as any. */
  async #side(pair: IndependentPair, names: readonly string[]): Promise<Side> {
    const { engine } = this.#runner;
    const { reached } = engine.conditions;
    const chooser = new NamedChooser(pair, names, () => reached);
    this.#lastIndex = 0;
    const execution = await this.#runner.run(chooser);
    if (execution.violation?.kind === "livelock") this.#livelock = execution;
    if (execution.violation !== null) this.#failing = [...engine.tracer.choices];
    return { execution, reached: new Set(reached), between: chooser.between };
  }

  /**
   * What the pairs cannot show: a lie that takes three deliveries, a condition that looks between two independent ones.
   * Random orders of the same classes may differ from those that were run in nothing; a violation is as real as any.
   */
  async #audit(): Promise<void> {
    // Where nothing was taken for independent, every order was run.
    if ((this.#strategy.exhausted?.pairs ?? []).length === 0) return;
    const chooser = new SamplingChooser(streamSeed(this.#plan.settings.seed, "audit"));
    const { engine } = this.#runner;
    for (let audit = 0; audit < auditsMost; audit++) {
      this.#look();
      if (this.#stopped || this.#failing !== null || this.#diverged !== null) return;
      chooser.restart(audit);
      this.#lastIndex = 0;
      const execution = await this.#runner.run(chooser);
      for (const name of engine.conditions.reached) if (this.#goals.get(name) === 0) this.#goals.set(name, 1);
      if (execution.violation?.kind === "livelock") this.#livelock = execution;
      if (execution.violation !== null) this.#failing = [...engine.tracer.choices];
    }
  }

  async #search(): Promise<void> {
    const campaign = this;
    this.#look();
    await this.#runner.batch({
      get index(): number {
        return campaign.#checking ? campaign.#lastIndex : campaign.#index(campaign.#executions);
      },
      next: () => this.#next(),
      again: () =>
        this.#check !== null ? new PlaybackChooser(this.#check.choices) : this.#strategy.again(this.#executions),
      ended: () => this.#ended(),
      brisk: true,
      between: () => this.#look(),
    });
    if (this.#diverged === "") this.#diverged = await this.#explainDivergence();
  }

  /** Looks whether the caller wants no more. */
  #look(): void {
    const { timeMs, signal } = this.#plan;
    this.#stopped = signal?.aborted === true || (timeMs !== null && realNow() - this.#started >= timeMs);
  }

  #next(): Chooser | null {
    const { engine } = this.#runner;
    const { tracer } = engine;
    if (this.#check !== null) {
      this.#checking = true;
      tracer.detailed = false;
      engine.watch = "resources";
      return new PlaybackChooser(this.#check.choices);
    }
    const spent = this.#executions >= this.#plan.executions;
    const over = this.#failing !== null || this.#diverged !== null || this.#leaks.length > 0;
    if (spent || over || this.#stopped || this.#flat()) return null;
    engine.watch = "off";
    const chooser = this.#strategy.next(this.#executions);
    tracer.detailed = this.#strategy.detailed;
    return chooser;
  }

  #ended(): void {
    const { engine } = this.#runner;
    const { tracer } = engine;
    this.#findLeaks();
    if (this.#checking) {
      this.#checking = false;
      if (tracer.hash !== this.#check?.hash) {
        this.#suspect = this.#check?.choices ?? [];
        this.#diverged = "";
      }
      this.#check = null;
      return;
    }
    this.#strategy.ended(this.#end);
    this.#remember();
    this.#countGoals();
    this.#lastIndex = this.#index(this.#executions);
    this.#executions++;
    this.#saturation?.ended(tracer.hash, this.#coverage.size);
    if (engine.violation?.kind === "livelock") this.#livelock = this.#runner.tell();
    if (engine.violation !== null) this.#failing = [...tracer.choices];
    else if (this.#executions % checkEvery === 0) this.#check = { choices: [...tracer.choices], hash: tracer.hash };
  }

  #findLeaks(): void {
    if (this.#leaks.length > 0) return;
    this.#leaks = this.#runner.leaks();
    if (this.#leaks.length > 0) this.#leaking = [...this.#runner.engine.tracer.choices];
  }

  /** Where the line is not known yet, the execution runs once more, watched closely. */
  async #leaked(): Promise<SearchResult> {
    if (this.#leaks[0]?.where === null) {
      await this.#again(this.#leaking, "origins");
      const leaks = this.#runner.leaks();
      if (leaks.length > 0) this.#leaks = leaks;
    }
    const where = this.#leaks[0]?.where ?? null;
    const { seed } = this.#plan.settings;
    return { outcome: "leaked", where, detail: describeLeaks(this.#leaks), executions: this.#executions, seed };
  }

  #index(execution: number): number {
    return worldIndex(this.#strategy.active, execution);
  }

  #countGoals(): void {
    const { conditions } = this.#runner.engine;
    for (const name of new Set(conditions.goals())) {
      this.#goals.set(name, (this.#goals.get(name) ?? 0) + (conditions.reached.has(name) ? 1 : 0));
    }
  }

  #remember(): void {
    for (const name of this.#runner.engine.names.ambiguous) this.#ambiguous.add(name);
  }

  /** Runs the failing choices again, in full; a violation that does not come back is a divergence. */
  async #violated(choices: readonly number[]): Promise<SearchResult> {
    const { settings } = this.#plan;
    const execution = this.#livelock ?? (await this.#again(choices, "origins"));
    this.#findLeaks();
    if (this.#leaks.length > 0) return await this.#leaked();
    const executions = this.#executions;
    const { violation } = execution;
    if (violation === null) {
      const detail = "a violation was seen once and did not come back with the same choices";
      return { outcome: "diverged", where: null, detail, executions, seed: settings.seed };
    }
    return {
      outcome: "violated",
      execution,
      violation,
      level: settings.level,
      settings,
      strategy: this.#failing === this.#first?.choices ? "first-come" : this.#strategy.active,
      index: this.#lastIndex,
      executions,
      reached: this.#reached(false),
      races: this.#races(),
      seed: settings.seed,
      ambiguous: [...this.#ambiguous].sort(),
    };
  }

  #again(choices: readonly number[], watch: Watch = "off"): Promise<Execution> {
    return this.#runner.run(new PlaybackChooser(choices), { execution: this.#lastIndex, watch });
  }

  async #explainDivergence(): Promise<string> {
    const one = await this.#again(this.#suspect);
    const other = await this.#again(this.#suspect);
    return firstDifference(one, other) ?? "one execution gave two traces, and did not do so again";
  }

  #certificate(): Certificate | null {
    const { exhausted } = this.#strategy;
    if (exhausted === null || this.#stopped || this.#mistaken.length > 0) return null;
    const { settings } = this.#plan;
    const { stepLimit, overtakes } = settings;
    const { jobsMost } = this.#runner.engine;
    const bounds: Certificate["bounds"] = {
      stepLimit,
      fairLimit: fairLimitOf(stepLimit),
      overtakes,
      ...(settings.level === "free" ? { jobs: jobsMost } : {}),
    };
    return {
      classes: exhausted.classes,
      of: exhausted.of,
      level: settings.level,
      blocked: exhausted.blocked,
      bounds: { ...bounds, ...exhausted.bounds },
      assumes: this.#assumes(exhausted),
    };
  }

  /** What a reader has to grant before the certificate means anything. */
  #assumes(exhausted: Exhausted): string[] {
    const { engine } = this.#runner;
    const assumes = [
      ...exhausted.assumes,
      "I/O and events take no time: the clock moves only when a timer is delivered, and to its deadline exactly",
    ];
    if (engine.leaks.blind || engine.leaks.deaf) assumes.push("nothing leaks: this process cannot see it");
    if (engine.idled)
      assumes.push("a timer or immediate that only re-arms itself is cut off after 12 firings or fewer");
    if (engine.faired)
      assumes.push("an execution that is longer than stepLimit goes on without faults and in fair order");
    if (engine.drew) assumes.push("random numbers are those of one draw from the seed");
    return assumes;
  }

  #flat(): boolean {
    if (this.#saturation?.flat !== true) return false;
    for (const count of this.#goals.values()) if (count === 0) return false;
    return true;
  }

  #howEnded(certificate: Certificate | null): HowEnded {
    const exhausted = this.#strategy.exhausted !== null;
    if (certificate !== null || (exhausted && this.#mistaken.length > 0)) return "exhausted";
    if (this.#stopped) return "stopped";
    return this.#executions < this.#plan.executions && this.#flat() ? "flat" : "spent";
  }

  #races(): RaceCoverage {
    const { names } = this.#runner.engine;
    return this.#coverage.tell((family) => names.whereOf(family));
  }

  /** Goals and how many executions reached each; what is missing is judged only after enough of them. */
  #reached(exhaustive: boolean): Reached {
    const goals: Record<string, number> = Object.create(null);
    const missing: string[] = [];
    for (const [name, count] of this.#goals) {
      goals[name] = count;
      if (count === 0 && (exhaustive || this.#executions >= judgedFrom)) missing.push(name);
    }
    return { goals: { ...goals }, missing };
  }
}

function strategyOf({ strategy, settings, executions }: Plan, coverage: Coverage): Strategy {
  const { level, jitterTicks, seed } = settings;
  return strategyNamed(strategy, { seed: streamSeed(seed, "schedule"), level, jitterTicks, executions, coverage });
}
