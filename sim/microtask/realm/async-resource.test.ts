import { AsyncLocalStorage, AsyncResource } from "node:async_hooks";
import { describe, expect, test } from "vitest";
import { asItIs, inRealm } from "./testing/in-realm.ts";

/** As libraries have it: the class was taken, and extended, when their module was loaded. */
class Task extends AsyncResource {
  readonly run: (callback: () => unknown) => unknown;

  constructor() {
    super("task");
    this.run = (callback) => this.runInAsyncScope(callback);
  }
}

const programs: Readonly<Record<string, string>> = {
  "runInAsyncScope() runs with what the storages held at the constructor": `
    const resource = a.run(1, () => new AsyncResource("x"));
    a.run(2, () => { L(resource.runInAsyncScope(function (x, y) { return [this.z, x, y, a.getStore()].join(); }, { z: 3 }, 4, 5)); L(a.getStore()); });
    try { resource.runInAsyncScope(() => { throw a.getStore(); }); } catch (error) { L(error); }
    resource.runInAsyncScope(async () => { await null; L(a.getStore()); });`,
  "what enterWith() does inside stays inside, or with the resource, as on this Node": `
    const resource = a.run(1, () => new AsyncResource("x"));
    resource.runInAsyncScope(() => a.enterWith(2));
    L(a.getStore());
    resource.runInAsyncScope(() => L(a.getStore()));`,
  "bind() binds to the resource, the static one to where it is called": `
    const resource = a.run(1, () => new AsyncResource("x"));
    const bound = resource.bind(function (x) { return [this?.y, x, a.getStore()].join(); });
    L(bound.call({ y: 2 }, 3)); L(bound.length);
    const other = a.run(4, () => AsyncResource.bind(function (x) { return [this?.y, x, a.getStore()].join(); }, "t", { y: 5 }));
    L(other(6));
    try { resource.bind(1); } catch (error) { L(error.code); }`,
  "a class that extends AsyncResource": `
    class Task extends AsyncResource { constructor() { super("task"); this.made = a.getStore(); } done(f) { return this.runInAsyncScope(f, this); } }
    const task = a.run(1, () => new Task());
    L(task.done(function () { return [this.made, a.getStore()].join(); }));
    L(Object.keys(task).join());`,
  "an EventEmitterAsyncResource": `
    const { EventEmitterAsyncResource } = process.getBuiltinModule("node:events");
    const emitter = a.run(1, () => new EventEmitterAsyncResource({ name: "x" }));
    emitter.on("go", () => L(a.getStore()));
    a.run(2, () => emitter.emit("go"));`,
};

describe("AsyncResource in an execution", () => {
  test.each(Object.entries(programs))("%s", async (_, text) => {
    const code = `const a = new AsyncLocalStorage();${text}`;
    const log = inRealm(code);
    expect(log.length).toBeGreaterThan(0);
    expect(log).toEqual(await asItIs(code));
  });

  test("a class that was defined before keeps the stores, too", () => {
    const storage = new AsyncLocalStorage();
    Object.assign(globalThis, { Task, storage });
    const code =
      "const task = storage.run(1, () => new Task()); storage.run(2, () => L(task.run(() => storage.getStore())));";
    expect(inRealm(code)).toEqual(["1"]);
    Reflect.deleteProperty(globalThis, "Task");
    Reflect.deleteProperty(globalThis, "storage");
  });

  test("a resource of before the execution runs with what the storages held then", () => {
    const storage = new AsyncLocalStorage();
    const task = storage.run("then", () => new Task());
    Object.assign(globalThis, { task, storage });
    const code = "storage.run(2, () => L(task.run(() => storage.getStore()))); L(storage.getStore());";
    expect(inRealm(code)).toEqual(["then", "undefined"]);
    Reflect.deleteProperty(globalThis, "task");
    Reflect.deleteProperty(globalThis, "storage");
  });

  test("Node's own prototype is back after the realm", () => {
    const before = Object.getOwnPropertyDescriptors(AsyncResource.prototype);
    inRealm("L(1)");
    expect(Object.getOwnPropertyDescriptors(AsyncResource.prototype)).toEqual(before);
    expect(Object.getOwnPropertySymbols(AsyncResource.prototype)).toEqual([]);
  });
});
