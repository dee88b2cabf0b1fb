/**
 * The host of the core on a reducer with one rule changed. The host imports its reducer by name and takes no other, so a
 * second copy of it is loaded whose reducer asks here first. The host that everybody else imports stays as it is.
 */
import fc from "fast-check";
import { vi } from "vitest";
import type * as host from "../../../../core/lease/host.ts";
import { planOf } from "../../../../sim/bounds.ts";
import { withRunner } from "../../../../sim/runner.ts";
import type { Scenario } from "../../../../sim/scenario.ts";
import { firstComeSchedule, ScheduleChooser } from "../../../../sim/schedule.ts";
import { core } from "../../model/lease-model.ts";
import type { LeaseReducer } from "../../model/world.ts";
import type { LeaseScript } from "../../script.ts";
import { coreLeaseScript, leaseScriptScenario } from "../../script-scenario.ts";
import { crowds } from "../../testing/crowds.ts";
import { scripts } from "../../testing/scripts.ts";

let current: LeaseReducer = core;

/** Runs the body with this reducer in the place of the core's, in the host of `mutatedScenario()`. */
export async function inTheHost<Result>(reducer: LeaseReducer, body: () => Promise<Result>): Promise<Result> {
  current = reducer;
  try {
    return await body();
  } finally {
    current = core;
  }
}

/** The scenario that the repros of counterexamples name, on that host. */
export async function mutatedScenario(): Promise<Scenario> {
  const create = await mutatedHost();
  return leaseScriptScenario({ name: coreLeaseScript.name, make: (ports, policy) => create(ports, policy) });
}

async function mutatedHost(): Promise<typeof host.createLeaseScheduler> {
  const replaced: Readonly<Record<string, Partial<LeaseReducer>>> = {
    transition: { transition: (...said) => current.transition(...said) },
    deadline: { nextDeadlineMs: (...said) => current.nextDeadlineMs(...said) },
    "may-write": { mayWrite: (...said) => current.mayWrite(...said) },
  };
  const places = Object.entries(replaced).map(([file, own]) => [`../../../../core/lease/${file}.ts`, own] as const);
  for (const [place, own] of places) {
    vi.doMock(place, async (original) => ({ ...(await original<object>()), ...own }));
  }
  // The query makes it another module than the one that others have loaded.
  const copy = "../../../../core/lease/host.ts?mutated";
  const { createLeaseScheduler }: typeof host = await import(copy);
  for (const [place] of places) vi.doUnmock(place);
  return createLeaseScheduler;
}

/** What chance seldom comes to, and then what chance comes to. */
export function someScripts(count: number, seed: number): readonly LeaseScript[] {
  return [...crowds, ...fc.sample(scripts, { numRuns: count, seed })];
}

/** The name of the invariant that breaks when a script runs as it comes, without any reordering; null where none does. */
export async function broken(reducer: LeaseReducer, scenario: Scenario, script: LeaseScript): Promise<string | null> {
  const { settings } = planOf(scenario, { script });
  const { violation } = await inTheHost(reducer, () =>
    withRunner(scenario, settings, (runner) => runner.run(new ScheduleChooser(firstComeSchedule))),
  );
  return violation?.name ?? null;
}
