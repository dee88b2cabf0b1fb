/**
 * Makes the script of a failure small, and its schedule with it: first the script, then faults, orderings, late arrivals
 * and data, and again, until no single step and no single element of the schedule can be taken away without the failure
 * going away. Fewer orderings may make a step needless, and fewer steps an ordering.
 *
 * A step that is taken away changes what the schedule names. So each script is tried with the last failing schedule
 * first, then with its occurrences counted anew, then with a few schedules of a search.
 */
import { ExploreOptionsError, planOf } from "../sim/bounds.ts";
import type { Execution } from "../sim/execution.ts";
import { formatName, parseName } from "../sim/names.ts";
import { Coverage } from "../sim/race-coverage.ts";
import { streamSeed } from "../sim/random.ts";
import type { Violation } from "../sim/result.ts";
import { type Runner, type Settings, withRunner } from "../sim/runner.ts";
import { type Scenario, ScenarioError } from "../sim/scenario.ts";
import { type Schedule, ScheduleChooser } from "../sim/schedule.ts";
import { strategyNamed } from "../sim/strategies/named.ts";
import { briefScheduleOf } from "./orderings.ts";
import { reduce } from "./reduce.ts";
import { isSameViolation, shrink } from "./shrink.ts";
import { simplerSteps } from "./simpler-steps.ts";

/** What fails: a script, the schedule under which it does, and the execution that this gives. */
export type Failing = {
  /** As it was given, before the scenario's schema has read it; null: the scenario was given none. */
  readonly script: readonly unknown[] | null;
  /** With the script as the scenario gets it. */
  readonly settings: Settings;
  readonly schedule: Schedule;
  readonly execution: Execution;
};

export type ShrunkJointly = Failing & {
  readonly executions: { readonly script: number; readonly schedule: number };
  /** False when a limit ended the shrinking. */
  readonly minimal: boolean;
};

export type JointLimits = {
  /** Executions of all scripts that are tried. */
  readonly script: number;
  /** Executions of all searches among them. */
  readonly searched: number;
  /** Executions of one shrinking of the schedule. */
  readonly schedule: number;
  /** Once it is aborted, what is smallest by then is the answer. */
  readonly signal?: AbortSignal | null;
};

/** Schedules that a search tries for one script. */
const searchMost = 12;
/** So many times the script is gone through again after the schedule got smaller. */
const roundsMost = 8;

/** Shrinks script and schedule; null when the schedule of the failing execution does not fail again. */
export async function shrinkJointly(
  scenario: Scenario,
  failing: Omit<Failing, "schedule">,
  index: number,
  limits: JointLimits,
): Promise<ShrunkJointly | null> {
  const { violation } = failing.execution;
  if (violation === null) return null;
  const scripts = new ScriptShrinking(scenario, violation, index, limits);
  let best: Failing = { ...failing, schedule: briefScheduleOf(failing.execution) };
  let [executions, minimal] = [0, true];
  for (let round = 0; round < roundsMost; round++) {
    const before = best;
    best = await scripts.shrink(best);
    if (round > 0 && best === before) break;
    const { settings, execution, schedule } = best;
    const shrunk = await withRunner(scenario, settings, (runner) =>
      shrink(execution, (each) => runSchedule(runner, each, index), limits.schedule, schedule, limits.signal),
    );
    if (shrunk === null) return null;
    best = { ...best, schedule: shrunk.schedule, execution: shrunk.execution };
    executions += shrunk.executions;
    // The last round has not looked at the script again.
    minimal = shrunk.minimal && round < roundsMost - 1;
    if (limits.signal?.aborted === true) break;
  }
  return {
    ...best,
    executions: { script: scripts.executions, schedule: executions },
    minimal: minimal && !scripts.limited,
  };
}

/** Tells whether the schedule fails in the same way with some single step less. At most one execution a step. */
export async function anyStepNeedless(scenario: Scenario, failing: Failing, index: number): Promise<boolean> {
  const { violation } = failing.execution;
  if (violation === null || failing.script === null) return false;
  const steps = failing.script.length;
  const scripts = new ScriptShrinking(scenario, violation, index, { script: steps, searched: 0, schedule: 0 });
  for (let at = 0; at < steps; at++) {
    if ((await scripts.failing(failing.script.toSpliced(at, 1), failing, "as it is")) !== null) return true;
  }
  return false;
}

class ScriptShrinking {
  executions = 0;
  limited = false;
  readonly #scenario: Scenario;
  readonly #violation: Violation;
  readonly #index: number;
  readonly #limits: JointLimits;
  #searched = 0;
  /** Scripts that were searched without a failure: what was not found once is not looked for again. */
  readonly #fruitless = new Set<string>();

  constructor(scenario: Scenario, violation: Violation, index: number, limits: JointLimits) {
    this.#scenario = scenario;
    this.#violation = violation;
    this.#index = index;
    this.#limits = limits;
  }

