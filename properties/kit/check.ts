/**
 * Judges a subject by the promises of its contract: script after script, each explored with its share of the executions.
 * What a script breaks is shrunk and kept, and the script is explored once more without that promise, so that one breach
 * does not hide another.
 */
import type { ExploreResult } from "../../repro/explore.ts";
import { explore } from "../../repro/explore.ts";
import { type Swept, sweep } from "../../repro/sweep.ts";
import type { ExploreOptions } from "../../sim/result.ts";
import type { Scenario } from "../../sim/scenario.ts";
import type { CheckPlan } from "./check-options.ts";
import type { Broken, CheckReport, Problem, ProblemKind, Skipped } from "./check-report.ts";
import type { Family, Judged, JudgedGoal, Need, Script, Shape } from "./family.ts";
import { FactoryError, type FixtureState } from "./fixture.ts";
import { look } from "./look.ts";
import { problemKinds } from "./problem-kinds.ts";

/** Entries for one invariant, or for one kind of problem. */
const entriesMost = 5;
/** Failures of one invariant that are explained, the ones of a known shape among them. */
const explainedMost = 8;
/** A script is explored again with what it broke left out, so many times. */
const roundsMost = 8;
/** Fewer executions than this are not worth another round. */
const roundLeast = 10;

/** Endless loops after which the rest is not tried. */
const endlessMost = 3;
const notJudged = "nothing could be judged";

/** Told after every exploration; for progress, and for whoever stops at the first breach. */
export type Step = {
  readonly script: number;
  readonly scripts: number;
  readonly executions: number;
  readonly broken: readonly Broken[];
  /** After how many executions of the check each of these was found. */
  readonly foundAt: readonly number[];
  readonly problems: readonly Problem[];
};

/** Runs the whole check. Throws ExploreOptionsError. */
export async function check(family: Family, fixture: FixtureState, plan: CheckPlan): Promise<CheckReport> {
  const steps = checkSteps(family, fixture, plan);
  for (;;) {
    const step = await steps.next();
    if (step.done === true) return step.value;
  }
}

export async function* checkSteps(
  family: Family,
  fixture: FixtureState,
  plan: CheckPlan,
): AsyncGenerator<Step, CheckReport> {
  try {
    const seen = await look(family, fixture, plan);
    if (seen.problem !== null) return nothingJudged(family, seen.problem);
    const findings = new Findings(family, plan, seen.shape);
    const scripts = await scriptsOf(family, plan, findings.without);
    const { timeMs = Number.POSITIVE_INFINITY } = plan.explore;
    const endMs = realNow() + timeMs;
    let left = plan.executions;
    for (const [at, script] of scripts.entries()) {
      const share = Math.ceil(left / (scripts.length - at));
      left -= await exploreScript(findings, script, at, Math.min(share, left), withinMs(plan, endMs));
      yield { script: at + 1, scripts: scripts.length, ...findings.soFar() };
      if (left <= 0 || findings.loopsTooOften) break;
      if (realNow() >= endMs || plan.explore.signal?.aborted === true) break;
    }
    await fixture.unmade().catch((error: unknown) => {
      if (!(error instanceof FactoryError)) throw error;
      findings.failed(error);
    });
    return findings.report();
  } finally {
    // Nothing is left to be taken away, unless the check itself has failed.
    await fixture.unmade();
  }
}

// Time decides only how many executions run.
const realNow = performance.now.bind(performance);

/** `timeMs` is the whole check's; each exploration gets what is left. */
function withinMs(plan: CheckPlan, endMs: number): CheckPlan {
  if (endMs === Number.POSITIVE_INFINITY) return plan;
  return { ...plan, explore: { ...plan.explore, timeMs: Math.max(1, Math.ceil(endMs - realNow())) } };
}

async function scriptsOf(family: Family, { explore: options, scripts }: CheckPlan, without: readonly Need[]) {
  if (options.script !== undefined) return [options.script];
  return family.scripts({ seed: options.seed ?? defaultSeed, count: scripts, without });
}

export const defaultSeed = "check";

