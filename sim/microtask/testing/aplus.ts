/** Runs the Promises/A+ suite in this process and prints what became of its tests, as JSON. */
import { createRequire } from "node:module";
import { runtime } from "../runtime.ts";

type Test = { fullTitle(): string };
type Runner = { on(event: "pass" | "fail", listener: (test: Test) => void): void };
type Suite = (adapter: object, options: object, end: () => void) => void;

const { microtasks } = runtime;
const suite: Suite = createRequire(import.meta.url)("promises-aplus-tests");
const passed: string[] = [];
const failed: string[] = [];

/** Mocha makes one of these in place of a reporter of its own. */
function Reporter(runner: Runner): void {
  runner.on("pass", (test) => passed.push(test.fullTitle()));
  runner.on("fail", (test) => failed.push(test.fullTitle()));
}

let ended = false;

type Timer = { readonly deadline: number; readonly callback: () => void };
const timers: Timer[] = [];
let now = 0;

// Its tests wait by real timers. Mocha has taken those it needs itself: theirs run one after another, without waiting.
Reflect.set(globalThis, "setTimeout", (callback: () => void, ms = 0) => {
  const deadline = now + ms;
  const later = timers.findIndex((each) => each.deadline > deadline);
  timers.splice(later === -1 ? timers.length : later, 0, { deadline, callback });
});

/** Each timer is a macrotask of its own, and our queue runs to its end after it. */
function turn(): void {
  microtasks.drain();
  const next = timers.shift();
  if (next !== undefined) {
    now = next.deadline;
    next.callback();
    microtasks.drain();
  }
  if (!ended) setImmediate(turn);
}

const nothing = (): void => {};
microtasks.begin({
  ran: nothing,
  enqueued: nothing,
  unhandled: nothing,
  uncaught: (error) => failed.push(String(error)),
  foreign: () => failed.push("a foreign promise"),
  importing: nothing,
});
turn();

const { Promise: OwnPromise } = microtasks;
const adapter = {
  deferred() {
    const made: Record<string, unknown> = {};
    made.promise = new OwnPromise((resolve: unknown, reject: unknown) => Object.assign(made, { resolve, reject }));
    return made;
  },
};

suite(adapter, { reporter: Reporter, timeout: 60_000 }, () => {
  ended = true;
  microtasks.end();
  process.stdout.write(JSON.stringify({ passed: passed.length, failed }));
});
