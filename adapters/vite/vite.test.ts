/** `microloom/vite`, in a project of its own: what is lowered under Vitest, and that everything else is as it was. */
import { expect, test } from "vitest";
import { loweringProject, placeOf } from "../testing/lowering-project.ts";

/** The contexts of vmThreads take as long again: in CI and every night, as the runners that vary those of each family. */
const pools = process.env.MICROLOOM_RUNNERS === "all" ? ["forks", "vmThreads"] : ["forks"];

const config = `
import { microloom } from "microloom/vite";
const plugins = [microloom({ dependencies: ["p-queue", "eventemitter3", "p-timeout", "async-mutex"] })];
const projects = ${JSON.stringify(pools)}.map((pool) => ({ plugins, test: { name: pool, pool } }));
export default { test: { projects, maxWorkers: 1 } };`;

const increments = `
export type Counted = { value: number };
export async function increments(counted: Counted, fails = false): Promise<number> {
  interface Nothing {}
  const read: number = counted.value; await null; if (fails) throw new Error("lost");
  counted.value = read + 1;
  return read;
}`;

const lowered = `
import { Mutex } from "async-mutex";
import { explore, scenario } from "microloom";
import { race } from "microloom/vitest";
import PQueue from "p-queue";
import { expect, test } from "vitest";
import { type Counted, increments } from "./increments";
const twice = (increment: (counted: Counted) => () => unknown) => scenario("twice", (world) => {
  const counted = { value: 0 };
  const counting = increment(counted);
  for (const actor of ["ada", "bob"]) world.actor(actor, counting);
  world.atQuiescence("both were counted", () => counted.value === 2);
});
const options = { level: "free", executions: 100 } as const;
test("the project", async () => {
  const result = await explore(twice((counted) => () => increments(counted)), options);
  expect(result).toMatchObject({ outcome: "violated", violation: { name: "both were counted" } });
});
test("a dependency in ESM", async () => {
  const queue = (counted: Counted, waiting = new PQueue({ concurrency: 1 })) => () => waiting.add(() => increments(counted));
  expect(await explore(twice(queue), options)).toMatchObject({ outcome: "held" });
});
test("a dependency in CommonJS", async () => {
  const mutex = (counted: Counted, held = new Mutex()) => () => held.runExclusive(() => increments(counted));
  expect(await explore(twice(mutex), options)).toMatchObject({ outcome: "held" });
});
race("a race", options, (world) => {
  for (const actor of ["ada", "bob"]) world.actor(actor, () => increments({ value: 0 }));
});`;

/** What a project has anyway, and a factory of a mock, which is called before the first line of its file. */
const ordinary = `
import { AsyncLocalStorage } from "node:async_hooks";
import { readFile } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, test, vi } from "vitest";
import { increments } from "./increments";
import { two } from "./two";
vi.mock("./two", async () => { await null; return { two: await Promise.resolve(2) }; });
test("a mock", () => expect(two).toBe(2));
test("time, files and contexts", async () => {
  const storage = new AsyncLocalStorage();
  await storage.run("ada", async () => {
    await sleep(1);
    expect(JSON.parse(await readFile("package.json", "utf8")).name).toBe("project");
    expect(storage.getStore()).toBe("ada");
  });
});
test("fake timers", async () => {
  vi.useFakeTimers();
  const slept = (async () => { await new Promise((done) => setTimeout(done, 3_600_000)); return "slept"; })();
  await vi.runAllTimersAsync();
  expect(await slept).toBe("slept");
  vi.useRealTimers();
});
test("the stack of an error", async () => {
  const { stack } = await increments({ value: 0 }, true).catch((error: Error) => error);
  expect(stack).toContain("increments.ts:PLACE)");
});
test("a rejection that nobody handles", () => void (async () => { await null; throw new Error("nobody listens"); })());`;

const evaluates = `
interface Nothing {}
export const evaluates = async (text: string): Promise<unknown> => {
  interface Less {}
  return eval(text);
};`;

test("microloom/vite lowers the files of Vitest, and changes nothing else", { timeout: 120_000 }, async () => {
  await using project = await loweringProject({
    "vitest.config.mjs": config,
    "increments.ts": increments,
    "two.ts": "export const two: number = 1;",
    "evaluates.ts": evaluates,
    "lowered.test.ts": lowered,
    "ordinary.test.ts": ordinary.replace("PLACE", placeOf(increments, 'new Error("lost")')),
    "evaluates.test.ts": 'import "./evaluates";',
  });
  const ran = await project.node("node_modules/vitest/vitest.mjs", "run");
  const output = ran.out + ran.err;
  expect(output).toContain(`Tests  ${9 * pools.length} passed (${9 * pools.length})`);
  // In each pool the file that cannot be lowered, and the rejection, which fails a run as it always does.
  expect(output.match(/LoweringError: Cannot lower \S*evaluates\.ts:\S+/g)).toEqual(
    pools.map(() => expect.stringMatching(new RegExp(`/evaluates\\.ts:${placeOf(evaluates, "eval(text)")}$`))),
  );
  expect(output.match(/Error: nobody listens/g)).toHaveLength(pools.length);
  expect(output).toContain(`Errors  ${pools.length} error`);
  expect(ran.code).toBe(1);
});
