/** Ctrl-C in the verbs that take a repro: what is being run ends, what is known is said, and no file is changed. */
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { formatRepro, readRepro } from "../repro/repro-file.ts";
import { run } from "./testing/command.ts";
import { agentProject, recorded, shrunk } from "./testing/verbs.ts";

let folder = "";

beforeAll(async () => {
  await mkdir(".microloom", { recursive: true });
  folder = await mkdtemp(resolve(".microloom/interrupted-"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** An agent that does `code` when its scenario is run for the so-manieth time, and a repro with more than it takes. */
async function project(name: string, time: number, code: string): Promise<[repro: string, scenario: string]> {
  const [repro, scenario] = await agentProject(folder, name, (text) => {
    const counted = `globalThis[Symbol.for('microloom.test.runs')] = ++runs; if (runs === ${time}) ${code}`;
    return `let runs = 0;\n${text.replace("(world) => {", `(world) => { ${counted}`)}`;
  });
  const kept = await readRepro(repro);
  const more = { first: "user:send a#1", then: "user:stop#1" };
  await writeFile(repro, formatRepro({ ...kept, orderings: [more, ...kept.orderings] }));
  return [repro, scenario];
}

const abort = "globalThis[Symbol.for('microloom.test.interrupted')]();";

function abortedByTheScenario(): () => AbortSignal {
  const controller = new AbortController();
  Reflect.set(globalThis, Symbol.for("microloom.test.interrupted"), () => controller.abort());
  return () => controller.signal;
}

// The first two runs are the replay. Whichever run it comes in, that one is finished, and a few more are needed to tell of
// it: what is left of the replay, the schedule as it is, and that once more with stacks.
test.each([1, 2, 3, 4, 5, 9])(
  "runShrink() that is interrupted in run %i says how far it came, and exits 130",
  async (time) => {
    const [repro, scenario] = await project(`shrink-${time}`, time, abort);
    const before = await readFile(repro, "utf8");
    const { code, out } = await shrunk(repro, [scenario], { write: true, interrupted: abortedByTheScenario() });
    expect(code).toBe(130);
    expect(Reflect.get(globalThis, Symbol.for("microloom.test.runs"))).toBeLessThanOrEqual(Math.max(time, 3) + 1);
    expect(out).toMatch(/^a message .* {2}script 0 → 0, orderings 3 → \d, .*steps \d+ → \d+\n/);
    expect(out).toContain("Nothing was written: it was interrupted; run it again to the end");
    expect(out).toMatch(/interrupted: what is reported is what was known by then$/);
    expect(await readFile(repro, "utf8")).toBe(before);
  },
);

test("runShrink() that is interrupted gives in its JSON what it has", async () => {
  const [repro, scenario] = await project("json", 3, abort);
  const out = join(folder, "out.json");
  const ran = await shrunk(repro, [scenario], { json: true, out, interrupted: abortedByTheScenario() });
  expect(ran.code).toBe(130);
  expect(ran.out).toContain('"written":null');
  expect(ran.out).toMatch(/"shrunk":\{"format":1/);
  await expect(readFile(out)).rejects.toThrow(/ENOENT/);
});

test("runRecord() that is interrupted leaves the file as it was, and exits 130", async () => {
  const [repro, scenario] = await project("record", 1, abort);
  const before = await readFile(repro, "utf8");
  const { code, out } = await recorded(repro, [scenario], { interrupted: abortedByTheScenario() });
  expect(code).toBe(130);
  expect(out).toContain("It fails as recorded");
  expect(out).toContain("Not recorded, the file is as it was: it was interrupted; run it again");
  expect(await readFile(repro, "utf8")).toBe(before);
});

test.each([
  ["shrink", ["shrink"]],
  ["replay --record", ["replay", "--record"]],
])("microloom %s listens to Ctrl-C", async (name, verb) => {
  const [repro, scenario] = await project(name.replace(/\W+/g, "-"), 1, 'process.kill(process.pid, "SIGINT");');
  const main = ["--import", "tsx", "--conditions=microloom-source", resolve("cli/main.ts")];
  const ran = await run(process.execPath, [...main, ...verb, repro, scenario]);
  expect(ran).toMatchObject({
    code: 130,
    err: "microloom: interrupted: what is reported is what was known by then\n",
    out: expect.stringContaining("interrupted; run it again"),
  });
});
