/**
 * The runtime of the microtask engine: one per process and global object. The first that loads puts itself where lowered
 * code looks for it; a second copy (of another bundle) finds it there and is not used.
 */
import { startAsync, startAsyncWith } from "./async-function.ts";
import { makeAsyncGenerator, makeAsyncGeneratorWith } from "./async-generator.ts";
import { installCombinators } from "./combinators.ts";
import { at, drain, fill, ready, run, running, setCounting } from "./drain.ts";
import { begin, end } from "./execution.ts";
import { beginForAwait } from "./for-await.ts";
import { currentFrame, enterFrame } from "./frame.ts";
import { heir } from "./heir.ts";
import type { Lowered, LoweredEntry } from "./lowered.ts";
import { marking, yields } from "./marks.ts";
import { OwnPromise } from "./promise.ts";
import { liveHost, microtask, setNaming, tick } from "./queue.ts";
import { installStatics } from "./statics.ts";
import { installThen } from "./then.ts";
import { keepSite, listener, tell } from "./told.ts";
import { yieldAll } from "./yield-star.ts";

const lowered: Lowered = {
  async: startAsync,
  asyncWith: startAsyncWith,
  asyncGenerator: makeAsyncGenerator,
  asyncGeneratorWith: makeAsyncGeneratorWith,
  a: (value) => {
    if (listener() !== null) keepSite();
    return value;
  },
  y: (value) => {
    if (listener() !== null) keepSite();
    return marking(yields, value);
  },
  ys: yieldAll,
  forAwait: beginForAwait,
  heir,
  importing: () => liveHost()?.importing(),
};

const files = new Set<string>();

/** What an engine drives. */
export type Microtasks = typeof microtasks;
const microtasks = {
  /** The Promise of an execution. */
  Promise: OwnPromise,
  begin,
  end,
  drain,
  ready,
  at,
  fill,
  run,
  running,
  microtask,
  tick,
  setCounting,
  setNaming,
  currentFrame,
  enterFrame,
  tell,
};

export type Runtime = LoweredEntry & { readonly microtasks: Microtasks };

const key = Symbol.for("microloom.lowered");

export const runtime: Runtime = installed() ?? install();

function install(): Runtime {
  // In the order of the properties of Node's; called, because bundlers leave out modules that nobody takes anything of.
  installCombinators();
  installStatics();
  installThen();
  const own: Runtime = {
    at: (file) => {
      files.add(file);
      return lowered;
    },
    isLowered: (file) => files.has(file),
    microtasks,
  };
  Object.defineProperty(globalThis, key, { value: own, configurable: true });
  return own;
}

function installed(): Runtime | undefined {
  return Reflect.get(globalThis, key);
}