/** Explores one script until nothing more is broken or its share is spent; returns the executions that this took. */
async function exploreScript(
  findings: Findings,
  script: Script,
  at: number,
  share: number,
  plan: CheckPlan,
): Promise<number> {
  let spent = await sweepScript(findings, script, share, plan);
  for (let round = 0; round < roundsMost && (spent === 0 || share - spent >= roundLeast); round++) {
    const options: ExploreOptions = {
      ...plan.explore,
      executions: share - spent,
      seed: `${plan.explore.seed ?? defaultSeed}/${at}`,
      script,
    };
    const result = await findings.explored(options);
    if (result === null) return Math.max(1, spent);
    spent += result.executions;
    if (!findings.take(result)) break;
  }
  return spent;
}

/** Puts the command that a script is about at every place of its run, and again without what that broke. */
async function sweepScript(findings: Findings, script: Script, share: number, plan: CheckPlan): Promise<number> {
  const delivery = findings.family.sweptIn(script);
  if (delivery === null) return 0;
  let spent = 0;
  for (let round = 0; round < roundsMost && spent < share; round++) {
    const result = await findings.swept(delivery, { ...plan.explore, executions: share - spent, script });
    if (result === null) return Math.max(1, spent);
    spent += result.executions;
    if (!findings.take(result)) break;
  }
  return spent;
}

function nothingJudged(family: Family, problem: Problem): CheckReport {
  return {
    held: [],
    broken: [],
    skipped: names(family.invariants).map((invariant) => ({ invariant, because: notJudged })),
    notReached: names(family.goals),
    executions: 0,
    problems: [problem],
  };
}

class Findings {
  readonly without: readonly Need[];
  readonly family: Family;
  readonly #absent: Shape["absent"];
  readonly #broken: Broken[] = [];
  readonly #foundAt: number[] = [];
  readonly #problems: Problem[] = [];
  /** Shapes that are known, by invariant or kind of problem. */
  readonly #known = new Set<string>();
  readonly #explained = new Map<string, number>();
  /** Not judged any more in any script. */
  readonly #muted = new Set<string>();
  /** Not judged any more in this script. */
  #mutedHere = new Set<string>();
  #script: readonly unknown[] | undefined;
  readonly #goals = new Set<string>();
  #executions = 0;
  /** Executions that ended as they should, or in a broken promise. */
  #trusted = 0;
  #endless = 0;

  constructor(family: Family, { without }: CheckPlan, { absent }: Shape) {
    this.family = family;
    this.#absent = absent;
    this.without = [...new Set([...without, ...absent.map(({ need }) => need)])];
  }

