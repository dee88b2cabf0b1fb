/**
 * Programs that are right because jobs run in the order in which ECMAScript and Node promise to run them. Each is the text
 * of the body of a scenario, to be lowered, whose one condition is called "in order".
 */

/** Notes that something else came, which must make no difference. */
const besides = `world.events("besides", [["look", () => undefined]]);`;

/** Everything happens in the jobs of one event; what `told` gives in the end has to be `expected`. */
function inOneEvent(expected: string, text: string): string {
  return `const log = [];
${text}
${besides}
world.events("user", [["go", () => go()]]);
world.atQuiescence("in order", () => log.join(" ") === ${JSON.stringify(expected)} || log.join(" "));`;
}

export const fifoPrograms: Readonly<Record<string, string>> = {
  "who waits first for a gate goes first": `const log = [];
let open;
const gate = new Promise((resolve) => { open = resolve; });
const pass = async (name) => { await gate; log.push(name); };
for (const name of ["a", "b", "c"]) pass(name);
${besides}
world.events("keeper", [["open", () => open()]]);
world.atQuiescence("in order", () => log.join(" ") === "a b c" || log.join(" "));`,

  "handlers run in order of registration": inOneEvent(
    "1 2 3",
    `function go() { const told = Promise.resolve(); for (const n of [1, 2, 3]) told.then(() => log.push(n)); }`,
  ),

  "a lock whose next holder takes it before anybody else can ask": inOneEvent(
    "a+ a- b+ b- c+ c-",
    `let held = false;
const waiting = [];
const lock = async () => { if (held) await new Promise((resolve) => waiting.push(resolve)); held = true; };
const unlock = () => { held = false; waiting.shift()?.(); };
const work = async (name) => { await lock(); log.push(name + "+"); await null; log.push(name + "-"); unlock(); };
function go() { work("a"); work("b"); queueMicrotask(() => queueMicrotask(() => queueMicrotask(() => work("c")))); }`,
  ),

  "a mutex by a chain of promises, asked after one await": inOneEvent(
    "a b c",
    `let tail = Promise.resolve();
const locked = (act) => (tail = tail.then(act));
const work = async (name) => { await null; await locked(() => { log.push(name); }); };
function go() { for (const name of ["a", "b", "c"]) work(name); }`,
  ),

  "two buffers that change places before the reader looks": inOneEvent(
    "new",
    `let [front, back] = ["old", null];
const draw = () => { back = "new"; queueMicrotask(() => { [front, back] = [back, front]; }); };
const read = async () => { await null; log.push(front); };
function go() { draw(); read(); }`,
  ),

  "an emitter that calls its listeners in microtasks": inOneEvent(
    "first:1 second:1 first:2 second:2",
    `const listeners = [];
const emit = (value) => { for (const listener of listeners) queueMicrotask(() => listener(value)); };
for (const name of ["first", "second"]) listeners.push((value) => log.push(name + ":" + value));
function go() { emit(1); emit(2); }`,
  ),

  "a batch that closes when all who were awake have added to it": inOneEvent(
    "1,2,3",
    `let batch = null;
const add = (item) => {
  if (batch === null) { batch = []; queueMicrotask(() => { log.push(batch.join()); batch = null; }); }
  batch.push(item);
};
const worker = async (item) => { await null; add(item); };
function go() { for (const item of [1, 2, 3]) worker(item); }`,
  ),

  "a loader that asks once for all keys of one turn": inOneEvent(
    "asked:a,b,c",
    `let keys = null;
const load = (key) => new Promise((resolve) => {
  if (keys === null) {
    keys = [];
    Promise.resolve().then(() => process.nextTick(() => { const all = keys; keys = null; log.push("asked:" + all.map(([k]) => k)); for (const [, answer] of all) answer(); }));
  }
  keys.push([key, resolve]);
});
const view = async (key, ticks) => { for (let at = 0; at < ticks; at++) await null; await load(key); };
function go() { view("a", 0); view("b", 1); view("c", 3); }`,
  ),

  "a semaphore that is fair": inOneEvent(
    "a b c d",
    `let free = 2;
const waiting = [];
const acquire = async () => { if (free > 0) free--; else await new Promise((resolve) => waiting.push(resolve)); };
const release = () => { const next = waiting.shift(); if (next === undefined) free++; else next(); };
const work = async (name) => { await acquire(); log.push(name); await null; release(); };
function go() { for (const name of ["a", "b", "c", "d"]) work(name); }`,
  ),

  "items handed to consumers in the order in which these asked": inOneEvent(
    "x:1 y:2 x:3 y:4",
    `const [asked, given] = [[], []];
const give = (value) => { const next = asked.shift(); if (next === undefined) given.push(value); else next({ value, done: false }); };
const take = async () => (given.length > 0 ? { value: given.shift(), done: false } : new Promise((resolve) => asked.push(resolve)));
const items = { [Symbol.asyncIterator]: () => ({ next: take }) };
const consume = async (name) => { let count = 0; for await (const item of items) { log.push(name + ":" + item); if (++count === 2) return; } };
async function go() { consume("x"); consume("y"); give(1); give(2); for (let at = 0; at < 4; at++) await null; give(3); give(4); }`,
  ),

  "two loops over async generators in step": inOneEvent(
    "x0 y0 x1 y1",
    `async function* count() { for (let n = 0; n < 2; n++) yield n; }
const walk = async (name) => { for await (const n of count()) log.push(name + n); };
function go() { walk("x"); walk("y"); }`,
  ),

  "what takes one tick is ready for who waits two": inOneEvent(
    "ready",
    `let ready = false;
const prepare = async () => { await null; ready = true; };
const use = async () => { await null; await null; log.push(ready ? "ready" : "not ready"); };
function go() { use(); prepare(); }`,
  ),

  "a task that is cancelled in time": inOneEvent(
    "cancelled",
    `const task = { cancelled: false };
function go() {
  Promise.resolve().then(() => { task.cancelled = true; });
  queueMicrotask(() => log.push(task.cancelled ? "cancelled" : "ran"));
}`,
  ),

  "ping and pong": inOneEvent(
    "ping pong ping pong",
    `const play = async (word) => { for (let turn = 0; turn < 2; turn++) { log.push(word); await null; } };
function go() { play("ping"); play("pong"); }`,
  ),

  "a race that the first in the list wins": inOneEvent(
    "cache",
    `const answer = async (from) => { await null; return from; };
function go() { Promise.race([answer("cache"), answer("disk")]).then((from) => log.push(from)); }`,
  ),

  "all of them are told before the whole is": inOneEvent(
    "one two all",
    `const step = async (name) => { await null; return name; };
async function go() {
  const steps = [step("one"), step("two")];
  for (const each of steps) each.then((name) => log.push(name));
  await Promise.all(steps);
  log.push("all");
}`,
  ),

  "a view that is painted once for all changes of a turn": inOneEvent(
    "painted:2",
    `let state = 0;
let asked = false;
const change = () => { state++; if (!asked) { asked = true; queueMicrotask(() => { log.push("painted:" + state); asked = false; }); } };
const click = async () => { await null; change(); };
function go() { click(); click(); }`,
  ),

  "ticks before microtasks": inOneEvent(
    "tick promise",
    `function go() { Promise.resolve().then(() => log.push("promise")); process.nextTick(() => log.push("tick")); }`,
  ),

  "a listener that leaves before the message comes": inOneEvent(
    "kept",
    `const listeners = new Set(["kept", "left"]);
const leave = async (name) => { await null; listeners.delete(name); };
const publish = async () => { await null; log.push([...listeners].join()); };
function go() { leave("left"); publish(); }`,
  ),

  "finally() cleans up before who follows looks": inOneEvent(
    "clean",
    `let dirty = true;
function go() {
  const work = Promise.resolve();
  work.then(() => null).then(() => log.push(dirty ? "dirty" : "clean"));
  work.finally(() => { dirty = false; });
}`,
  ),

  "data before the mark that it is complete": inOneEvent(
    "data mark",
    `const write = async (what) => { await null; await null; log.push(what); };
function go() { write("data"); write("mark"); }`,
  ),

  "a cache that forgets at the end of the turn": inOneEvent(
    "1 1 2",
    `let loads = 0;
let cached = null;
const load = () => { if (cached === null) { cached = ++loads; queueMicrotask(() => { cached = null; }); } return cached; };
const use = async () => { log.push(load()); };
function go() { queueMicrotask(use); queueMicrotask(use); queueMicrotask(() => queueMicrotask(() => queueMicrotask(use))); }`,
  ),

  "answers numbered as the questions were": inOneEvent(
    "q1=1 q2=2 q3=3",
    `let last = 0;
const ask = async (question) => { await null; const number = ++last; await null; log.push(question + "=" + number); };
function go() { for (const question of ["q1", "q2", "q3"]) ask(question); }`,
  ),

  "a barrier that all leave as they came": inOneEvent(
    "a b c",
    `let missing = 3;
let open;
const opened = new Promise((resolve) => { open = resolve; });
const meet = async (name) => { await null; if (--missing === 0) open(); await opened; log.push(name); };
function go() { for (const name of ["a", "b", "c"]) meet(name); }`,
  ),

  "answers of an async generator in the order of asking": inOneEvent(
    "1 2 end",
    `async function* numbers() { yield 1; yield 2; }
function go() { const all = numbers(); for (let at = 0; at < 3; at++) all.next().then(({ value }) => log.push(value ?? "end")); }`,
  ),

  "the last to save is the one that is kept": inOneEvent(
    "new",
    `let file = "";
const save = async (text) => { await null; file = text; };
async function go() { await Promise.all([save("old"), save("new")]); log.push(file); }`,
  ),
};
