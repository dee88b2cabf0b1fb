import { execFile } from "node:child_process";
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import type { Repro } from "../repro.ts";
import { readRepro } from "../repro-file.ts";
import { ExportError, vitestFile } from "./vitest-file.ts";

const faulty = resolve("examples/late-wake.scenario.ts");
let folder = "";

beforeAll(async () => {
  await mkdir(".microloom", { recursive: true });
  folder = await mkdtemp(resolve(".microloom/export-"));
  await writeFile(join(folder, "vitest.config.js"), "export default { test: { include: ['**/*.test.ts'] } };\n");
});
afterAll(() => rm(folder, { recursive: true, force: true }));

type Exported = { readonly name: string; readonly repro: Repro; readonly path: string; readonly text: string };

/** Runs exported tests in a project of its own, which has Vitest and nothing of ours; tells what each failed with. */
async function outcomesOf(exported: readonly Exported[]): Promise<Record<string, string>> {
  return (await runAll(exported)).outcomes;
}

type AllRun = { readonly outcomes: Record<string, string>; readonly printed: string };

async function runAll(exported: readonly Exported[]): Promise<AllRun> {
  // Nothing of an earlier run.
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    if (entry.isDirectory()) await rm(join(folder, entry.name), { recursive: true });
  }
  for (const each of exported) await write(each);
  const vitest = resolve("node_modules/vitest/vitest.mjs");
  const report = join(folder, "report.json");
  const asked = ["run", "--root", folder, "--reporter=default", "--reporter=json", `--outputFile.json=${report}`];
  const printed = await new Promise<string>((done) => {
    const options = { maxBuffer: 2 ** 30, env: { ...process.env, NO_COLOR: "1" } };
    execFile(process.execPath, [vitest, ...asked], options, (_error, out, err) => done(out + err));
  });
  const { testResults } = reported.parse(JSON.parse(await readFile(report, "utf8")));
  const outcomes = Object.fromEntries(
    testResults.map(({ name, assertionResults: [only] }) => {
      return [
        basename(dirname(name)),
        only?.status === "passed" ? "passed" : (only?.failureMessages.join() ?? "no test"),
      ];
    }),
  );
  return { outcomes, printed };
}

const reported = z.object({
  testResults: z.array(
    z.object({
      name: z.string(),
      assertionResults: z.array(z.object({ status: z.string(), failureMessages: z.array(z.string()) })),
    }),
  ),
});

