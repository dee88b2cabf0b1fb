/**
 * The tour: finds defect #1838 in an ordinary async class, reduces it, replays it, and shows that the fix has a gap and
 * the core has none. `npm start` runs it; at most 40 lines.
 */
import { join } from "node:path";
import pc from "picocolors";
import { renderExplore } from "../reports/console.ts";
import { certificateSentence, counted, oneLine, verdictMeaning } from "../reports/wording.ts";
import { type ExploreResult, explore } from "../repro/explore.ts";
import { replay } from "../repro/replay.ts";
import { reproFileName, writeRepro } from "../repro/repro-file.ts";
import { reproSentences } from "../repro/sentences.ts";
import type { ExploreOptions } from "../sim/result.ts";
import type { Scenario } from "../sim/scenario.ts";
import { exitCodes } from "./exit-codes.ts";
import { findScenario } from "./load.ts";
import { type Output, standardOutput } from "./output.ts";

const faulty = "microloom:agent/parks-late-wakes";
const patched = "microloom:agent/looks-then-leaves";
const core = "microloom:agent/core";
const replays = 100;
/** A page has room for the tour, but not for all that is known of its failure. */
const failureLines = 18;

/** Enough for every order of the built-in scenarios; the certificate says how many there were. */
const exhaustive: ExploreOptions = { strategy: "depth-first", executions: 2_000_000 };

/** Runs the tour and returns the exit code: 0 when everything was as this file says it is. */
export async function runTour(output: Output, out: string): Promise<number> {
  const { bold, dim } = pc.createColors(output.style.color);
  const asExpected: boolean[] = [];

  output.lines([bold("1. An ordinary async agent: a user sends a, stops the turn, and sends b (defect #1838)")]);
  const found = await explore(scenarioNamed(faulty), {});
  const reproPath = await keep(found, join(out, reproFileName(faulty)), output);
  output.lines(
    renderExplore(faulty, found, { ...output.style, full: false, lines: failureLines, replayArguments: reproPath }),
  );
  const same = await replayAll(found);
  output.lines([`  Replayed ${counted(replays, "time")}: ${same} failed the same way`, ""]);
  asExpected.push(found.outcome === "violated" && found.verdict === "bug" && same === replays);

  output.lines([bold("2. The fix from the design notes: look at the inbox once more, then leave")]);
  asExpected.push(await holds(patched, { ...exhaustive, level: "spec" }, output));
  const gap = await explore(scenarioNamed(patched), { level: "jitter" });
  output.lines(gapLines(gap));
  asExpected.push(gap.outcome === "violated" && gap.verdict === "fragile");

  output.lines(["", bold("3. The reference core: it looks and decides in one transition")]);
  asExpected.push(await holds(core, { ...exhaustive, level: "spec" }, output));
  asExpected.push(await holds(core, { ...exhaustive, level: "jitter" }, output));
  output.lines([dim("  Next: write a scenario for your own class, see README.md")]);
  return asExpected.every(Boolean) ? exitCodes.held : exitCodes.violated;
}

function scenarioNamed(name: string): Scenario {
  return findScenario(name);
}

async function holds(name: string, options: ExploreOptions, output: Output): Promise<boolean> {
  const result = await explore(scenarioNamed(name), options);
  if (result.outcome !== "held" || result.certificate === null) {
    output.lines(renderExplore(name, result, { ...output.style, full: false, replayArguments: null }));
    return false;
  }
  const { green } = pc.createColors(output.style.color);
  output.lines([`${green("✓")} ${name}  no such schedule in ${certificateSentence(result.certificate)}`]);
  return true;
}

function gapLines(gap: ExploreResult): string[] {
  if (gap.outcome !== "violated") return [`? ${patched}  ${gap.outcome} at level jitter, though its gap is known`];
  const { verdict, repro, violation } = gap;
  return [
    `✗ ${patched}  ${verdict} at level jitter: ${verdictMeaning[verdict]}`,
    `  ${violation.name}: ${oneLine(violation.detail)}`,
    ...reproSentences(repro).map((sentence) => `    ${sentence}`),
  ];
}

async function replayAll(found: ExploreResult): Promise<number> {
  if (found.outcome !== "violated") return 0;
  let same = 0;
  for (let run = 0; run < replays; run++) {
    const again = await replay(scenarioNamed(faulty), found.repro);
    if (again.outcome === "violated" && again.violation?.name === found.violation.name) same++;
  }
  return same;
}

async function keep(found: ExploreResult, path: string, output: Output): Promise<string | null> {
  if (found.outcome !== "violated") return null;
  try {
    await writeRepro(path, found.repro);
    return path;
  } catch (error) {
    output.warn(error instanceof Error ? error.message : String(error));
    return null;
  }
}

process.exitCode = await runTour(standardOutput("npm run -s microloom --"), ".microloom");
