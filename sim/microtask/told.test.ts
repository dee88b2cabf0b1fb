import { afterEach, expect, test } from "vitest";
import { runtime } from "./runtime.ts";
import { inExecution } from "./testing/runs.ts";
import type { Told } from "./told.ts";

const { microtasks } = runtime;

/** Keeps what is told as lines, with promises by number in the order they were made. */
class Kept implements Told {
  readonly lines: string[] = [];
  readonly places: string[] = [];
  readonly #numbers = new Map<object, number>();

  made(promise: object, where: Error): void {
    this.lines.push(`made ${this.#number(promise)}`);
    this.#place(where);
  }

  around(promise: object): void {
    this.lines.push(`${this.#number(promise)} around a thenable`);
  }

  handedOut(promise: object, to: string): void {
    this.lines.push(`${this.#number(promise)} to its ${to}`);
  }

  executed(promise: object): void {
    this.lines.push(`${this.#number(promise)} executed`);
  }

  combining(how: string, result: object, promise: object): void {
    this.lines.push(`${how}: ${this.#number(result)} waits for ${this.#number(promise)}`);
  }

  queued(job: { readonly label: string }, where: Error | null): void {
    this.lines.push(`${job.label} queued${where === null ? ", handed on" : ""}`);
  }

  awaiting(job: { readonly label: string }, promise: object | null, where: Error | null): void {
    this.lines.push(`${job.label}: ${promise === null ? "a value" : this.#number(promise)}`);
    if (where !== null) this.#place(where);
  }

  reacting(job: { readonly label: string }, promise: object, derived: object | null): void {
    this.lines.push(
      `${job.label}: ${this.#number(promise)}, derived ${derived === null ? "none" : this.#number(derived)}`,
    );
  }

  following(promise: object, followed: object): void {
    this.lines.push(`${this.#number(promise)} follows ${this.#number(followed)}`);
  }

  settled(promise: object, how: string): void {
    this.lines.push(`${how} ${this.#number(promise)} by ${microtasks.running()?.label ?? "nobody"}`);
  }

  #place(where: Error): void {
    const line = where.stack?.split("\n").find((each) => /\bat (?:work|[^ ]*work) /.test(each));
    this.places.push(line === undefined ? "elsewhere" : "work");
  }

  #number(promise: object): number {
    const number = this.#numbers.get(promise) ?? this.#numbers.size;
    this.#numbers.set(promise, number);
    return number;
  }
}

afterEach(() => microtasks.tell(null));

test("the listener is told who makes, awaits, follows and settles each promise, and where", () => {
  const kept = new Kept();
  const begun = (): void => microtasks.tell(kept);
  Reflect.set(globalThis, "begun", begun);
  inExecution(`begun(); let go; const gate = new Promise((r) => { go = r; });
    async function work() { await gate; await 5; return Promise.resolve(7); }
    work().then(() => {}); go();`);
  Reflect.deleteProperty(globalThis, "begun");
  expect(kept.lines).toEqual([
    "made 0",
    "0 to its executor",
    "0 executed",
    "made 1",
    "await work: 0",
    "made 2",
    "then: 1, derived 2",
    "fulfilled 0 by nobody",
    "await work: a value",
    "made 3",
    "fulfilled 3 by await work",
    "1 follows 3",
    "thenable queued",
    "then queued, handed on",
    "fulfilled 1 by then",
    "fulfilled 2 by then",
  ]);
  // In `work`: its own promise, two awaits, and the promise it returns. Elsewhere: the gate, and what then() returned.
  expect(kept.places).toEqual(["elsewhere", "work", "work", "elsewhere", "work", "work"]);
});

test("the listener is told of async generators, too", () => {
  const kept = new Kept();
  Reflect.set(globalThis, "begun", () => microtasks.tell(kept));
  inExecution("begun(); async function* work() { yield 1; } work().next();");
  Reflect.deleteProperty(globalThis, "begun");
  expect(kept.lines).toEqual(["made 0", "await work: a value", "fulfilled 0 by await work"]);
  expect(kept.places).toEqual(["elsewhere", "work"]);
});

test("the listener is told who combines, who hands out, what stands around a thenable, and of every other job", () => {
  const kept = new Kept();
  Reflect.set(globalThis, "begun", () => microtasks.tell(kept));
  inExecution(`begun(); const gate = Promise.withResolvers?.() ?? {}; const given = Promise.resolve(1);
    Promise.race([given]);
    (async function work() { await { then: () => {} }; })();
    queueMicrotask(() => {}); nextTick(() => {}); Promise.reject(2).catch(() => {});`);
  Reflect.deleteProperty(globalThis, "begun");
  const told = kept.lines.map((line) => line.replace(/\d+/g, "n"));
  expect(told).toEqual(
    expect.arrayContaining([
      ...("withResolvers" in Promise ? ["n to its caller"] : []),
      ...["race: n waits for n", "n around a thenable", "await work: n", "thenable queued", "microtask queued"],
      ...["tick queued", "rejected n by nobody"],
    ]),
  );
});

test("the listener is told of for await, too", () => {
  const kept = new Kept();
  Reflect.set(globalThis, "begun", () => microtasks.tell(kept));
  inExecution("begun(); async function work() { for await (const x of [1]) L(x); } work();");
  Reflect.deleteProperty(globalThis, "begun");
  expect(kept.lines.filter((line) => line.startsWith("await"))).toEqual(["await work: 1", "await work: 3"]);
  expect(new Set(kept.places)).toEqual(new Set(["work"]));
});
