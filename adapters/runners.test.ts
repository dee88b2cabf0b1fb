/** microloom is a plain function: it runs in every runner, and everywhere gives the same bytes. */
import pLimit from "p-limit";
import { beforeAll, describe, expect, test } from "vitest";
import { bytes, type Check, checks } from "./testing/runner-project/checks.ts";
import { RunnerProject } from "./testing/runner-project.ts";

type Runner = {
  readonly name: string;
  readonly files?: Readonly<Record<string, string>>;
  readonly install?: "linked";
  /** What a test file begins with. */
  readonly head: string;
  readonly command: readonly string[];
  /** What the runner says of so many tests. */
  readonly passed: (tests: number) => string;
};

const vitest = {
  head: 'import { test } from "vitest";',
  command: ["node_modules/vitest/vitest.mjs", "run"],
  passed: (tests: number) => `Tests  ${tests} passed (${tests})`,
};
const jest = {
  head: "",
  command: ["--experimental-vm-modules", "node_modules/jest/bin/jest.js", "--runInBand"],
  passed: (tests: number) => `${tests} passed, ${tests} total`,
};
const mocha = {
  head: "const test = it;",
  command: ["node_modules/mocha/bin/mocha.js", "--timeout", "0", "*.test.js"],
  passed: (tests: number) => `${tests} passing`,
};

/** One of each family; the rest vary them, and run in CI and every night (`MICROLOOM_RUNNERS=all`). */
const everyFamily: readonly Runner[] = [
  { name: "Vitest, forks", ...vitest, files: vitestConfig({ pool: "forks" }) },
  {
    name: "node:test",
    head: 'import { test } from "node:test";',
    command: ["--test", "--test-reporter=tap"],
    passed: (tests) => `# pass ${tests}\n`,
  },
  { name: "Jest, one process for two files, with the setup file", ...jest, files: jestConfig(["microloom/setup"]) },
  { name: "Mocha, one process for two files", ...mocha },
];
const variants: readonly Runner[] = [
  { name: "Vitest, threads", ...vitest, files: vitestConfig({ pool: "threads" }) },
  {
    name: "Vitest, vmThreads, with the setup file",
    ...vitest,
    files: vitestConfig({ pool: "vmThreads", setupFiles: ["microloom/setup"] }),
  },
  {
    name: "Vitest, one process for two files",
    ...vitest,
    files: vitestConfig({ pool: "forks", isolate: false, maxWorkers: 1 }),
  },
  {
    name: "Vitest, one thread for two files, in a workspace",
    ...vitest,
    files: vitestConfig({ pool: "threads", isolate: false, maxWorkers: 1 }),
    install: "linked",
  },
  { name: "Mocha, in parallel", ...mocha, command: [...mocha.command, "--parallel"] },
];
const runners = process.env.MICROLOOM_RUNNERS === "all" ? [...everyFamily, ...variants] : everyFamily;

// Each of them has workers of its own.
const two = pLimit(2);
/** What is slow is done once a runner, first: where both files share a process, all of the second comes after it. */
const files: Readonly<Record<string, readonly Check[]>> = {
  first: checks,
  second: checks.filter(({ slow }) => slow !== true),
};
const results = new Map<string, unknown>();

beforeAll(async () => {
  for (const { name, run } of checks) results.set(name, await run());
});

