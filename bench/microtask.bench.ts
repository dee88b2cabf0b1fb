/**
 * What a job costs on our own queue, beside V8's: the same source, as it is and lowered, in turn. Only the ratios count:
 * machines are shared.
 */
import { compileFunction } from "node:vm";
import { lower } from "../sim/lowering/lower.ts";
import { runtime } from "../sim/microtask/runtime.ts";
import { drainJobs } from "../sim/native/jobs.ts";
import { median } from "./median.ts";

type Work = (count: number) => void;

const iterations = 100_000;
const rounds = 15;

const cases: readonly (readonly [label: string, source: string])[] = [
  ["await null", "async (n) => { for (let i = 0; i < n; i++) await null; }"],
  ["await a settled promise", "async (n) => { const p = Promise.resolve(1); for (let i = 0; i < n; i++) await p; }"],
  ["await a new promise", "async (n) => { for (let i = 0; i < n; i++) await new Promise((r) => r()); }"],
  [
    "await an async function",
    "async (n) => { async function one(x) { await null; return x; } for (let i = 0; i < n; i++) await one(i); }",
  ],
  [
    "call a new async closure",
    "async (n) => { for (let i = 0; i < n; i++) { const one = async () => i; await one(); } }",
  ],
  ["then()", "(n) => { let i = 0; const step = () => { if (++i < n) Promise.resolve().then(step); }; step(); }"],
  [
    "for await",
    "async (n) => { async function* g() { for (let i = 0; i < n; i++) yield i; } for await (const x of g()); }",
  ],
];

const nothing = (): void => {};
const host = {
  ran: nothing,
  enqueued: nothing,
  unhandled: nothing,
  uncaught: nothing,
  foreign: nothing,
  importing: nothing,
};

/** Prints for each case the time of both, and ours as a part of V8's. */
export async function benchMicrotask(): Promise<void> {
  console.log(`microtasks: ${iterations} times a round, median of ${rounds} rounds`);
  for (const [label, source] of cases) {
    const [theirs, ours] = [made(`return ${source};`), made(lowered(`return ${source};`))];
    const pairs: { readonly own: number; readonly native: number }[] = [];
    for (let round = 0; round < rounds; round++) pairs.push(await inMacrotask(() => timed(theirs, ours)));
    const [own, native] = [median(pairs.map((pair) => pair.own)), median(pairs.map((pair) => pair.native))];
    const ratio = median(pairs.map((pair) => pair.own / pair.native));
    console.log(
      `  ${label.padEnd(26)}ours ${own.toFixed(0)} ns, V8 ${native.toFixed(0)} ns, ours is ${ratio.toFixed(2)} of V8's`,
    );
  }
}

function timed(theirs: Work, ours: Work): { own: number; native: number } {
  const native = timeNs(() => {
    theirs(iterations);
    drainJobs();
  });
  const { microtasks } = runtime;
  const nativePromise = globalThis.Promise;
  Reflect.set(globalThis, "Promise", microtasks.Promise);
  const own = timeNs(() => {
    microtasks.begin(host);
    ours(iterations);
    microtasks.drain();
    microtasks.end();
  });
  Reflect.set(globalThis, "Promise", nativePromise);
  return { own, native };
}

function lowered(source: string): string {
  return lower(source, { file: "bench.js", sourceType: "script" }).code;
}

function made(source: string): Work {
  return compileFunction(source)();
}

function timeNs(work: () => void): number {
  const start = performance.now();
  work();
  return ((performance.now() - start) / iterations) * 1_000_000;
}

/** Jobs can be drained outside of jobs only. */
function inMacrotask<T>(act: () => T): Promise<T> {
  return new Promise((resolve) => setImmediate(() => resolve(act())));
}