  /** Takes away and simplifies steps; returns the same value where nothing could be. */
  async shrink(from: Failing): Promise<Failing> {
    if (from.script === null) return from;
    let best = from;
    const adopt = async (script: readonly unknown[], how: "search" | "renumber"): Promise<boolean> => {
      const smaller = await this.failing(script, best, how);
      if (smaller !== null) best = smaller;
      return smaller !== null;
    };
    await reduce(from.script, (script) => adopt(script, "search"));
    for (let at = 0; at < (best.script ?? []).length; at++) {
      for (let simplified = true; simplified; ) {
        simplified = false;
        for (const step of simplerSteps(best.script?.[at])) {
          simplified = await adopt((best.script ?? []).with(at, step), "renumber");
          if (simplified) break;
        }
      }
    }
    return best;
  }

  /** The script with a schedule under which it fails in the same way; null where none was found. */
  async failing(
    script: readonly unknown[],
    last: Failing,
    how: "as it is" | "renumber" | "search",
  ): Promise<Failing | null> {
    const settings = this.#settingsOf(script, last.settings);
    if (settings === null) return null;
    try {
      return await withRunner(this.#scenario, settings, async (runner) => {
        const asItIs = await this.#run(runner, last.schedule);
        const fails = (execution: Execution | null): execution is Execution =>
          execution !== null && isSameViolation(this.#violation, execution.violation);
        if (fails(asItIs)) return { script, settings, schedule: last.schedule, execution: asItIs };
        if (asItIs === null || how === "as it is") return null;
        const schedule = renumbered(last.schedule, last.execution, asItIs);
        const counted = schedule === null ? null : await this.#run(runner, schedule);
        if (schedule !== null && fails(counted)) return { script, settings, schedule, execution: counted };
        return how === "search" ? await this.#search(runner, script, settings) : null;
      });
    } catch (error) {
      // The scenario takes the script and then cannot play it.
      if (error instanceof ScenarioError) return null;
      throw error;
    }
  }

  /** A few schedules near the first-come one, each in the world of the failure. */
  async #search(runner: Runner, script: readonly unknown[], settings: Settings): Promise<Failing | null> {
    const key = JSON.stringify(script);
    if (this.#fruitless.has(key)) return null;
    const { level, jitterTicks, seed } = settings;
    const strategy = strategyNamed("placement", {
      seed: streamSeed(seed, "schedule"),
      level,
      jitterTicks,
      executions: searchMost,
      coverage: new Coverage(),
    });
    for (let tried = 0; tried < searchMost && this.#searched < this.#limits.searched; tried++) {
      const chooser = strategy.next(tried);
      if (chooser === null || this.#spent()) break;
      this.#searched++;
      this.executions++;
      const execution = await runner.run(chooser, { execution: this.#index });
      const violated = execution.violation !== null;
      if (isSameViolation(this.#violation, execution.violation)) {
        const schedule = briefScheduleOf(execution);
        const again = await this.#run(runner, schedule);
        if (again !== null && isSameViolation(this.#violation, again.violation)) {
          return { script, settings, schedule, execution: again };
        }
      }
      strategy.ended({ violated, deliveries: execution.steps.length, tell: () => execution });
    }
    this.#fruitless.add(key);
    return null;
  }

  async #run(runner: Runner, schedule: Schedule): Promise<Execution | null> {
    if (this.#spent()) return null;
    this.executions++;
    return runSchedule(runner, schedule, this.#index);
  }

  #spent(): boolean {
    if (this.executions >= this.#limits.script || this.#limits.signal?.aborted === true) this.limited = true;
    return this.limited;
  }

  /** The settings with the script as the scenario's schema reads it; null where that refuses it. */
  #settingsOf(script: readonly unknown[], settings: Settings): Settings | null {
    // A script without steps is no script: the scenario would play its own.
    if (script.length === 0) return null;
    try {
      return { ...settings, script: planOf(this.#scenario, { script }).settings.script };
    } catch (error) {
      if (error instanceof ExploreOptionsError) return null;
      throw error;
    }
  }
}

function runSchedule(runner: Runner, schedule: Schedule, index: number): Promise<Execution> {
  return runner.run(new ScheduleChooser(schedule), { execution: index });
}

/** The schedule with the occurrences of those deliveries lowered of which there are fewer now; null: nothing changes. */
function renumbered(schedule: Schedule, before: Execution, now: Execution): Schedule | null {
  const [had, has] = [countsOf(before), countsOf(now)];
  let changed = false;
  const rename = (text: string): string => {
    const name = parseName(text);
    if (name === null) return text;
    const family = `${name.source}:${name.label}`;
    const fewer = (had.get(family) ?? 0) - (has.get(family) ?? 0);
    if (fewer <= 0 || name.occurrence <= fewer) return text;
    changed = true;
    return formatName({ ...name, occurrence: name.occurrence - fewer });
  };
  const orderings = schedule.orderings.map(({ first, then }) => ({ first: rename(first), then: rename(then) }));
  const faults = schedule.faults.map((fault) => ({ ...fault, at: rename(fault.at) }));
  return changed ? { ...schedule, orderings, faults } : null;
}

function countsOf({ steps, left }: Execution): Map<string, number> {
  const counts = new Map<string, number>();
  for (const text of [...steps.map(({ name }) => name), ...left]) {
    const family = text.slice(0, text.lastIndexOf("#"));
    counts.set(family, (counts.get(family) ?? 0) + 1);
  }
  return counts;
}
