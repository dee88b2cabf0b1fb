/** What a reader does with a repro: record it again, shrink it, export it. */
import { chmod, copyFile, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { encodeChoices } from "../repro/choices.ts";
import { type Repro, reproLimitBytes } from "../repro/repro.ts";
import { formatRepro, readRepro } from "../repro/repro-file.ts";
import { type Ran, run } from "./testing/command.ts";
import {
  addCall,
  agent,
  agentProject,
  exampleRepro,
  exported,
  fix,
  recorded,
  renameModel,
  replayed,
  shrunk,
  unchanged,
} from "./testing/verbs.ts";

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

const project = (name: string, change: (text: string) => string) => agentProject(folder, name, change);

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

  test("turns the expectation of what was fixed, and a title that is no longer true", async () => {
    const [repro, scenario] = await project("fixed", fix);
    expect((await recorded(repro, [scenario])).code).toBe(0);
    expect(await readRepro(repro)).toMatchObject({
      title: "Was broken: no message lies in the inbox",
      expect: "held",
      choices: null,
    });
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

  test("says of a file that expects to hold, and does, that this is no failure, and exits 0", async () => {
    const [repro, scenario] = await project("regression", fix);
    expect((await recorded(repro, [scenario])).code).toBe(0);
    const { code, out } = await shrunk(repro, [scenario]);
    expect(code).toBe(0);
    expect(out).toContain("✓");
    expect(out).toContain(
      "Not shrunk: the file expects this to hold, and it does: a regression test is replayed, only a",
    );
    const json = await shrunk(repro, [scenario], { json: true });
    expect(json.code).toBe(0);
    expect(JSON.parse(json.out)).toMatchObject({ result: { outcome: "held" }, shrunk: null, written: null });
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
    expect(out).toMatch(/Run it: npx vitest run .*exported\.test\.ts$/m);
    const written = await readFile(join(folder, "exported.test.ts"), "utf8");
    expect(written).toContain("class Agent {");
    expect(written).not.toContain("another one");
    expect(written).not.toMatch(/from\s*["']microloom/);
  });

  test("says which code the test copies, and nothing where the scenario imports it", async () => {
    const [repro, scenario] = await project("copies", unchanged);
    const { out } = await exported(repro, [scenario]);
    expect(out).toContain(
      'The test holds a copy of class Agent from "copies.scenario.mjs": a fix of the original does',
    );
    expect(out).toContain("Move the code under test to a file of its own, import it in the scenario, and export");
    expect(await readFile(join(folder, "copies.test.ts"), "utf8")).toContain(
      " * The test holds a copy of class Agent ",
    );
    const [start, end] = [agent.indexOf("class Agent"), agent.indexOf("export const wake")];
    await writeFile(join(folder, "agent.mjs"), `export ${agent.slice(start, end)}`);
    const [imported, importing] = await project("imports", (text) => {
      return `import { Agent } from "./agent.mjs";\n${text.slice(0, start)}${text.slice(text.indexOf("export const wake"))}`;
    });
    expect((await exported(imported, [importing])).out).not.toContain("copy");
    expect(await readFile(join(folder, "imports.test.ts"), "utf8")).not.toContain("holds a copy");
  });

  test.each<[string, (text: string) => string, Partial<Repro>, string]>([
    ["was renamed", renameModel, {}, "the repro no longer fits, so the test would prove nothing"],
    ["was fixed", fix, {}, "the repro no longer fits, so the test would prove nothing"],
    ["was fixed, by the orderings alone", fix, { choices: null }, "it expects a violation, and it holds; once the fix"],
    [
      "is broken again",
      unchanged,
      { expect: "held", choices: null },
      "it expects this to hold, and it is broken again",
    ],
    ["breaks something else", unchanged, { violates: "another promise" }, "something else is violated"],
  ])("refuses with exit 3 what proves nothing today: the code %s", async (what, change, repro, said) => {
    const [path, scenario] = await project(`unfit-${what.replace(/\W/g, "-")}`, change);
    await writeFile(path, formatRepro({ ...(await readRepro(path)), ...repro }));
    const { code, out } = await exported(path, [scenario]);
    expect(code).toBe(3);
    expect(out).toContain("  Not exported: the repro no longer fits");
    expect(out).toContain(said);
    expect(await readdir(folder)).not.toContain(`${path.slice(folder.length + 1, -".json".length)}.test.ts`);
  });

  test("writes a test of what was fixed, which expects to hold", async () => {
    const [repro, scenario] = await project("kept", fix);
    expect((await recorded(repro, [scenario])).code).toBe(0);
    expect((await exported(repro, [scenario])).code).toBe(0);
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

test("every verb that replays says so where it refuses", async () => {
  const [repro, scenario] = await project("refusing", unchanged);
  const kept = await readRepro(repro);
  const asked: readonly (readonly [Partial<Repro>, RegExp])[] = [
    [{ script: ["go"] }, /^Cannot replay "a message .*" with a script: expected a scenario with a script schema/],
    [{ level: "free", choices: null }, /^Cannot replay "a message .*" at level "free"/],
  ];
  for (const [changed, message] of asked) {
    await writeFile(repro, formatRepro({ ...kept, ...changed }));
    await expect(replayed(repro, scenario)).rejects.toThrow(message);
    await expect(recorded(repro, [scenario])).rejects.toThrow(message);
    await expect(shrunk(repro, [scenario])).rejects.toThrow(message);
  }
  const none = join(folder, "none.mjs");
  await writeFile(none, "export const none = 1;");
  await expect(replayed(repro, none)).rejects.toThrow(/^Cannot load .*none\.mjs: expected an export made by scenario/);
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