  soFar(): Omit<Step, "script" | "scripts"> {
    const [broken, foundAt, problems] = [[...this.#broken], [...this.#foundAt], [...this.#problems]];
    return { executions: this.#executions, broken, foundAt, problems };
  }

  explored(options: ExploreOptions): Promise<ExploreResult | null> {
    return this.#judged(options, explore);
  }

  swept(delivery: string, options: ExploreOptions): Promise<Swept | null> {
    return this.#judged(options, (scenario) => sweep(scenario, delivery, options));
  }

  /** Null where the factory failed between two executions; that is among the problems then. */
  async #judged<Result>(
    options: ExploreOptions,
    run: (scenario: Scenario, options: ExploreOptions) => Promise<Result>,
  ): Promise<Result | null> {
    if (options.script !== this.#script) this.#mutedHere = new Set();
    this.#script = options.script;
    const muted = new Set([...this.#muted, ...this.#mutedHere]);
    try {
      return await run(this.family.scenario({ without: this.without, muted }), options);
    } catch (error) {
      if (!(error instanceof FactoryError)) throw error;
      this.failed(error);
      return null;
    }
  }

  /** The factory failed, or what takes its subjects away. */
  failed({ kind, message }: FactoryError): void {
    this.#addProblem({ kind, detail: message }, message);
  }

  /** So many endless loops are enough: each takes a second or more, and tells nothing new. */
  get loopsTooOften(): boolean {
    return this.#endless >= endlessMost;
  }

  /** Writes down what was found; true when the same script may have more to tell. */
  take(result: ExploreResult | Swept): boolean {
    this.#executions += result.executions;
    if (result.outcome !== "held" && result.outcome !== "violated") {
      const { outcome, detail, where } = result;
      const at = where === null ? "" : ` (${where.file}:${where.line})`;
      this.#addProblem({ kind: outcome, detail: `${detail}${at}` }, `${outcome} ${at || detail}`);
      return false;
    }
    // One that ends in an error of the subject itself says nothing of its promises.
    this.#trusted += result.outcome === "held" ? result.executions : result.executions - 1;
    for (const [goal, times] of Object.entries(result.reached.goals)) if (times > 0) this.#goals.add(goal);
    if (result.outcome === "held") return false;
    const { violation, verdict, repro } = result;
    const shape = this.family.shapeOf(repro.script);
    const kind = problemKindOf(violation.kind, violation.name);
    if (violation.kind === "livelock") this.#endless++;
    if (kind === null) this.#trusted++;
    if (kind !== null) {
      const detail = violation.name.startsWith("kit/") ? violation.detail : `${violation.name}: ${violation.detail}`;
      this.#addProblem({ kind, detail, repro }, shape);
      if (!violation.name.startsWith("kit/")) return false;
    } else if (!this.#known.has(`${violation.name} ${shape}`)) {
      this.#known.add(`${violation.name} ${shape}`);
      this.#broken.push({ invariant: violation.name, verdict, violation, repro });
      this.#foundAt.push(this.#executions);
      if (this.#entriesOf(violation.name) >= entriesMost) this.#muted.add(violation.name);
    }
    const explained = (this.#explained.get(violation.name) ?? 0) + 1;
    this.#explained.set(violation.name, explained);
    if (explained >= explainedMost) this.#muted.add(violation.name);
    this.#mutedHere.add(violation.name);
    return true;
  }

  report(): CheckReport {
    const { invariants, goals } = this.family;
    const broken = this.#broken.toSorted((one, other) => this.#place(one) - this.#place(other));
    const skipped = invariants.flatMap((judged): readonly Skipped[] => {
      const because = this.#trusted === 0 ? notJudged : this.#whySkipped(judged);
      return because === null ? [] : [{ invariant: judged.name, because }];
    });
    const isHeld = ({ name }: Judged) =>
      !skipped.some(({ invariant }) => invariant === name) && !broken.some(({ invariant }) => invariant === name);
    return {
      held: names(invariants.filter(isHeld)),
      broken,
      skipped: skipped.filter(({ invariant }, at) => skipped.findIndex((one) => one.invariant === invariant) === at),
      notReached: names(goals.filter((goal) => this.#isMissing(goal))),
      executions: this.#executions,
      problems: this.#problems,
    };
  }

  #isMissing(goal: JudgedGoal): boolean {
    const asked = goal.onlyAfter === undefined || this.#goals.has(goal.onlyAfter);
    return asked && this.#whySkipped(goal) === null && !this.#goals.has(goal.name);
  }

  #addProblem(problem: Problem, shape: string): void {
    const known = `${problem.kind} ${shape}`;
    if (this.#known.has(known)) return;
    this.#known.add(known);
    if (this.#problems.filter(({ kind }) => kind === problem.kind).length < entriesMost) this.#problems.push(problem);
  }

  #entriesOf(name: string): number {
    return this.#broken.filter(({ invariant }) => invariant === name).length;
  }

  #place({ invariant }: Broken): number {
    return this.family.invariants.findIndex(({ name }) => name === invariant);
  }

  #whySkipped({ needs }: Judged): string | null {
    const need = needs.find((one) => this.without.includes(one));
    if (need === undefined) return null;
    const absent = this.#absent.find((one) => one.need === need);
    return absent === undefined ? `"${need}" is left out` : `the subject has no ${absent.method}()`;
  }
}

/** Null where it is a promise that was broken. */
function problemKindOf(kind: string, name: string): ProblemKind | null {
  switch (name) {
    case "kit/factory-threw":
    case "kit/bad-shape":
    case "kit/unsettled":
    case "kit/after-dispose":
    case "kit/threw":
      return problemKinds[name];
    default:
      return kind === "error" ? "threw" : kind === "always" || kind === "quiescence" ? null : "unsettled";
  }
}

function names(judged: readonly Judged[]): readonly string[] {
  return [...new Set(judged.map(({ name }) => name))];
}
