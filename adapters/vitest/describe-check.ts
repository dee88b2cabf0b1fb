import { join } from "node:path";
import { beforeAll, describe, type TestContext, test } from "vitest";
import type { CheckOptions } from "../../properties/kit/check-options.ts";
import type { CheckReport } from "../../properties/kit/check-report.ts";
import { renderCheck } from "../../reports/check.ts";
import type { Repro } from "../../repro/repro.ts";
import { reproFileName, writeRepro } from "../../repro/repro-file.ts";

export type DescribeCheckOptions = CheckOptions & {
  /** Where the repros of what was broken go. */
  readonly out?: string;
  /** A goal that was never reached is no failure. */
  readonly allowUnreached?: boolean;
};

/** A promise that the subject has not kept, or what else is wrong with it; the message is the whole explanation. */
export class CheckError extends Error {
  override readonly name = "CheckError";

  constructor(lines: readonly string[]) {
    super(lines.join("\n"));
  }
}

const quiet = { color: false, full: false, replayArguments: null, command: "npx microloom" };

export type Judgement = {
  readonly promises: readonly string[];
  readonly run: (options: CheckOptions) => Promise<CheckReport>;
  /** What makes the scenario of the repros, for whoever replays one in code. */
  readonly underTest: string;
};

/** Declares one test for each promise, one for what else is wrong, and one for what was never reached. */
export function describeCheck(
  name: string,
  { promises, run, underTest }: Judgement,
  options: DescribeCheckOptions,
): void {
  const { out = ".microloom", allowUnreached = false, ...asked } = options;
  describe(name, () => {
    let report: CheckReport;
    const explain = async (about: CheckReport) => new CheckError(await told(name, about, underTest, out));
    // The check is bounded by its own budget, so the runner's time-out would only cut off the explanation.
    beforeAll(async () => {
      report = await run(asked);
    }, 0);
    test.for(promises)("%s", async (promise, context) => {
      skipWhere(report, promise, context);
      const broken = report.broken.filter(({ invariant }) => invariant === promise);
      if (broken.length > 0) throw await explain(only(report, { broken }));
    });
    test("nothing else is wrong", async () => {
      if (report.problems.length > 0) throw await explain(only(report, { problems: report.problems }));
    });
    test("every goal is reached", () => {
      const { notReached } = report;
      if (notReached.length > 0 && !allowUnreached)
        throw new CheckError([`never reached: ${notReached.join(", ")}; what it does there was not judged`]);
    });
  });
}

function skipWhere({ skipped }: CheckReport, promise: string, { skip }: TestContext): void {
  const found = skipped.find(({ invariant }) => invariant === promise);
  if (found !== undefined) skip(found.because);
}

/** What one test is about; the others tell the rest. */
function only(report: CheckReport, about: Pick<CheckReport, "broken"> | Pick<CheckReport, "problems">): CheckReport {
  return { ...report, held: [], skipped: [], notReached: [], broken: [], problems: [], ...about };
}

async function told(name: string, report: CheckReport, underTest: string, out: string): Promise<string[]> {
  const broken: (string | null)[] = [];
  for (const [at, { invariant, repro }] of report.broken.entries())
    broken.push(await kept(`${name} ${invariant}`, at, repro, out));
  const problems: (string | null)[] = [];
  for (const [at, { kind, repro }] of report.problems.entries())
    problems.push(await kept(`${name} ${kind}`, at, repro, out));
  const first = JSON.stringify(broken.find((path) => path !== null) ?? "the repro");
  const inCode = `replay(${underTest}(make), await readRepro(${first}))`;
  return renderCheck(name, report, { inCode, broken, problems }, quiet);
}

/** A read-only folder costs the file, not the explanation. */
async function kept(what: string, at: number, repro: Repro | undefined, out: string): Promise<string | null> {
  if (repro === undefined) return null;
  const path = join(out, reproFileName(at === 0 ? what : `${what} ${at + 1}`));
  try {
    await writeRepro(path, repro);
    return path;
  } catch {
    return null;
  }
}
