import { readFile } from "node:fs/promises";
import { basename, dirname, join, relative, resolve } from "node:path";
import { renderReplay } from "../reports/console.ts";
import { oneLine } from "../reports/wording.ts";
import { copySentences } from "../repro/export/copied-code.ts";
import { type ScenarioModule, vitestFile } from "../repro/export/vitest-file.ts";
import { type ReplayResult, replay } from "../repro/replay.ts";
import type { Repro } from "../repro/repro.ts";
import { readRepro } from "../repro/repro-file.ts";
import { shellWord } from "../repro/shell-word.ts";
import { writeWhole } from "../repro/whole-file.ts";
import { exitCodes, exitOfReplay, UsageError } from "./exit-codes.ts";
import { isBuiltIn, scenarioWithFile } from "./load.ts";
import type { Output } from "./output.ts";
import { replayArguments } from "./repro-place.ts";
import { isSubjectName } from "./subject.ts";
import { refuseTarget } from "./target-file.ts";

export type ExportCommand = {
  readonly repro: string;
  readonly files: readonly string[];
  readonly vitest: boolean;
  /** Where the test goes; null: beside the scenario, named after the repro. */
  readonly out: string | null;
  readonly force: boolean;
};

/** Writes one repro out as a plain test, if it shows today what it expects, and returns the exit code. */
export async function runExport(command: ExportCommand, output: Output): Promise<number> {
  if (!command.vitest) throw new UsageError("Cannot export: expected --vitest, the one form there is; add it");
  const repro = await readRepro(command.repro);
  if (isBuiltIn(repro.scenario)) {
    throw new UsageError(
      `Cannot export ${command.repro}: ${JSON.stringify(repro.scenario)} is built in, and a plain test can only hold a scenario of yours; explore one that drives your own class, and export what that finds`,
    );
  }
  if (isSubjectName(repro.scenario)) {
    throw new UsageError(
      `Cannot export ${command.repro}: it is a repro of a check, whose scenario is the kit's; keep it beside a test that replays it: replay(agentUnderTest(createAgent), await readRepro(path)), or leaseSchedulerUnderTest`,
    );
  }
  if (command.out !== null && !/\.[cm]?ts$/.test(command.out)) {
    throw new UsageError(
      `Cannot export to ${command.out}: expected a path that ends in .ts, because the test is TypeScript`,
    );
  }
  const { scenario, file } = await scenarioWithFile(repro.scenario, command.files);
  const target = resolve(command.out ?? join(dirname(file), `${basename(command.repro, ".json")}.test.ts`));
  await refuseTarget({ path: target, force: command.force, sources: [command.repro, file, ...command.files] });
  const module: ScenarioModule = { path: file, text: await readFile(file, "utf8") };
  const text = await vitestFile(repro, module, target);
  const result = await replay(scenario, repro);
  const refusal = whyNoTest(repro, result);
  if (refusal !== null) {
    const replayed = { ...output.style, full: false, replayArguments: replayArguments(command.repro, command.files) };
    output.lines([...renderReplay(scenario.name, repro, result, replayed), `  Not exported: ${refusal}`]);
    return exitOfReplay(result) === exitCodes.untrusted ? exitCodes.untrusted : exitCodes.noLongerFits;
  }
  await writeWhole(target, text);
  const shown = shellWord(relative(process.cwd(), target));
  const copied = copySentences(module);
  output.lines([
    `Written to ${oneLine(shown)}`,
    `  Run it: npx vitest run ${oneLine(shown)}`,
    ...copied.map((sentence) => `  ${sentence}`),
  ]);
  return exitCodes.held;
}

/** A test of what the repro does not show today would prove nothing, or break for another reason; null where it shows it. */
function whyNoTest(repro: Repro, result: ReplayResult): string | null {
  const { outcome, violation } = result;
  if (outcome === "leaked" || outcome === "diverged") return `the execution ${outcome}`;
  if (outcome === "no-longer-fits") return "the repro no longer fits, so the test would prove nothing";
  if (repro.expect === "held") {
    return outcome === "held" ? null : "the repro no longer fits: it expects this to hold, and it is broken again";
  }
  if (outcome === "held") {
    return "the repro no longer fits: it expects a violation, and it holds; once the fix is meant, replay it with --record";
  }
  return violation?.name === repro.violates ? null : "the repro no longer fits: something else is violated";
}
