/** What is kept by name, on one engine: wakes after a turn's end, situations of drivers, and repros of failures. */
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { createAgent } from "../../../core/agent/host.ts";
import { keptSituations, type MakeSubject } from "../../../properties/agent/kept.ts";
import { wakeAfterTurnEnd } from "../../../properties/agent/kept-wake.ts";
import { ByTheBook } from "../../../properties/agent/subjects/by-the-book.ts";
import { LooksThenLeaves } from "../../../properties/agent/subjects/looks-then-leaves.ts";
import { agentSubjects } from "../../../properties/agent/subjects/table.ts";
import { builtInScenarios } from "../../../properties/index.ts";
import { decodeChoices } from "../../../repro/choices.ts";
import { explore } from "../../../repro/explore.ts";
import { formatRepro, readRepro } from "../../../repro/repro-file.ts";
import { StrictChooser } from "../../../repro/strict.ts";
import { planOf } from "../../../sim/bounds.ts";
import type { EngineName } from "../../../sim/result.ts";
import { withRunner } from "../../../sim/runner.ts";
import { ScheduleChooser } from "../../../sim/schedule.ts";
import { search } from "../../../sim/search.ts";

const cases = join(import.meta.dirname, "../../../repro/cases");
const right: Readonly<Record<string, MakeSubject>> = {
  "the core": (ports) => createAgent(ports),
  "by the book": (ports) => new ByTheBook(ports),
};
const late: Readonly<Record<string, MakeSubject>> = {
  ...right,
  "looks-then-leaves": (ports) => new LooksThenLeaves(ports),
};

export type KeptOnEngine = {
  /** By subject and how the turn ends: the ticks at which a wake is lost, and from which on all is over. */
  readonly wakes: Readonly<Record<string, { readonly lost: readonly number[]; readonly ticks: number }>>;
  /** By situation and subject: the promise that was broken; null: none. */
  readonly situations: Readonly<Record<string, string | null>>;
  readonly cases: readonly KeptCase[];
};

export type KeptCase = {
  readonly file: string;
  readonly expected: string;
  readonly byChoices: string | null;
  readonly byOrderings: string | null;
  /** Its own search finds it again, to the letter; null: that was not looked at. */
  readonly foundAgain: boolean | null;
};

/** `everyCase`: also searches again for what needs no tick to be told from another; that takes longest. */
export async function keptOn(engine: EngineName, everyCase: boolean): Promise<KeptOnEngine> {
  const wakes: Record<string, { lost: readonly number[]; ticks: number }> = {};
  for (const [who, make] of Object.entries(late)) {
    for (const turn of ["completed", "stopped"] as const) wakes[`${who}, ${turn}`] = await lostAt(make, turn, engine);
  }
  const situations: Record<string, string | null> = {};
  for (const { name, subject, scenario } of keptSituations) {
    const wrong = agentSubjects.find((each) => each.name === subject)?.make;
    const subjects = Object.entries({ ...right, ...(wrong === undefined ? {} : { [subject]: wrong }) });
    for (const [who, make] of subjects) {
      const found = await search(scenario(make), { engine, executions: 30, seed: name });
      situations[`${name}: ${who}`] = found.outcome === "violated" ? found.violation.name : null;
    }
  }
  const found: KeptCase[] = [];
  for (const file of readdirSync(cases).sort()) found.push(await keptCase(file, engine, everyCase));
  return { wakes, situations, cases: found };
}

/** Tries every number of ticks until the wake comes when all is over. */
async function lostAt(make: MakeSubject, turn: "completed" | "stopped", engine: EngineName) {
  const lost: number[] = [];
  let atRest = false;
  let ticks = 0;
  const onWake = (isAtRest: boolean): void => {
    atRest = isAtRest;
  };
  for (; !atRest && ticks < 60; ticks++) {
    const options = { engine, strategy: "first-come" } as const;
    const found = await search(wakeAfterTurnEnd(make, { ticks, turn, onWake }), options);
    if (found.outcome !== "held") lost.push(ticks);
  }
  return { lost, ticks };
}

async function keptCase(file: string, engine: EngineName, everyCase: boolean): Promise<KeptCase> {
  const repro = await readRepro(join(cases, file));
  const scenario = builtInScenarios.get(repro.scenario);
  if (scenario === undefined || repro.choices === null)
    throw new Error(`${file}: expected a built-in scenario, choices`);
  const { level, script } = repro;
  const { strategy, seed } = repro.foundBy;
  const choices = decodeChoices(repro.choices);
  const { stepLimit, overtakes, index } = choices.bounds;
  const jitterTicks = Math.max(1, ...choices.steps.map(({ tick }) => tick));
  const bounds = { engine, level, seed, stepLimit, overtakes, jitterTicks };
  const options = script.length === 0 ? bounds : { ...bounds, script };
  const { settings } = planOf(scenario, options);
  const [byChoices, byOrderings] = await withRunner(scenario, settings, async (runner) => {
    const strict = new StrictChooser(choices);
    const one = await runner.run(strict, { execution: index });
    const other = await runner.run(new ScheduleChooser(repro), { execution: index });
    return [strict.firstDifference() === null ? one : null, other];
  });
  const found = await (everyCase || level === "jitter" ? explore(scenario, { engine, level, strategy, seed }) : null);
  const written = found?.outcome === "violated" ? formatRepro({ ...found.repro, title: repro.title }) : null;
  return {
    file,
    expected: repro.violates,
    foundAgain: found === null ? null : written === formatRepro(repro),
    byChoices: byChoices?.violation?.name ?? null,
    byOrderings: byOrderings.violation?.name ?? null,
  };
}
