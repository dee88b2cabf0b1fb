/** `node --import microloom/loader`, in a project of its own: what is lowered, and that everything else is as it was. */
import { describe, expect, test } from "vitest";
import { loweringProject, placeOf } from "../testing/lowering-project.ts";
import type { RunnerProject } from "../testing/runner-project.ts";

const loader = ["--import", "microloom/loader"];
const timeout = 120_000;

/** Loses a count where two of them meet between reading and writing, which only level free brings about. */
const increments = `
interface Counted { value: number }
export async function increments(counted: Counted, fails = false): Promise<number> {
  const read: number = counted.value; await null; if (fails) throw new Error("lost");
  counted.value = read + 1;
  return read;
}`;

const main = `
import { createRequire } from "node:module";
import { explore, scenario } from "microloom";
import PQueue from "p-queue";
import { increments } from "./INCREMENTS";
const require = createRequire(import.meta.url);
const { Mutex } = require("async-mutex");
const common = require("./COMMON");
const twice = (name, increment) => scenario(name, (world) => {
  const counted = { value: 0 };
  const counting = increment(counted);
  for (const actor of ["ada", "bob"]) world.actor(actor, counting);
  world.atQuiescence("both were counted", () => counted.value === 2);
});
const scenarios = [
  twice("esm", (counted) => () => increments(counted)),
  twice("commonjs", (counted) => () => common.increments(counted)),
  twice("a dependency in ESM", (counted) => {
    const queue = new PQueue({ concurrency: 1 });
    return () => queue.add(() => increments(counted));
  }),
  twice("a dependency in CommonJS", (counted) => {
    const mutex = new Mutex();
    return () => mutex.runExclusive(() => common.increments(counted));
  }),
];
const found = {};
for (const each of scenarios) found[each.name] = (await explore(each, { level: "free", executions: 100 })).outcome;
const { stack } = await increments({ value: 0 }, true).catch((error) => error);
found.stack = stack.split("\\n")[1];
console.log(JSON.stringify(found));`;

const lost = { esm: "violated", commonjs: "violated" };
const kept = { "a dependency in ESM": "held", "a dependency in CommonJS": "held" };

const javaScript = increments.replaceAll(/: (?:Counted|number)|: Promise<number>|interface.*/g, "");
const common = (text: string): string => text.replace("export async", "exports.increments = increments;\nasync");
const mainFor = (module: string, script: string): string =>
  main.replace("INCREMENTS", module).replace("COMMON", script);

describe("microloom/loader", () => {
  test("lowers ESM, CommonJS and dependencies in both", { timeout }, async () => {
    await using project = await loweringProject({
      "increments.mjs": javaScript,
      "common.cjs": common(javaScript),
      "main.mjs": mainFor("increments.mjs", "common.cjs"),
    });
    const found = await said(project, ...loader, "main.mjs");
    expect(found).toEqual({ ...lost, ...kept, stack: expect.stringContaining("increments.mjs:") });
    expect(found).toMatchObject({ stack: expect.stringContaining(`:${placeOf(javaScript, 'new Error("lost")')})`) });
  });

  test.each([
    { when: "before", imports: ["--import", "tsx", ...loader] },
    { when: "after", imports: [...loader, "--import", "tsx"] },
  ])("lowers what tsx, loaded $when it, makes of TypeScript", { timeout }, async ({ imports }) => {
    await using project = await loweringProject({
      "increments.ts": increments,
      "common.cts": common(increments),
      "main.ts": mainFor("increments.js", "common.cts"),
    });
    const found = await said(project, ...imports, "main.ts");
    expect(found).toEqual({ ...lost, ...kept, stack: expect.stringContaining("increments.ts:") });
    expect(found).toMatchObject({ stack: expect.stringContaining(`:${placeOf(increments, 'new Error("lost")')})`) });
  });

  test("names the original place of what it cannot lower, and leaves alone what is no JavaScript", {
    timeout,
  }, async () => {
    const evaluates = "export const a = 1;\nexport async function f(text) {\n  return eval(text);\n}\n";
    const broken = "exports.a = 1;\nasync function f() {\n  await (;\n}\n";
    await using project = await loweringProject({
      "evaluates.mjs": evaluates,
      "broken.cjs": broken,
      "data.json": '{ "async": "await" }',
      "main.mjs": `
        import { createRequire } from "node:module";
        const require = createRequire(import.meta.url);
        const found = [require("./data.json").async];
        for (const file of ["./evaluates.mjs", "./broken.cjs"])
          await import(file).catch(({ name, message }) => found.push(name + ": " + message.split("\\n")[0]));
        console.log(JSON.stringify(found));`,
    });
    expect(await said(project, ...loader, "main.mjs")).toEqual([
      "await",
      expect.stringMatching(new RegExp(`^LoweringError: Cannot lower .*evaluates.mjs:${placeOf(evaluates, "eval(")}$`)),
      expect.stringMatching(new RegExp(`^LoweringError: Cannot lower .*broken.cjs:${placeOf(broken, ";\n}")}$`)),
    ]);
  });

  test("without it, level free is refused, and says what to do", { timeout }, async () => {
    await using project = await loweringProject({
      "main.mjs": `
        import { explore, scenario } from "microloom";
        const waits = scenario("waits", (world) => world.actor("a", async () => { await null; }));
        await explore(waits, { level: "free" }).catch(({ name, message }) => console.log(JSON.stringify({ name, message })));`,
    });
    expect(await said(project, "main.mjs")).toEqual({
      name: "ExploreOptionsError",
      message: expect.stringMatching(/^Cannot explore "waits" at level "free": .*node --import microloom\/loader$/),
    });
  });

  test("changes nothing where nothing is explored", { timeout }, async () => {
    await using project = await loweringProject({ "ordinary.mjs": ordinary });
    const plain = await project.node("ordinary.mjs");
    const lowered = await project.node(...loader, "ordinary.mjs");
    expect(plain).toMatchObject({ code: 7, out: expect.stringContaining("unhandled: Error: nobody listens") });
    expect({ code: lowered.code, out: lowered.out }).toEqual({ code: plain.code, out: plain.out });
    expect(lowered.err).toBe("");
  });
});

const ordinary = `
import { AsyncLocalStorage } from "node:async_hooks";
import { readFile } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
const log = [];
const storage = new AsyncLocalStorage();
// Promises that no async function has a part in say how many ticks it takes.
const ticks = (count) => [...Array(count).keys()].reduce((last, tick) => last.then(() => log.push("t" + tick)), Promise.resolve());
const counts = async (name, ticks) => { for (let i = 0; i < ticks; i++) { await null; log.push(name + i); } };
async function* letters() { yield "a"; await sleep(1); yield Promise.resolve("b"); }
await storage.run("ada", async () => {
  await Promise.all([ticks(8), counts("x", 3), counts("y", 2), new Promise((done) => done(counts("z", 1)))]);
  await sleep(1);
  log.push(storage.getStore());
  for await (const letter of letters()) log.push(letter);
  log.push((await readFile(new URL("package.json", import.meta.url), "utf8")).length);
});
await counts("r", 1).then(() => { throw new TypeError("caught"); }).catch((error) => log.push(String(error)));
console.log(log.join(" "));
process.on("unhandledRejection", (error) => { console.log("unhandled: " + error); process.exitCode = 7; });
void (async () => { await null; throw new Error("nobody listens"); })();`;

/** The one line of JSON that a program prints. */
async function said(project: RunnerProject, ...args: readonly string[]): Promise<unknown> {
  const ran = await project.node(...args);
  expect(ran).toMatchObject({ code: 0, err: "" });
  return JSON.parse(ran.out);
}