describe.concurrent("explore() and replay()", () => {
  test.each(runners)("give the same bytes in $name", { timeout: 300_000 }, async (runner) => {
    await two(async () => {
      await using project = await projectOf(runner);
      await project.add("runner-project");
      for (const file of Object.keys(files)) await project.write(`${file}.test.js`, testFile(runner.head, file));
      const ran = await project.node(...runner.command);
      const output = ran.out + ran.err;
      expect(output).toContain(runner.passed(Object.values(files).flat().length));
      expect(ran.code, output).toBe(0);
      for (const [file, its] of Object.entries(files)) {
        const expected = bytes(Object.fromEntries(its.map(({ name }) => [name, results.get(name)])));
        expect(await project.read(`${file}.json`)).toBe(expected);
      }
    });
  });

  const without: readonly Runner[] = [
    { name: "Jest", ...jest, files: jestConfig([]) },
    { name: "Vitest, vmThreads", ...vitest, files: vitestConfig({ pool: "vmThreads" }) },
  ];
  test.each(without)(
    "without the setup file, name the line that waits in $name",
    { timeout: 300_000 },
    async (runner) => {
      await two(async () => {
        await using project = await projectOf(runner);
        await project.write("captured.test.js", runner.head + capturedTest);
        const ran = await project.node(...runner.command);
        // The timer of an hour is taken back: it keeps nobody waiting.
        expect(ran.code, ran.out + ran.err).toBe(0);
        const [byTimer, byChance] = JSON.parse(await project.read("captured.json"));
        expect(byTimer).toMatchObject({ outcome: "leaked", where: { file: "captured.test.js", line: 7 } });
        expect(byTimer.detail).toContain("timer outside of the scheduler's hands");
        expect(byChance).toMatchObject({ outcome: "diverged", detail: expect.stringContaining("two runs") });
      });
    },
  );
});

test("race() works in every pool of Vitest, and keeps the repro", { timeout: 300_000 }, async () => {
  const pools = ["forks", "threads", "vmThreads", "vmForks"];
  const projects = pools.map((pool) => ({ test: { name: pool, pool } }));
  await using project = await projectOf({ files: vitestConfig({ projects, maxWorkers: 1 }) });
  await project.write("race.test.js", raceTest);
  const ran = await project.node(...vitest.command);
  const output = ran.out + ran.err;
  expect(output).toContain("Tests  4 failed | 4 passed (8)");
  for (const pool of pools)
    expect(output).toMatch(new RegExp(`FAIL\\s+\\|?${pool}\\|? race.test.js > an increment is lost`));
  const told = output.match(/RaceError: [\s\S]*?The swap that decides:[\s\S]*?The repro is in \.microloom\S+/g);
  expect(told).toHaveLength(pools.length);
  expect(JSON.parse(await project.read(".microloom/an-increment-is-lost.json"))).toMatchObject({ verdict: "bug" });
});

async function projectOf({ files = {}, install }: Pick<Runner, "files" | "install">): Promise<RunnerProject> {
  const project = await RunnerProject.make(install);
  for (const [path, content] of Object.entries(files)) await project.write(path, content);
  return project;
}

const capturedTest = `
import { writeFileSync } from "node:fs";
import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { explore, scenario } from "microloom";
const byTimer = scenario("a timer", (world) => {
  world.actor("ada", () => sleep(3_600_000));
});
const byChance = scenario("chance", (world) => world.note(randomUUID()));
test("both are found", async () => {
  const results = [await explore(byTimer), await explore(byChance)];
  writeFileSync(new URL("captured.json", import.meta.url), JSON.stringify(results));
});
`;

const raceTest = `
import { race } from "microloom/vitest";
function increments(world, atOnce) {
  let value = 0;
  let last = Promise.resolve();
  const increment = async () => {
    const read = value;
    await world.io("database:save", () => undefined);
    value = read + 1;
  };
  for (const name of ["ada", "bob"]) world.actor(name, () => atOnce ? increment() : (last = last.then(increment)));
  world.atQuiescence("both were counted", () => value === 2);
}
race("no increment is lost", { level: "jitter" }, (world) => increments(world, false));
race("an increment is lost", (world) => increments(world, true));
`;

function testFile(head: string, name: string): string {
  return `${head}
import { writeFileSync } from "node:fs";
import { bytes, checks } from "./checks.js";
const results = {};
for (const { name, slow, run } of checks) {
  if (slow && ${name !== "first"}) continue;
  test(name, async () => {
    results[name] = await run();
    writeFileSync(new URL("${name}.json", import.meta.url), bytes(results));
  });
}
`;
}

function vitestConfig(options: object): Readonly<Record<string, string>> {
  return { "vitest.config.mjs": `export default { test: ${JSON.stringify({ testTimeout: 60_000, ...options })} };` };
}

function jestConfig(setupFiles: readonly string[]): Readonly<Record<string, string>> {
  return { "jest.config.json": JSON.stringify({ transform: {}, testTimeout: 60_000, setupFiles }) };
}
