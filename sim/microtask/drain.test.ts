import { Script } from "node:vm";
import { describe, expect, test } from "vitest";
import { runtime } from "./runtime.ts";
import { inExecution, loweredText } from "./testing/runs.ts";

const { microtasks } = runtime;
const silent = {
  ran: () => {},
  enqueued: () => {},
  unhandled: () => {},
  uncaught: () => {},
  foreign: () => {},
  importing: () => {},
};

describe("ready(), at() and run()", () => {
  test("index 0 is always what Node would run next", () => {
    const source = `for (const n of [1, 2]) nextTick(() => { L("t" + n); Promise.resolve().then(() => L("p" + n)); });
      Promise.resolve().then(() => { L("p"); nextTick(() => L("t")); queueMicrotask(() => L("q")); });`;
    expect(chosen(source, () => 0)).toEqual(inExecution(source));
  });

  test("run() takes any ready job and leaves the others in order", () => {
    const source = `for (const n of [1, 2, 3]) Promise.resolve().then(() => L(n)); nextTick(() => L("t"));`;
    expect(chosen(source, (ready) => ready - 1)).toEqual(["3", "2", "1", "t"]);
    expect(chosen(source, (ready) => Math.min(2, ready - 1))).toEqual(["2", "3", "1", "t"]);
  });

  test("at() tells kind and label of each job", () => {
    const source = `async function drive() { await null; } drive(); (async () => { await { then() {} }; })();
      Promise.resolve().then(() => {}); queueMicrotask(() => {}); nextTick(() => {});`;
    microtasks.begin(silent);
    start(source, () => {});
    const jobs = Array.from({ length: microtasks.ready() }, (_, index) => microtasks.at(index));
    expect(jobs.map((job) => job?.label)).toEqual(["tick", "await drive", "thenable", "then", "microtask"]);
    expect(jobs.map((job) => job?.kind)).toEqual([4, 0, 2, 1, 3]);
    expect(microtasks.at(jobs.length)).toBeNull();
    microtasks.end();
  });

  test("a thousand jobs and more keep their order", () => {
    const many = Array.from({ length: 5_000 }, (_, index) => String(index));
    const source = "for (let n = 0; n < 5000; n++) queueMicrotask(() => L(n));";
    expect(inExecution(source)).toEqual(many);
    expect(chosen(source, (ready) => ready - 1)).toEqual(many.reverse());
  });
});

describe("the host", () => {
  test("is told of each job that becomes ready, and finds in its slot what it kept there the last time", () => {
    const labels: string[] = [];
    const kept: unknown[] = [];
    microtasks.setNaming(true);
    const enqueued = (job: { label: string; delivery: unknown }): void => {
      kept.push(job.delivery);
      job.delivery = `kept for ${job.label}`;
      labels.push(job.label);
    };
    inExecution(`async function twice() { await 1; await 2; } twice(); nextTick(() => {});`, { enqueued });
    microtasks.setNaming(false);
    expect(labels).toEqual(["await twice", "tick", "await twice"]);
    expect(kept).toEqual([null, null, "kept for await twice"]);
  });

  test("is told before each job that one runs", () => {
    const log: string[] = [];
    microtasks.setCounting(true);
    const ran = (): number => log.push("ran");
    log.push(...inExecution(`Promise.resolve().then(() => {}).then(() => {}); nextTick(() => {});`, { ran }));
    microtasks.setCounting(false);
    expect(log).toEqual(["ran", "ran", "ran"]);
  });

  test("hears what callbacks throw, and everything else runs", () => {
    const source = `queueMicrotask(() => { throw "q"; }); nextTick(() => { throw "t"; }); queueMicrotask(() => L("on"));
      Promise.resolve().then(() => { throw "p"; }).catch(L);`;
    expect(inExecution(source)).toEqual(["X:t", "X:q", "on", "p"]);
  });

  test("hears of rejections when both queues are empty, and of those that come after", () => {
    const source = `Promise.reject(1); Promise.resolve().then(() => nextTick(() => L("tick")));`;
    const told: unknown[] = [];
    const unhandled = (reason: unknown): void => {
      told.push(reason);
      if (told.length < 3) microtasks.microtask(() => Reflect.apply(OwnReject, microtasks.Promise, ["again"]));
    };
    expect(inExecution(source, { unhandled })).toEqual(["tick"]);
    expect(told).toEqual([1, "again", "again"]);
  });
});

describe("begin()", () => {
  test.each([
    ["an await", "(async () => { for (;;) await null; })();"],
    ["then()", "(function go() { Promise.resolve().then(go); })();"],
    ["a microtask that asks for two", "(function go() { queueMicrotask(go); queueMicrotask(go); })();"],
    ["a tick", "(function go() { nextTick(go); })();"],
    ["an async generator", "(async () => { for await (const x of (async function* () { for (;;) yield 1; })()); })();"],
    ["a rejection", "(function go() { Promise.reject(1); queueMicrotask(go); })();"],
  ])("starts clean after the watchdog has ended an endless loop of %s", (_, endless) => {
    microtasks.begin(silent);
    expect(() =>
      watched(() => {
        start(endless, () => {});
        microtasks.drain();
      }),
    ).toThrow("Script execution timed out");
    expect(inExecution(`Promise.resolve(1).then(L); nextTick(() => L("t")); L("s");`)).toEqual(["s", "t", "1"]);
    expect(microtasks.ready()).toBe(0);
    expect(microtasks.running()).toBeNull();
  });

  test("drops what the execution before has left", () => {
    microtasks.begin(silent);
    start(`queueMicrotask(() => L("never"));`, () => expect.unreachable());
    microtasks.begin(silent);
    microtasks.drain();
    microtasks.end();
  });
});

const OwnReject: (reason: unknown) => unknown = Reflect.get(microtasks.Promise, "reject");

function start(source: string, give: (line: unknown) => void): void {
  const nextTick = (callback: () => void): void => microtasks.tick(callback, []);
  const program = new Function("L", "Promise", "queueMicrotask", "nextTick", loweredText(source));
  program(give, microtasks.Promise, microtasks.microtask, nextTick);
}

/** Runs one job at a time, each chosen among those that are ready. */
function chosen(source: string, choose: (ready: number) => number): string[] {
  const log: string[] = [];
  microtasks.begin(silent);
  start(source, (line) => log.push(String(line)));
  while (microtasks.ready() > 0) microtasks.run(choose(microtasks.ready()));
  microtasks.end();
  return log;
}

/** As the watchdog ends what does not end. */
function watched(act: () => void): void {
  const key = "microloom watched by a test";
  Reflect.set(globalThis, key, act);
  try {
    new Script(`globalThis[${JSON.stringify(key)}]()`).runInThisContext({ timeout: 30 });
  } finally {
    Reflect.deleteProperty(globalThis, key);
  }
}
