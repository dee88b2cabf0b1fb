import { lookup } from "node:dns";
import { createRequire } from "node:module";
import { promisify as nodePromisify, types } from "node:util";
import { describe, expect, test } from "vitest";
import { original } from "../../native/original.ts";
import { installPromisify, promisify } from "./promisify.ts";
import { asItIs, inRealm } from "./testing/in-realm.ts";

const utilModule: { promisify: unknown } = createRequire(import.meta.url)("node:util");
const real = original(nodePromisify);

const programs: Readonly<Record<string, string>> = {
  "promisify() settles as its callback says, the first time it is called": `
    const answer = promisify(function (how, x, callback) { how(callback, x, this?.y); });
    const told = (p) => p.then((value) => L("got " + value), (reason) => L("lost " + reason));
    told(answer((done, x) => done(null, x), 1));
    told(answer((done, x) => done(x), 2));
    told(answer((done, x) => { done(null, x); done(null, 0); done(0); throw 0; }, 3));
    told(answer((done, x) => { throw x; }, 4));
    told(answer.call({ y: 5 }, (done, x, y) => queueMicrotask(() => done(undefined, x + y)), 6));
    told(answer((done, x) => done(null, Promise.resolve(x)), 7));
    told(answer((done) => done(null)));
    L("asked");`,
  "promisify() takes what its author has put in its place": `
    const custom = (x) => Promise.resolve("custom " + x);
    const named = Object.assign((callback) => callback(null, 1), { [promisify.custom]: custom });
    L(promisify(named) === custom); promisify(named)(2).then(L);
    try { promisify(Object.assign(() => {}, { [promisify.custom]: 1 })); } catch (error) { L(error.message); }`,
  "promisify() refuses what is no function": `
    for (const callbackLast of [undefined, null, 1, {}]) try { promisify(callbackLast); } catch (error) { L(error.message); }`,
  "a promisified function looks like the one it was made of": `
    const made = promisify(Object.assign(function name(x, y) {}, { z: 1 }));
    L([made.name, made.length, made.z, promisify(made) === made, Object.getPrototypeOf(made) === Function.prototype].join());
    class Loud extends Function {}
    const loud = Object.setPrototypeOf((callback) => callback(), Loud.prototype);
    L(promisify(loud) instanceof Loud);`,
  "callbackify() calls back in a tick": `
    const later = callbackify(async (x) => { if (x === 3) throw new Error("three"); return x; });
    later(1, (error, value) => L([error, value].join()));
    later(3, (error) => L(error.message));
    queueMicrotask(() => L("job")); nextTick(() => L("tick"));`,
};

describe("promisify() in an execution", () => {
  test.each(Object.entries(programs))("%s", async (_, code) => {
    const log = inRealm(code);
    expect(log.length).toBeGreaterThan(0);
    expect(log).toEqual(await asItIs(code));
  });

  test("what was promisified before gives native promises outside and ours inside", async () => {
    const sum = promisify((x: number, y: number, callback: (error: null, sum: number) => void) =>
      callback(null, x + y),
    );
    Object.assign(globalThis, { sum });
    expect(inRealm("sum(1, 2).then(L); L(sum(0, 0) instanceof Promise);")).toEqual(["true", "3"]);
    Reflect.deleteProperty(globalThis, "sum");
    const outside: unknown = typeof sum === "function" ? sum(3, 4) : null;
    expect(types.isPromise(outside)).toBe(true);
    expect(await outside).toBe(7);
  });

  test("a function of Node's own whose results have names keeps them", async () => {
    const found = promisify(lookup);
    expect(String(found)).toBe(String(real(lookup)));
    expect(typeof found === "function" && (await found("127.0.0.1"))).toEqual({ address: "127.0.0.1", family: 4 });
  });

  test("installPromisify() puts it in the place of Node's, and of nobody else's", () => {
    installPromisify();
    expect(utilModule.promisify).toBe(promisify);
    expect(nodePromisify).toBe(promisify);
    expect(nodePromisify.custom).toBe(real.custom);
    const somebody = (): void => {};
    utilModule.promisify = somebody;
    installPromisify();
    expect(utilModule.promisify).toBe(somebody);
    utilModule.promisify = real;
  });
});
