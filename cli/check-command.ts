import { resolve } from "node:path";
import { checkSteps, type Step } from "../properties/kit/check.ts";
import { type AskedOptions, checkPlanOf } from "../properties/kit/check-options.ts";
import type { CheckReport } from "../properties/kit/check-report.ts";
import { renderCheck } from "../reports/check.ts";
import type { Repro } from "../repro/repro.ts";
import { exitCodes } from "./exit-codes.ts";
import { loadModule } from "./load.ts";
import type { Output } from "./output.ts";
import { canKeep, freePath, keepRepro, replayArguments } from "./repro-place.ts";
import { type SubjectKind, subjectName, subjectOf } from "./subject.ts";

export type CheckCommand = {
  readonly kind: SubjectKind;
  readonly file: string;
  readonly options: AskedOptions;
  readonly json: boolean;
  readonly full: boolean;
  readonly allowUnreached: boolean;
  /** Begins to listen for an interrupt; asked for once the module is loaded. */
  readonly interrupted: () => AbortSignal;
  /** Folder for repro files. */
  readonly out: string;
};

/** Judges what a module makes and returns the exit code. */
export async function runCheck(command: CheckCommand, output: Output): Promise<number> {
  const { kind, json, full } = command;
  const file = resolve(command.file);
  // What the code under test prints, as it is loaded and later, must not get between the braces.
  if (json) process.stdout.write = process.stderr.write.bind(process.stderr);
  const { check, options } = subjectOf(kind, command.file, await loadModule(file, "exports a factory"));
  const keeps = await canKeep(command.out, output);
  const signal = command.interrupted();
  const plan = checkPlanOf({ ...options, ...command.options, signal });
  const name = subjectName(kind, file);
  const steps = checkSteps(...check(plan, name), plan);
  const report = await reported(steps);
  const places = keeps ? await keepAll(name, report, command, output) : none(report);
  if (json) output.json({ format: 1, subject: name, report });
  else output.lines(renderCheck(name, report, places, { ...output.style, full, replayArguments: null }));
  if (signal.aborted) output.warn("interrupted: what is reported is what was known by then");
  return exitOf(report, command.allowUnreached, signal.aborted);
}

async function reported(steps: AsyncGenerator<Step, CheckReport>): Promise<CheckReport> {
  for (;;) {
    const step = await steps.next();
    if (step.done === true) return step.value;
  }
}

type Places = { readonly broken: readonly (string | null)[]; readonly problems: readonly (string | null)[] };

async function keepAll(name: string, report: CheckReport, command: CheckCommand, output: Output): Promise<Places> {
  const taken = new Set<string>();
  const keep = async (what: string, repro: Repro | undefined): Promise<string | null> => {
    if (repro === undefined) return null;
    const path = await keepRepro(repro, freePath(command.out, `${name} ${what}`, taken), output);
    return replayArguments(path, [command.file]);
  };
  const broken: (string | null)[] = [];
  for (const { invariant, repro } of report.broken) broken.push(await keep(invariant, repro));
  const problems: (string | null)[] = [];
  for (const { kind, repro } of report.problems) problems.push(await keep(kind, repro));
  return { broken, problems };
}

function none({ broken, problems }: CheckReport): Places {
  return { broken: broken.map(() => null), problems: problems.map(() => null) };
}

function exitOf({ broken, problems, notReached }: CheckReport, allowUnreached: boolean, aborted: boolean): number {
  const untrusted = problems.some(({ kind }) => kind === "leaked" || kind === "diverged");
  if (untrusted) return exitCodes.untrusted;
  if (broken.length > 0 || problems.length > 0) return exitCodes.violated;
  if (aborted) return exitCodes.interrupted;
  return notReached.length > 0 && !allowUnreached ? exitCodes.violated : exitCodes.held;
}
