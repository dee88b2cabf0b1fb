import { AsyncLocalStorage } from "node:async_hooks";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { asItIs, inRealm } from "./testing/in-realm.ts";
import { storagePrograms } from "./testing/storage-programs.ts";

const programs: Readonly<Record<string, string>> = {
  "run() gives what its function returns, and its arguments": `
    const a = new AsyncLocalStorage();
    L(a.run(1, function (...args) { return [this === null || this === globalThis, args, a.getStore()].join(); }, 2, 3));
    L(a.getStore());`,
  "run() puts back what was there when its function throws": `
    const a = new AsyncLocalStorage();
    try { a.run(1, () => { a.run(2, () => { throw a.getStore(); }); }); } catch (error) { L(error); }
    L(a.getStore());`,
  "run() inside run(), and after an await in each": `
    const a = new AsyncLocalStorage();
    a.run(1, async () => {
      L(a.getStore());
      const inner = a.run(2, async () => { L(a.getStore()); await null; L(a.getStore()); });
      L(a.getStore()); await inner; L(a.getStore());
    });
    L(a.getStore());`,
  "run() puts back its own storage and no other": `
    const [a, b] = [new AsyncLocalStorage(), new AsyncLocalStorage()];
    a.run(1, () => b.enterWith(2));
    L([a.getStore(), b.getStore()]);
    a.run(3, () => { a.enterWith(4); L(a.getStore()); });
    L(a.getStore());`,
  "run() with what is there already puts nothing back": `
    const a = new AsyncLocalStorage();
    a.enterWith(1);
    a.run(1, () => a.enterWith(2));
    L(a.getStore());`,
  "enterWith() lasts for what is asked for after it": `
    const a = new AsyncLocalStorage();
    const before = Promise.resolve().then(() => L(a.getStore()));
    a.enterWith(1);
    queueMicrotask(() => L(a.getStore()));
    nextTick(() => L(a.getStore()));
    before.then(() => L(a.getStore()));
    (async () => { a.enterWith(2); await null; L(a.getStore()); a.enterWith(3); await null; L(a.getStore()); })();
    L(a.getStore());`,
  "exit() hides the storage, also from what it asks for": `
    const a = new AsyncLocalStorage();
    a.run(1, () => {
      L(a.exit((add) => { queueMicrotask(() => L(a.getStore())); return String(a.getStore()) + add; }, 2));
      L(a.getStore());
      try { a.exit(() => { throw 3; }); } catch (error) { L(error); }
      L(a.getStore());
    });
    new AsyncLocalStorage().exit(() => L("never entered"));`,
  "exit() hides the storage from functions that were bound before, as this Node does": `
    const a = new AsyncLocalStorage();
    const bound = a.run(1, () => AsyncResource.bind(() => a.getStore()));
    a.run(2, () => { L(bound()); a.exit(() => L(bound())); L(bound()); });`,
  "disable() hides the storage until it is entered again": `
    const a = new AsyncLocalStorage();
    const later = a.run(1, () => AsyncLocalStorage.bind(() => a.getStore()));
    a.enterWith(2);
    a.disable();
    L(a.getStore());
    L(later());
    queueMicrotask(() => { L(a.getStore()); L(later()); a.run(3, () => L(later())); });`,
  "disable() does nothing to a storage that was never entered": `
    const a = new AsyncLocalStorage();
    a.disable();
    L(a.getStore()); a.run(1, () => L(a.getStore()));`,
  "bind() and snapshot() go back to where they were made": `
    const a = new AsyncLocalStorage();
    const [bound, snapshot] = a.run(1, () => [AsyncLocalStorage.bind((x) => [x, a.getStore()].join()), AsyncLocalStorage.snapshot()]);
    a.run(2, () => { L(bound(3)); L(snapshot((x) => [x, a.getStore()].join(), 4)); L(a.getStore()); });
    L(bound.length);`,
  "a storage of a class that extends AsyncLocalStorage": `
    class Loud extends AsyncLocalStorage { getStore() { return "loud " + super.getStore(); } }
    const a = new Loud();
    a.run(1, async () => { await null; L(a.getStore()); });`,
  "an async generator runs with what its caller has": `
    const a = new AsyncLocalStorage();
    async function* numbers() { L(a.getStore()); yield 1; L(a.getStore()); await null; L(a.getStore()); yield 2; L(a.getStore()); }
    const made = numbers();
    a.run(1, () => made.next());
    a.run(2, () => made.next()).then(() => a.run(3, () => made.next()));`,
};

describe("AsyncLocalStorage in an execution", () => {
  test.each(Object.entries(programs))("%s", async (_, code) => {
    const log = inRealm(code);
    expect(log.length).toBeGreaterThan(0);
    expect(log).toEqual(await asItIs(code));
  });

  test("random programs log what they log on Node", async () => {
    await fc.assert(
      fc.asyncProperty(storagePrograms, async (code) => {
        expect(inRealm(code)).toEqual(await asItIs(code));
      }),
      { numRuns: 300, seed: 10 },
    );
  });

  test("answers what was entered around the exploration, and what an execution entered is gone after it", () => {
    const storage = new AsyncLocalStorage();
    Object.assign(globalThis, { storage });
    const code = "L(storage.getStore()); storage.enterWith('inside'); L(storage.getStore());";
    const around = () => [...inRealm(code), storage.getStore(), ...inRealm(code)];
    expect(storage.run("around", around)).toEqual(["around", "inside", "around", "around", "inside"]);
    Reflect.deleteProperty(globalThis, "storage");
  });

  test("what an execution switched off is on in the next one", () => {
    const storage = new AsyncLocalStorage();
    Object.assign(globalThis, { storage });
    expect(inRealm("storage.enterWith(1); storage.disable(); L(storage.getStore());")).toEqual(["undefined"]);
    expect(storage.run(2, () => inRealm("L(storage.getStore())"))).toEqual(["2"]);
    Reflect.deleteProperty(globalThis, "storage");
  });

  test("Node's own methods are back after the realm", () => {
    const before = Object.getOwnPropertyDescriptors(AsyncLocalStorage.prototype);
    inRealm("L(1)");
    expect(Object.getOwnPropertyDescriptors(AsyncLocalStorage.prototype)).toEqual(before);
  });
});
