/**
 * For runners that load tests into a vm context: Jest, and Vitest's vmThreads and vmForks. There `import { setTimeout }
 * from "node:timers"` gives a copy made at import, which the virtual realm cannot reach any more. As a setup file, this
 * one comes before the code under test: what that imports then asks the module, at every call, what it holds now.
 *
 * It may import no timers itself, nor a file that does, or the runner would keep a copy that was made too early.
 */
import { createRequire } from "node:module";

type Callable = (...args: unknown[]) => unknown;

const require = createRequire(import.meta.url);
const mark = Symbol.for("microloom.live");
// Taken now: this outlives the context of the test file that came first, and a runner may empty the globals of that.
const { apply, get, set, has, ownKeys } = Reflect;
const { defineProperty, getOwnPropertyDescriptor } = Object;

/** The functions of Node's modules that the virtual realm replaces. */
const replaced: Readonly<Record<string, readonly string[]>> = {
  timers: ["setTimeout", "setInterval", "setImmediate", "clearTimeout", "clearInterval", "clearImmediate"],
  "timers/promises": ["setTimeout", "setInterval", "setImmediate"],
  process: ["nextTick", "hrtime", "uptime", "exit"],
  crypto: ["randomUUID", "randomBytes", "randomInt", "randomFillSync", "pseudoRandomBytes"],
  util: ["aborted"],
};

for (const [name, keys] of Object.entries(replaced)) {
  const holder: object = require(`node:${name}`);
  for (const key of keys) keepLive(holder, key);
  forgetCopies(name);
}

function keepLive(holder: object, key: string): void {
  const real: unknown = get(holder, key);
  // Once per process: the next test file finds it done.
  if (isCallable(real) && !has(real, mark))
    set(
      holder,
      key,
      liveOf(real, () => get(holder, key)),
    );
}

/** Calls whatever `now` gives, and has what the real one has (`hrtime.bigint`, what promisify reads). */
function liveOf(real: Callable, now: () => unknown): Callable {
  const live = calling(real, now);
  for (const own of ownKeys(real)) {
    const descriptor = getOwnPropertyDescriptor(real, own);
    // Under Jest a function of `process` is its own constructor.
    if (descriptor === undefined || own === "prototype" || own === "constructor") continue;
    const { value }: { value?: unknown } = descriptor;
    const inner = isCallable(value) ? { value: calling(value, () => within(now(), own)) } : {};
    defineProperty(live, own, { ...descriptor, ...inner });
  }
  // The simulator itself takes the real ones.
  return defineProperty(live, mark, { value: real });
}

function calling(real: Callable, now: () => unknown): Callable {
  return function live(this: unknown, ...args: unknown[]): unknown {
    const found = now();
    return apply(isCallable(found) && found !== live ? found : real, this, args);
  };
}

/** Vitest itself imports timers into the context of a test file, before any setup file; this is where it keeps copies. */
function forgetCopies(name: string): void {
  let at: unknown = globalThis;
  for (const key of ["__vitest_vm_context__", "externalModulesExecutor", "cjs", "moduleCache"]) at = within(at, key);
  const remove = within(at, "delete");
  if (isCallable(remove)) for (const copy of [name, `node:${name}`]) apply(remove, at, [copy]);
}

function within(value: unknown, key: string | symbol): unknown {
  return (typeof value === "object" && value !== null) || typeof value === "function" ? get(value, key) : undefined;
}

function isCallable(value: unknown): value is Callable {
  return typeof value === "function";
}
