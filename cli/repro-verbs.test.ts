/** What a reader does with a repro: record it again, shrink it, export it. */
import { chmod, copyFile, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { encodeChoices } from "../repro/choices.ts";
import { type Repro, reproLimitBytes } from "../repro/repro.ts";
import { formatRepro, readRepro } from "../repro/repro-file.ts";
import { type ExportCommand, runExport } from "./export-command.ts";
import type { Output } from "./output.ts";
import { type RecordCommand, runRecord } from "./record-command.ts";
import { runReplay } from "./replay-command.ts";
import { runShrink, type ShrinkCommand } from "./shrink-command.ts";
import { type Ran, run } from "./testing/command.ts";

const exampleRepro = resolve("examples/late-wake.json");
const builtIn = resolve("repro/cases/agent-parks-late-wakes.json");
let folder = "";

beforeAll(async () => {
  await mkdir(".microloom", { recursive: true });
  folder = await mkdtemp(resolve(".microloom/verbs-"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** Runs the command from its sources, as `npm run microloom` does. */
function microloom(...args: readonly string[]): Promise<Ran> {
  const main = ["--import", "tsx", "--conditions=microloom-source", resolve("cli/main.ts")];
  return run(process.execPath, [...main, ...args]);
}

type Said = { readonly code: number; readonly out: string };

/** Runs one verb in this process. */
async function said(verb: (output: Output) => Promise<number>): Promise<Said> {
  const lines: string[] = [];
  const output: Output = {
    style: { color: false, command: "microloom" },
    lines: (more) => lines.push(...more),
    json: (value) => lines.push(JSON.stringify(value)),
    warn: (line) => lines.push(line),
  };
  return { code: await verb(output), out: lines.join("\n") };
}

const replayed = (repro: string, ...files: readonly string[]): Promise<Said> =>
  said((output) => runReplay({ repro, files, strict: false, subject: null, json: false, full: false }, output));
const recorded = (repro: string, files: readonly string[], more: Partial<RecordCommand> = {}): Promise<Said> =>
  said((output) => {
    return runRecord(
      { repro, files, renames: [], strict: false, subject: null, json: false, full: false, ...more },
      output,
    );
  });
const shrunk = (repro: string, files: readonly string[], more: Partial<ShrinkCommand> = {}): Promise<Said> =>
  said((output) => runShrink({ repro, files, out: null, write: false, json: false, ...more }, output));
const exported = (repro: string, files: readonly string[], more: Partial<ExportCommand> = {}): Promise<Said> =>
  said((output) => runExport({ repro, files, vitest: true, out: null, force: false, ...more }, output));

const agent = `import { scenario } from "microloom";
class Agent {
  inbox = [];
  driving = false;
  abort = new AbortController();
  constructor(outside) { this.outside = outside; }
  send(message) { this.inbox.push(message); if (!this.driving) void this.drive(); }
  stop() { this.abort.abort(); }
  async drive() {
    this.driving = true;
    const { signal } = (this.abort = new AbortController());
    while (!signal.aborted && this.inbox.length > 0) {
      this.inbox.shift();
      await this.outside.model();
    }
    if (signal.aborted) await this.outside.teardown();
    this.driving = false;
  }
}
export const wake = scenario("NAME", (world) => {
  const agent = new Agent({ model: () => world.io("agent:model", () => 1), teardown: () => world.delay("agent:teardown") });
  world.events("user", [["send a", () => agent.send("a")], ["stop", () => agent.stop()], ["send b", () => agent.send("b")]]);
  world.atQuiescence("no message lies in the inbox", () => agent.inbox.length === 0);
});
`;
const renameModel = (text: string): string => text.replace('"agent:model"', '"agent:llm"');
const addCall = (text: string): string =>
  text
    .replace("model: () =>", 'model: () => world.io("agent:tools", () => 1).then(() =>')
    .replace("1), teardown", "1)), teardown");
const fix = (text: string): string =>
  text.replace(
    "this.driving = false;\n  }\n}",
    "this.driving = false;\n    if (this.inbox.length > 0) void this.drive();\n  }\n}",
  );

/** A project with the agent, its text changed, and the repro that was found before. */
async function project(name: string, change: (text: string) => string): Promise<[repro: string, scenario: string]> {
  const [repro, scenario] = [join(folder, `${name}.json`), join(folder, `${name}.scenario.mjs`)];
  const kept = await readRepro(exampleRepro);
  const text = agent.replace("NAME", kept.scenario);
  if (change !== unchanged && change(text) === text) throw new Error(`the edit of ${name} changes nothing`);
  await writeFile(scenario, change(text));
  await copyFile(exampleRepro, repro);
  return [repro, scenario];
}
const unchanged = (text: string): string => text;

describe("microloom replay --record", () => {
  test("refreshes the choices after a change that still fails, and strict replay fits again", async () => {
    const [repro, scenario] = await project("added", addCall);
    const before = await readRepro(repro);
    const drifted = await replayed(repro, scenario);
    expect(drifted.code).toBe(3);
    expect(drifted.out).toContain("new since: agent:tools#1");
    expect(drifted.out).toContain(`replay --record ${repro} ${scenario}`);
    const { code, out } = await recorded(repro, [scenario]);
    expect(code).toBe(0);
    expect(out).toContain(`Recorded ${repro}: it fails as recorded`);
    const after = await readRepro(repro);
    expect(after).toEqual({ ...before, choices: after.choices });
    expect(after.choices).not.toBe(before.choices);
    expect((await replayed(repro, scenario)).code).toBe(1);
  });

  test("turns the expectation of what was fixed", async () => {
    const [repro, scenario] = await project("fixed", fix);
    expect((await recorded(repro, [scenario])).code).toBe(0);
    expect(await readRepro(repro)).toMatchObject({ expect: "held", choices: null });
    expect((await replayed(repro, scenario)).code).toBe(0);
  });

  test("refuses what no longer fits with exit 3, and touches nothing, until a rename is given", async () => {
    const [repro, scenario] = await project("renamed", renameModel);
    const before = await readFile(repro, "utf8");
    const refused = await recorded(repro, [scenario]);
    expect(refused.code).toBe(3);
    expect(refused.out).toContain('did you mean "agent:llm#1"?');
    expect(refused.out).toContain("Not recorded, the file is as it was: it no longer fits");
    expect(await readFile(repro, "utf8")).toBe(before);
    const ran = await microloom("replay", "--record", "--rename", "agent:model=agent:llm", repro, scenario);
    expect(ran).toMatchObject({ code: 0, err: "" });
    expect((await readRepro(repro)).orderings[0]).toEqual({ first: "user:stop#1", then: "agent:llm#1" });
    expect((await readdir(folder)).filter((name) => name.includes("partial"))).toEqual([]);
  });

  test("is best-effort, and of the file's own scenario", async () => {
    for (const more of [{ strict: true }, { subject: "core" }]) {
      await expect(recorded(builtIn, [], more)).rejects.toThrow(/^Cannot record with --strict or --subject/);
    }
    await expect(recorded(builtIn, [], { renames: ["nonsense"] })).rejects.toThrow(/^Cannot rename "nonsense"/);
    const ran = await microloom("replay", builtIn, "--rename", "a:b=a:c");
    expect(ran).toMatchObject({ code: 64, out: "", err: expect.stringMatching(/add --record\n$/) });
  });
});

describe("microloom shrink", () => {
  test("counts before and after, and writes only where it is told to", async () => {
    const [repro, scenario] = await project("padded", unchanged);
    const kept = await readRepro(repro);
    const padded: Repro = { ...kept, orderings: [{ first: "user:send a#1", then: "user:stop#1" }, ...kept.orderings] };
    await writeFile(repro, formatRepro(padded));
    const { code, out } = await shrunk(repro, [scenario]);
    expect(code).toBe(0);
    expect(out).toContain("orderings 3 → 2, faults 0 → 0, data 0 → 0, steps ");
    expect(out).toContain("Nothing was written");
    expect(await readRepro(repro)).toEqual(padded);
    const elsewhere = join(folder, "shrunk", "out.json");
    expect((await shrunk(repro, [scenario], { out: elsewhere })).code).toBe(0);
    expect((await readRepro(elsewhere)).orderings).toEqual(kept.orderings);
    expect(await microloom("shrink", repro, scenario, "--write")).toMatchObject({ code: 0, err: "" });
    expect((await readRepro(repro)).orderings).toEqual(kept.orderings);
    await expect(shrunk(repro, [scenario], { out: elsewhere, write: true })).rejects.toThrow(/found both$/);
  });

  test("shrinks nothing that does not fail", async () => {
    const [repro, scenario] = await project("unshrunk", fix);
    const { code, out } = await shrunk(repro, [scenario], { write: true });
    expect(code).toBe(3);
    expect(out).toContain("Not shrunk: it does not fail as recorded");
    expect(await readFile(repro, "utf8")).toBe(await readFile(exampleRepro, "utf8"));
  });
});

describe("microloom export", () => {
  test("finds the module of the scenario, and writes the test beside it", async () => {
    const [repro, scenario] = await project("exported", unchanged);
    const other = join(folder, "a-other.scenario.mjs");
    await writeFile(other, agent.replace("NAME", "another one"));
    const { code, out } = await exported(repro, [other, scenario]);
    expect(code).toBe(0);
    expect(out).toMatch(/Run it: npx vitest run .*exported\.test\.ts$/);
    const written = await readFile(join(folder, "exported.test.ts"), "utf8");
    expect(written).toContain("class Agent {");
    expect(written).not.toContain("another one");
    expect(written).not.toMatch(/from\s*["']microloom/);
  });

  test("replaces nothing without --force", async () => {
    const [repro, scenario] = await project("forced", unchanged);
    const target = join(folder, "forced.test.ts");
    await writeFile(target, "precious");
    await expect(exported(repro, [scenario])).rejects.toThrow(
      /there is a file already; name another with --out, or pass --force$/,
    );
    expect(await readFile(target, "utf8")).toBe("precious");
    const ran = await microloom("export", "--vitest", repro, scenario, "--out", target, "--force");
    expect(ran).toMatchObject({ code: 0, err: "" });
    expect(await readFile(target, "utf8")).toContain("class Agent {");
    await expect(exported(repro, [scenario], { out: join(folder, "folder.ts") })).resolves.toMatchObject({ code: 0 });
  });

  test("refuses by name what it cannot do", async () => {
    const [repro, scenario] = await project("refused", unchanged);
    await expect(exported(builtIn, [])).rejects.toThrow(
      /"microloom:agent\/parks-late-wakes" is built in, .*explore one that/,
    );
    await expect(exported(repro, [scenario], { vitest: false })).rejects.toThrow(/expected --vitest/);
    await expect(exported(repro, [])).rejects.toThrow(/name the file that exports it after the repro$/);
    await expect(exported(repro, [scenario], { out: "x.js" })).rejects.toThrow(/expected a path that ends in \.ts/);
    const other = join(folder, "b-other.scenario.mjs");
    await writeFile(other, agent.replace("NAME", "yet another one"));
    await expect(exported(repro, [other])).rejects.toThrow(
      /^Unknown scenario .*expected one of yet another one; name the file/,
    );
    await mkdir(join(folder, "taken.ts"));
    await expect(exported(repro, [scenario], { out: join(folder, "taken.ts"), force: true })).rejects.toThrow(
      /it is a folder/,
    );
    await writeFile(repro, formatRepro({ ...(await readRepro(repro)), level: "jitter" }));
    const ran = await microloom("export", "--vitest", repro, scenario);
    expect(ran).toMatchObject({
      code: 64,
      out: "",
      err: expect.stringMatching(/expected a repro of level spec, found jitter/),
    });
  });
});

/** Runs every verb on one file; tells the error of each, which must be a named one. */
async function refusals(path: string): Promise<readonly string[]> {
  const verbs = [
    () => replayed(path),
    () => recorded(path, []),
    () => shrunk(path, [], { write: true }),
    () => exported(path, []),
  ];
  const told: string[] = [];
  for (const verb of verbs) {
    try {
      told.push(`exit ${(await verb()).code}`);
    } catch (error) {
      if (!(error instanceof Error)) throw error;
      told.push(`${error.name}: ${error.message}`);
    }
  }
  return told;
}

describe("bad input is a named error in every verb, and the file is as it was", () => {
  const nested = (levels: number): unknown => {
    let value: unknown = 1;
    for (let level = 0; level < levels; level++) value = [value];
    return value;
  };
  const token = encodeChoices(
    { opening: [], steps: [], data: [], violation: null, faults: [], ambiguous: [], left: [] },
    { index: 0, overtakes: 1, stepLimit: 10 },
  );
  const whole = {
    format: 1,
    scenario: "microloom:agent/parks-late-wakes",
    title: "t",
    violates: "v",
    level: "spec",
    verdict: "bug",
  };
  const rest = {
    expect: "violation",
    script: [],
    faults: [],
    data: [],
    orderings: [],
    criticalPair: null,
    choices: token,
  };
  const sample = { ...whole, ...rest, foundBy: { strategy: "random", seed: "s", executions: 1 } };
  const text = (changed: object): string => JSON.stringify({ ...sample, ...changed });

  test.each<[string, string, RegExp]>([
    ["another format", text({ format: 2 }), /^ReproError: .*at format expected 1, found 2/],
    ["a format in words", text({ format: "1" }), /^ReproError: .*at format expected 1, found "1"/],
    ["no format", JSON.stringify({ scenario: "x" }), /^ReproError: .*found one without a format/],
    ["a list", "[]", /^ReproError: .*found one without a format/],
    ["a number", "1e999", /^ReproError: .*expected an object/],
    ["broken JSON", text({}).slice(0, -5), /^ReproError: .*expected JSON, but the parser says/],
    ["nothing", "", /^ReproError: .*expected JSON/],
    ["too many bytes", " ".repeat(reproLimitBytes + 1), /^ReproError: .*at most 4194304 bytes, found 4194305/],
    [
      "too deep a script",
      text({ script: [nested(2_000)] }),
      /^ReproError: .*at script\[0\]\[0\]\[0\] expected at most 100 levels/,
    ],
    ["the deepest text", `${"[".repeat(2_000_000)}`, /^ReproError: .*expected JSON/],
    [
      "a script as deep as the file",
      text({}).replace('"script":[]', `"script":${"[".repeat(1_000_000)}${"]".repeat(1_000_000)}`),
      /^ReproError: .*expected at most 100 levels/,
    ],
    [
      "a polluting key",
      text({}).replace(/}$/, ',"__proto__":{"polluted":1}}'),
      /^ReproError: .*expected no key "__proto__"/,
    ],
    [
      "a polluting key in an ordering",
      text({}).replace('"orderings":[]', '"orderings":[{"first":"a:b#1","then":"a:c#1","__proto__":1}]'),
      /^ReproError: .*at orderings\[0\] expected no key "__proto__"/,
    ],
    [
      "a polluting key in the script",
      text({}).replace('"script":[]', '"script":[{"a":[{"__proto__":{"polluted":1}}]}]'),
      /^ReproError: .*at script\[0\]\.a\[0\] expected no key "__proto__"/,
    ],
    [
      "a wrong type",
      text({ orderings: { first: "a:b#1" } }),
      /^ReproError: .*at orderings expected an array, found \{/,
    ],
    [
      "a wrong type inside",
      text({ orderings: [{ first: 1, then: "a:b#1" }] }),
      /^ReproError: .*at orderings\[0\]\.first expected a delivery name, found 1/,
    ],
    ["a number for a token", text({ choices: 1 }), /^ReproError: .*at choices expected a string/],
    [
      "an unknown scenario that looks built in",
      text({ scenario: "microloom:agent/nobody" }),
      /^UsageError: (Unknown scenario|Cannot export)/,
    ],
    [
      "a scenario that is a path",
      text({ scenario: "../../etc/passwd" }),
      /^UsageError: (Unknown scenario|Cannot find the scenario) "\.\.\/\.\.\/etc\/passwd"/,
    ],
    [
      "a scenario of Object.prototype",
      text({ scenario: "__proto__" }),
      /^UsageError: (Unknown scenario|Cannot find the scenario) "__proto__"/,
    ],
  ])("%s", async (_, content, message) => {
    const path = join(folder, "bad.json");
    await writeFile(path, content);
    for (const said of await refusals(path)) {
      expect(said).toMatch(message);
      expect(said.length).toBeLessThan(1_000);
      expect(said).not.toContain("\n");
    }
    expect(await readFile(path, "utf8")).toBe(content);
    expect(Reflect.get({}, "polluted")).toBeUndefined();
  });

  test.each<[string, string, RegExp]>([
    ["cut off", token.slice(0, -3), /its checksum is wrong|ends too early|do not belong/],
    ["of another version", token.replace("ml1:", "ml2:"), /its version is "2", and this microloom reads version 1/],
    ["of no version", token.slice(4), /it does not begin with "ml1:"/],
    ["of other characters", `${token}%%`, /it holds characters that do not belong/],
  ])("a token that is %s: strict verbs say so, best-effort ones do without", async (_, choices, message) => {
    const path = join(folder, "token.json");
    await writeFile(path, text({ choices }));
    const [replay, record] = await refusals(path);
    expect(replay).toMatch(/^ReproError: Cannot read the choices /);
    expect(replay).toMatch(message);
    // Nothing is violated without orderings, so the file now expects to hold.
    expect(record).toBe("exit 0");
  });

  test("a file that is missing, and a folder", async () => {
    for (const said of await refusals(join(folder, "missing.json")))
      expect(said).toMatch(/^ReproError: .*no such file/);
    for (const said of await refusals(folder))
      expect(said).toMatch(/^ReproError: .*it is a folder; name the file in it/);
  });

  test("a folder that may only be read", async () => {
    const closed = await mkdtemp(join(tmpdir(), "microloom-closed-"));
    const path = join(closed, "one.json");
    await copyFile(builtIn, path);
    await chmod(closed, 0o555);
    const superuser = process.geteuid?.() === 0;
    // The superuser may write anywhere, so it is nobody for a moment.
    if (superuser) process.seteuid?.(65_534);
    try {
      const [, record] = await refusals(path);
      expect(record).toBe(`ReproError: Cannot write ${path}: it may not be opened; check its permissions`);
    } finally {
      if (superuser) process.seteuid?.(0);
      await chmod(closed, 0o755);
    }
    expect(await readFile(path, "utf8")).toBe(await readFile(builtIn, "utf8"));
    expect(await readdir(closed)).toEqual(["one.json"]);
    await rm(closed, { recursive: true });
  });
});