async function write({ name, repro, path, text }: Exported): Promise<void> {
  const target = join(folder, name, "exported.test.ts");
  await mkdir(dirname(target), { recursive: true });
  await writeFile(target, await vitestFile(repro, { path, text }, target));
  expect(await readFile(target, "utf8")).not.toMatch(/from\s*["']microloom/);
}

const all = [
  'import { scenario } from "microloom";',
  "export const all = scenario('all', { script: { parse: (json) => json } }, (world, script) => {",
  "  const seen = [];",
  "  world.actor('late', async () => {",
  "    await new Promise((go) => setTimeout(go, 50));",
  "    seen.push('late ' + Date.now());",
  "  });",
  "  world.actor('flaky', () => world.io('read', () => 1, { mayFail: true }).catch(() => seen.push('failed')));",
  "  world.events('user', [['go', () => void seen.push(script[0] + ' ' + world.choose('what', ['a', 'b']))]]);",
  "  world.atQuiescence('nothing was seen', () => seen.join());",
  "});",
].join("\n");

describe("vitestFile()", () => {
  test("vitestFile() fails on the faulty subject, passes on the fixed one, and brings about all that broke it", async () => {
    const repro = await readRepro("examples/late-wake.json");
    const text = await readFile(faulty, "utf8");
    const fixed = text.replace("if (signal.aborted) await this.#outside.teardown();", (found) => {
      return `${found}\n      this.#driving = false;\n      if (this.inbox.length > 0) void this.#drive();`;
    });
    expect(fixed).not.toBe(text);
    const everything: Repro = {
      ...repro,
      scenario: "all",
      script: ["scripted"],
      data: [1],
      faults: [{ at: "flaky:read#1", kind: "fail" }],
      orderings: [{ first: "user:go#1", then: "late:timer 50#1" }],
    };
    const told = await outcomesOf([
      { name: "faulty", repro, path: faulty, text },
      { name: "fixed", repro, path: faulty, text: fixed },
      { name: "everything", repro: everything, path: join(folder, "all.scenario.ts"), text: all },
    ]);
    expect(Object.keys(told).sort()).toEqual(["everything", "faulty", "fixed"]);
    expect(told.faulty).toContain("no message lies in the inbox: the inbox still holds b");
    expect(told.fixed).toBe("passed");
    expect(told.everything).toContain("nothing was seen: failed,scripted b,late 50");
  });

  test("vitestFile() fails where what broke it does not come about any more, though everything holds", async () => {
    const repro = await readRepro("examples/late-wake.json");
    const text = await readFile(faulty, "utf8");
    const holds = all.replace('"nothing was seen"', '"something"').replace(/seen\.join\(\)/, "seen.length > 0");
    const fits: Repro = {
      ...repro,
      scenario: "all",
      script: ["scripted"],
      data: [1],
      faults: [{ at: "flaky:read#1", kind: "fail" }],
      orderings: [{ first: "user:go#1", then: "late:timer 50#1" }],
    };
    const changed = (name: string, repro: Partial<Repro>): Exported => {
      return { name, repro: { ...fits, ...repro }, path: join(folder, "all.scenario.ts"), text: holds };
    };
    // The timer is set by the start, which nothing else can precede: this ordering cannot be met.
    const never = [{ first: "late:timer 50#1", then: "late:start#1" }];
    const told = await outcomesOf([
      { name: "renamed", repro, path: faulty, text: text.replace('"agent:model"', '"agent:llm"') },
      changed("fits", {}),
      changed("first", { orderings: [{ first: "user:went#1", then: "late:timer 50#1" }] }),
      changed("then", { orderings: [{ first: "user:go#1", then: "late:timer 60#1" }] }),
      changed("fault", { faults: [{ at: "flaky:fetch#1", kind: "hang" }] }),
      changed("order", { orderings: never }),
      changed("data", { data: [1, 1] }),
    ]);
    const expected = (what: string): string => `This test proves nothing any more: expected ${what}, found `;
    expect(told.fits).toBe("passed");
    expect(told.renamed).toContain(`${expected("agent:model#1, which never came")}user:send a#1`);
    expect(told.first).toContain(expected("user:went#1, which never came"));
    expect(told.then).toContain(expected("late:timer 60#1, which never came"));
    expect(told.fault).toContain(expected("flaky:fetch#1, which never came"));
    expect(told.order).toContain(expected("late:timer 50#1 before late:start#1"));
    expect(told.data).toContain(expected("2 choices of data"));
  });

  test("vitestFile() bounds what an error prints whose causes never end", async () => {
    const repro: Repro = { ...(await readRepro("examples/late-wake.json")), scenario: "fails", orderings: [] };
    const failing = (name: string, lines: readonly string[]): Exported => {
      const text = [
        'import { scenario } from "microloom";',
        "export const fails = scenario('fails', (world) => {",
        "  world.events('user', [['go', () => {",
        ...lines.map((line) => `    ${line}`),
        "  }]]);",
        "});",
      ].join("\n");
      return { name, repro, path: join(folder, "fails.scenario.ts"), text };
    };
    const { outcomes, printed } = await runAll([
      failing("cyclic", [
        "const outer = new Error('the outer one');",
        "outer.cause = new TypeError('the inner one', { cause: outer });",
        "throw outer;",
      ]),
      failing("itself", ["const alone = new Error('it alone');", "alone.cause = alone;", "throw alone;"]),
      failing("deep", [
        "let error = new Error('the first');",
        "for (let at = 0; at < 500; at++) error = new Error('number ' + at, { cause: error });",
        "throw error;",
      ]),
      failing("plain", ["throw new RangeError('the outer one', { cause: new Error('why') });"]),
    ]);
    expect(printed.split("\n").length).toBeLessThan(250);
    expect(outcomes.cyclic).toContain("Error: the outer one");
    expect(outcomes.itself).toContain("Error: it alone");
    expect(outcomes.deep).toContain("Error: number 499");
    expect(outcomes.plain).toContain("RangeError: the outer one");
    expect(printed).toMatch(/Caused by: TypeError: the inner one/);
    expect(printed).toContain("Caused by: Error: why");
  });

  test("vitestFile() moves relative imports along with the file", async () => {
    const repro = await readRepro("examples/late-wake.json");
    const text = 'import { a } from "./agent.ts";\nimport type { B } from "../b.ts";\nimport x from "lib";\n';
    const written = await vitestFile(repro, { path: "/app/src/x.scenario.ts", text }, "/app/test/x.test.ts");
    expect(written).toContain('from "../src/agent.ts"');
    expect(written).toContain('from "../b.ts"');
    expect(written).toContain('from "lib"');
  });

  test("vitestFile() refuses by name what a plain test cannot do", async () => {
    const repro = await readRepro("examples/late-wake.json");
    const module = { path: faulty, text: "" };
    const late = { at: "agent:model#1", kind: "late", arg: 2 } as const;
    const refused = (changed: Partial<Repro>, text = "") =>
      vitestFile({ ...repro, ...changed }, { ...module, text }, "/x.test.ts");
    await expect(refused({ level: "jitter" })).rejects.toThrow(/expected a repro of level spec, found jitter/);
    await expect(refused({ faults: [late] })).rejects.toThrow(/expected faults that fail or hang, found "late"/);
    await expect(refused({}, 'import { checkAgent } from "microloom/properties";')).rejects.toThrow(ExportError);
  });
});
