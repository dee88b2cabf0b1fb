import { describe, expect, test } from "vitest";
import { asItIs, inRealm, StubEngine, withRealm } from "./testing/in-realm.ts";

const { nextTick } = process;

const programs: Readonly<Record<string, string>> = {
  "ticks come before microtasks, and those that microtasks ask for after all of them": `
    queueMicrotask(() => { L("job"); nextTick(L, "tick of a job"); queueMicrotask(() => L("job of a job")); });
    nextTick((...args) => { L(args.join()); nextTick(L, "tick of a tick"); Promise.resolve().then(() => L("then")); }, 1, 2);
    (async () => { await null; L("await"); })();`,
  "a callback that throws ends nobody else's turn": `
    nextTick(() => { throw "tick"; }); nextTick(L, "next tick");
    queueMicrotask(() => { throw "job"; }); queueMicrotask(() => L("next job"));`,
  "what is no function is refused": `
    for (const ask of [queueMicrotask, nextTick]) for (const callback of [undefined, null, 1, "f", {}]) {
      try { ask(callback); } catch (error) { L([error.name, error.code, error.message].join()); }
    }`,
  "microtasks get no arguments and no this": `
    queueMicrotask(function () { L(arguments.length); L(this === undefined || this === globalThis); }, 1);`,
};

describe("process.nextTick() and queueMicrotask() in an execution", () => {
  test.each(Object.entries(programs))("%s", async (_, code) => {
    // How Node and the queue name what nobody has caught is another matter.
    const told = inRealm(code).map((line) => line.replace(/^X:/, ""));
    expect(told.length).toBeGreaterThan(0);
    expect(told).toEqual((await asItIs(code)).map((line) => line.replace(/^X:/, "")));
  });

  test("the engine is told of each that is asked for", () => {
    let asked = 0;
    inRealm("queueMicrotask(() => {}); nextTick(() => {}); Promise.resolve().then(() => {});", {
      jobAsked: () => asked++,
    });
    expect(asked).toBe(2);
  });

  test("what somebody asks for between two executions goes to Node", async () => {
    const ran: string[] = [];
    withRealm(new StubEngine(), () => {
      queueMicrotask(() => ran.push("job"));
      process.nextTick((what: string) => ran.push(what), "tick");
      expect(() => Reflect.apply(queueMicrotask, undefined, [1])).toThrow(TypeError);
    });
    await new Promise((resolve) => setImmediate(resolve));
    expect(ran.sort()).toEqual(["job", "tick"]);
  });

  test("functions that were kept past the realm are those that are in their place by then", async () => {
    const kept: { microtask?: typeof queueMicrotask; tick?: typeof process.nextTick } = {};
    Object.assign(globalThis, { kept });
    inRealm("kept.microtask = queueMicrotask; kept.tick = nextTick;");
    Reflect.deleteProperty(globalThis, "kept");
    expect(kept.tick).not.toBe(nextTick);
    // Another engine's execution: it is to know of every job.
    let asked = 0;
    Object.assign(globalThis, { kept });
    const log = inRealm("kept.microtask(() => L('job')); kept.tick(L, 'tick');", { jobAsked: () => asked++ });
    Reflect.deleteProperty(globalThis, "kept");
    expect([log, asked]).toEqual([["tick", "job"], 2]);
    await new Promise<void>((resolve) => kept.microtask?.(resolve));
    await new Promise<void>((resolve) => kept.tick?.(resolve));
  });
});
