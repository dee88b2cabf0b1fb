import { copyFile, mkdir, mkdtemp, readFile, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { microloom, run } from "./testing/command.ts";

const example = resolve("examples/late-wake.scenario.ts");
const name = "a message sent while the turn is being stopped is answered";
let folder = "";

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "microloom-cli-"));
});

/** The packages that a built module imports at once, by way of others too; what Node brings does not count. */
async function staticImports(file: string, seen = new Set<string>()): Promise<readonly string[]> {
  if (seen.has(file)) return [];
  seen.add(file);
  const text = await readFile(file, "utf8");
  const packages = new Set<string>();
  for (const [, from = ""] of text.matchAll(/^(?:import|export) (?:[^;"]* from )?"([^"]+)";/gm)) {
    if (from.startsWith("node:")) continue;
    const inner = from.startsWith(".") ? await staticImports(resolve(dirname(file), from), seen) : [from];
    for (const name of inner) packages.add(name);
  }
  return [...packages].sort();
}

describe("microloom explore", () => {
  test("finds the race of the example, writes its repro, exits 1", async () => {
    const out = join(folder, "found");
    const ran = await microloom(["explore", example, "--out", out]);
    expect(ran).toMatchObject({ code: 1, err: "" });
    expect(ran.out).toContain('"send b" (user) came before "model" (agent).');
    const repro = JSON.parse(await readFile(join(out, `${name.replaceAll(" ", "-")}.json`), "utf8"));
    expect(repro).toMatchObject({ format: 1, scenario: name, level: "spec", verdict: "bug", expect: "violation" });
  });

  test("gives the same bytes in two processes that differ in folder, HOME, TZ and LANG", async () => {
    const args = ["explore", example, "--json", "--seed", "7", "--strategy", "random", "--out"];
    const one = await microloom([...args, join(folder, "one")], {
      env: { TZ: "America/St_Johns", LANG: "de_DE.UTF-8", HOME: folder },
    });
    const other = await microloom([...args, join(folder, "other")], {
      cwd: folder,
      env: { TZ: "Asia/Kathmandu", LANG: "zh_CN.UTF-8", HOME: "/nonexistent" },
    });
    expect(one.code).toBe(1);
    expect(other.out).toBe(one.out);
    const file = `${name.replaceAll(" ", "-")}.json`;
    expect(await readFile(join(folder, "other", file))).toEqual(await readFile(join(folder, "one", file)));
  });

  test("names the same lines in a package that is ESM, CommonJS or neither", async () => {
    const text = [
      'import { scenario } from "microloom";',
      "type Never = Promise<void>;",
      'export const waits = scenario("waits", (world) => {',
      '  world.actor("a", async () => {',
      "    const never: Never = new Promise(() => undefined);",
      "    await never;",
      "  });",
      "});",
    ].join("\n");
    const told: string[] = [];
    for (const type of ['{ "type": "module" }', '{ "type": "commonjs" }', "{}"]) {
      const home = await mkdtemp(join(folder, "package-"));
      await mkdir(join(home, "node_modules"));
      await symlink(resolve("."), join(home, "node_modules/microloom"));
      await writeFile(join(home, "package.json"), type);
      await writeFile(join(home, "waits.scenario.ts"), text);
      told.push((await microloom(["explore", "waits.scenario.ts", "--json"], { cwd: home })).out);
    }
    expect(told[0]).toContain('"waits.scenario.ts"');
    expect(new Set(told).size).toBe(1);
  });

  test("prints the result when the folder for repros cannot be written to", async () => {
    const blocked = join(folder, "blocked");
    await writeFile(blocked, "a file where the folder should be");
    const ran = await microloom(["explore", example, "--out", blocked]);
    expect(ran.code).toBe(1);
    expect(ran.err).toMatch(/^microloom: Cannot write /);
    expect(ran.out).toContain("The swap that decides:");
  });

  test("exits 0 when everything holds, 1 when a goal was never reached unless allowed", async () => {
    const file = join(folder, "goal.scenario.mjs");
    const library = resolve("dist/index.js");
    await writeFile(
      file,
      `import { scenario } from ${JSON.stringify(library)};
       export const one = scenario("one", (world) => {
         world.events("user", [["go", () => 1]]);
         world.sometimes("never", () => false);
       });`,
    );
    const judged = await microloom(["explore", file, "--strategy", "depth-first", "--out", folder]);
    expect(judged.code).toBe(1);
    expect(judged.out).toContain('held, but never reached "never" (unreachable within these bounds)');
    const allowed = await microloom([
      "explore",
      file,
      "--strategy",
      "depth-first",
      "--allow-unreached",
      "--out",
      folder,
    ]);
    expect(allowed.code).toBe(0);
  });
});

describe("microloom", () => {
  test("without a verb shows the help and nothing else", async () => {
    const ran = await microloom([]);
    expect(ran.code).toBe(64);
    expect(ran.out + ran.err).toContain("Usage: microloom");
    expect(ran.out + ran.err).not.toContain("outputHelp");
  });

  test("answers for help and slips of the pen without loading what a verb needs", async () => {
    expect(await staticImports(resolve("dist/cli/main.js"))).toEqual(["commander"]);
  });

  test("tells the bounds of the contracts both ways that there are to ask for help", async () => {
    const [one, other] = [await microloom(["prove", "--help"]), await microloom(["help", "prove"])];
    expect(one).toMatchObject({ code: 0, err: "" });
    expect(one.out).toMatch(/one of agent, lease, goal; [\s\S]*--sends <count> +bound of agent/);
    expect(other).toEqual(one);
  });

  test("loads a module that several files import once", async () => {
    const shared = join(folder, "shared");
    await mkdir(join(shared, "node_modules"), { recursive: true });
    await symlink(resolve("."), join(shared, "node_modules/microloom"));
    await writeFile(join(shared, "package.json"), '{ "type": "module" }');
    await writeFile(join(shared, "loads.ts"), "export const loads: number[] = [];");
    for (const file of ["one", "two"]) {
      await writeFile(
        join(shared, `${file}.scenario.ts`),
        `import { scenario } from "microloom";
         import { loads } from "./loads.ts";
         const nth: number = loads.push(0);
         export const ${file} = scenario("${file}", (world) => world.note("loaded", nth));`,
      );
    }
    await writeFile(
      join(shared, "count.scenario.ts"),
      `import { scenario } from "microloom";
       import { loads } from "./loads.ts";
       export const count = scenario("count", (world) => {
         world.atQuiescence("both files came before", () => loads.length === 2 || loads.length);
       });`,
    );
    const files = ["one", "two", "count"].map((file) => `${file}.scenario.ts`);
    expect(await microloom(["explore", ...files], { cwd: shared })).toMatchObject({ code: 0, err: "" });
  });

  test("takes a scenario from a package that is not marked as ESM", async () => {
    const project = join(folder, "commonjs");
    await mkdir(join(project, "node_modules"), { recursive: true });
    await writeFile(join(project, "package.json"), "{}");
    await symlink(resolve("."), join(project, "node_modules", "microloom"));
    await copyFile(example, join(project, "late-wake.scenario.ts"));
    const ran = await microloom(["explore", "late-wake.scenario.ts"], { cwd: project });
    expect(ran.err).toBe("");
    expect(ran.code).toBe(1);
  });

  test("explores the other scenarios when one is built wrongly, and exits 64", async () => {
    const file = join(folder, "mixed.scenario.mjs");
    await writeFile(
      file,
      `import { scenario } from ${JSON.stringify(resolve("dist/index.js"))};
       export const bad = scenario("bad", (world) => { world.events("a:b", []); });
       export const good = scenario("good", (world) => { world.events("user", [["go", () => 1]]); });`,
    );
    const ran = await microloom(["explore", file]);
    expect(ran.code).toBe(64);
    expect(ran.err).toMatch(/^microloom: bad: Cannot name an events source: /);
    expect(ran.out).toContain("✓ good");
  });

  test("ends with what is known when it is interrupted, and exits 130", async () => {
    const file = join(folder, "endless.scenario.mjs");
    await writeFile(
      file,
      `import { scenario } from ${JSON.stringify(resolve("dist/index.js"))};
       export const a = scenario("a", (world) => { world.events("user", [["go", () => 1]]); });
       export const b = scenario("b", (world) => { for (let i = 0; i < 12; i++) void world.delay("d" + i); });
       export const c = scenario("c", (world) => { world.events("user", [["go", () => 1]]); });`,
    );
    const ran = await microloom(["explore", file, "--executions", "1000000000"], { signal: "SIGINT" });
    expect(ran.code).toBe(130);
    expect(ran.out).toMatch(/✓ a {2}held[\s\S]*✓ b {2}held/);
    expect(ran.out).not.toContain("✓ c");
    expect(ran.err).toBe(
      "microloom: c: not explored\nmicroloom: interrupted: what is reported is what was known by then\n",
    );
  });

  test("says what is wrong with a file that does not compile", async () => {
    const file = join(folder, "broken.scenario.ts");
    await writeFile(file, 'import { scenario } from "microloom";\nexport const a = scenario("s", (world) => { ;');
    const ran = await microloom(["explore", file]);
    expect(ran.code).toBe(64);
    expect(ran.err).toMatch(/broken\.scenario\.ts:2:\d+: ERROR: /);
    expect(ran.err.trim().split("\n")).toHaveLength(1);
  });

  test("keeps what the code under test prints out of its JSON", async () => {
    const file = join(folder, "chatty.scenario.mjs");
    await writeFile(
      file,
      `import { scenario } from ${JSON.stringify(resolve("dist/index.js"))};
       export const chatty = scenario("chatty", (world) => { console.log("hello"); process.stdout.write("raw"); world.events("user", [["go", () => 1]]); });`,
    );
    const ran = await microloom(["explore", file, "--json"]);
    expect(ran.code).toBe(0);
    expect(JSON.parse(ran.out)).toMatchObject({ format: 1, results: [{ scenario: "chatty" }] });
  });

  test.each([
    ["ends the process", "process.exit(0);"],
    ["waits for ever", "await new Promise(() => {});"],
  ])("takes a file for no answer that %s as it is loaded", async (_, code) => {
    const file = join(folder, "ending.scenario.mjs");
    await writeFile(file, code);
    const ran = await microloom(["explore", file]);
    expect(ran).toMatchObject({ code: 64, out: "" });
    expect(ran.err).toMatch(/ended before there was an answer: .*process\.exit/);
  });

  test("is quiet when its reader closes the pipe", async () => {
    const ran = await run("bash", [
      "-c",
      `set -o pipefail; ${process.execPath} dist/cli/main.js explore --full | head -1`,
    ]);
    expect(ran.err).toBe("");
  });
});

describe("microloom replay", () => {
  test("replays the kept case against its subject and holds it against the core", async () => {
    const kept = resolve("repro/cases/agent-parks-late-wakes.json");
    const found = await microloom(["replay", kept]);
    expect(found).toMatchObject({ code: 1, err: "" });
    const core = await microloom(["replay", kept, "--subject", "core"]);
    expect(core.code).not.toBe(1);
  });

  test("takes a file whose choices were dropped, and holds it once the code is right", async () => {
    const { choices: _dropped, ...kept } = JSON.parse(
      await readFile(resolve("repro/cases/agent-parks-late-wakes.json"), "utf8"),
    );
    const file = join(folder, "fixed.json");
    await writeFile(file, JSON.stringify({ ...kept, scenario: "microloom:agent/looks-then-leaves", expect: "held" }));
    const ran = await microloom(["replay", file]);
    expect(ran).toMatchObject({ code: 0, err: "" });
    expect(ran.out).toContain('"agent/no-dropped-wake" held');
  });

  test("exits 3 when the file no longer fits", async () => {
    const kept = JSON.parse(await readFile(resolve("repro/cases/agent-parks-late-wakes.json"), "utf8"));
    const file = join(folder, "drifted.json");
    const orderings = [{ first: "user:renamed#1", then: "agent:turn/end#1" }];
    await writeFile(file, JSON.stringify({ ...kept, expect: "held", orderings, criticalPair: null, choices: null }));
    const ran = await microloom(["replay", file]);
    expect(ran.code).toBe(3);
    expect(ran.out).toContain("never appeared: user:renamed#1");
  });
});

describe("bad input is one clear line and exit 64", () => {
  const cases: readonly (readonly [string, readonly string[], RegExp])[] = [
    ["a missing scenario file", ["explore", "nowhere.scenario.ts"], /Cannot read nowhere\.scenario\.ts/],
    ["a missing repro", ["replay", "nowhere.json"], /nowhere\.json/],
    ["an unknown strategy", ["explore", "--strategy", "luck"], /--strategy <name>.*luck.*portfolio/],
    ["an unknown level", ["explore", "--level", "loose"], /--level <level>.*loose/],
    ["a negative count", ["explore", "--executions", "-5"], /executions/],
    ["a fraction for a count", ["explore", "--executions", "1.5"], /whole number/],
    ["a time that is none", ["explore", "--time", "soon"], /seconds/],
    ["an unknown verb", ["expolre"], /unknown command.*expolre/],
    ["an unknown option", ["explore", "--sed", "1"], /unknown option.*--sed/],
    ["a missing argument", ["replay"], /missing required argument/],
    [
      "an unknown subject",
      ["replay", "repro/cases/agent-parks-late-wakes.json", "--subject", "nobody"],
      /Unknown scenario/,
    ],
    ["a file that is no module", ["explore", "README.md"], /expected a \.ts or \.js module/],
    ["a module without scenarios", ["explore", "vitest.config.ts"], /expected an export made by scenario\(\)/],
  ];
  for (const [what, args, message] of cases) {
    test(`${what}`, async () => {
      const ran = await microloom(args);
      expect(ran.err).toMatch(message);
      expect(ran.err.trim().split("\n")).toHaveLength(1);
      expect(ran).toMatchObject({ code: 64, out: "" });
    });
  }

  const kept = {
    format: 1,
    scenario: "microloom:agent/core",
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
    choices: null,
  };
  const foundBy = { strategy: "random", seed: "s", executions: 1 };
  const whole = { ...kept, ...rest, foundBy };
  const files: readonly (readonly [string, string, RegExp])[] = [
    ["broken JSON", '{ "format": 1,', /JSON/],
    ["an empty file", "", /JSON/],
    ["an unknown format", JSON.stringify({ ...whole, format: 99 }), /format/],
    ["an unknown scenario", JSON.stringify({ ...whole, scenario: "microloom:agent/nobody" }), /Unknown scenario/],
    ["a scenario that is a path", JSON.stringify({ ...whole, scenario: "../../etc/passwd" }), /Unknown scenario/],
    ["a malformed name", JSON.stringify({ ...whole, orderings: [{ first: "user stop", then: "a:b#1" }] }), /user stop/],
    ["an unknown strategy", JSON.stringify({ ...whole, foundBy: { ...foundBy, strategy: "luck" } }), /strategy/],
    ["a negative count", JSON.stringify({ ...whole, foundBy: { ...foundBy, executions: -1 } }), /executions/],
    ["a broken token", JSON.stringify({ ...whole, choices: "ml1:%%%" }), /choices/],
  ];
  for (const [what, text, message] of files) {
    test(`a repro with ${what}`, async () => {
      const file = join(folder, `${what.replaceAll(" ", "-")}.json`);
      await writeFile(file, text);
      const ran = await microloom(["replay", file]);
      expect(ran.err).toMatch(message);
      expect(ran.err.trim().split("\n")).toHaveLength(1);
      expect(ran).toMatchObject({ code: 64, out: "" });
    });
  }
});
