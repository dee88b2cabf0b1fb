/** What a promise is resolved with: a value settles it; a thenable is listened to, by a job of its own. */
import { types } from "node:util";
import { Job, jobKinds } from "./job.ts";
import { fulfilled, isOwn, type OwnPromise, rejected, settle, startWith } from "./promise.ts";
import { enqueue, liveHost } from "./queue.ts";
import { type Callable, isCallable, isObject, shown } from "./shapes.ts";
import { currentSite, listener } from "./told.ts";

export type Resolving = { readonly resolve: (resolution: unknown) => void; readonly reject: (reason: unknown) => void };

let ownThen: unknown = null;
let adopt: (promise: OwnPromise, source: OwnPromise) => void = () => {};

export function resolve(promise: OwnPromise, resolution: unknown): void {
  if (resolution === promise) {
    settle(promise, rejected, new TypeError("Chaining cycle detected for promise #<Promise>"));
    return;
  }
  if (!isObject(resolution)) {
    settle(promise, fulfilled, resolution);
    return;
  }
  let then: unknown;
  try {
    then = resolution.then;
  } catch (error) {
    settle(promise, rejected, error);
    return;
  }
  if (isCallable(then)) follow(promise, resolution, then);
  else settle(promise, fulfilled, resolution);
}

/** The two functions that settle a promise, of which only the first call counts. */
export function resolvingFunctions(promise: OwnPromise): Resolving {
  let called = false;
  // Without names, as natively.
  return nameless(
    (resolution) => {
      if (called) return;
      called = true;
      resolve(promise, resolution);
    },
    (reason) => {
      if (called) return;
      called = true;
      settle(promise, rejected, reason);
    },
  );
}

/** Lets a promise have the fate of a thenable. */
export function follow(promise: OwnPromise, thenable: object, then: Callable): void {
  if (types.isPromise(thenable)) liveHost()?.foreign(thenable);
  const job = new ThenableJob(promise, thenable, then);
  const told = listener();
  if (told !== null) {
    told.following(promise, thenable);
    told.queued(job, currentSite() ?? new Error("resolved here"));
  }
  enqueue(job);
}

/** Says, once, which `then` is Promise's own, and how to do what it would do with two resolving functions. */
export function adoptWith(then: Callable, how: typeof adopt): void {
  ownThen = then;
  adopt = how;
}

class ThenableJob extends Job {
  readonly #promise: OwnPromise;
  readonly #thenable: object;
  readonly #then: Callable;

  constructor(promise: OwnPromise, thenable: object, then: Callable) {
    super();
    this.#promise = promise;
    this.#thenable = thenable;
    this.#then = then;
  }

  get kind(): number {
    return jobKinds.thenable;
  }

  get label(): string {
    return "thenable";
  }

  run(): void {
    if (this.#then === ownThen && isOwn(this.#thenable)) {
      adopt(this.#promise, this.#thenable);
      return;
    }
    const { resolve, reject } = resolvingFunctions(this.#promise);
    try {
      Reflect.apply(this.#then, this.#thenable, [resolve, reject]);
    } catch (error) {
      reject(error);
    }
  }
}

startWith((promise, executor) => {
  if (!isCallable(executor)) throw new TypeError(`Promise resolver ${shown(executor)} is not a function`);
  const { resolve, reject } = resolvingFunctions(promise);
  try {
    executor(resolve, reject);
  } catch (error) {
    reject(error);
  }
});

function nameless(resolve: Resolving["resolve"], reject: Resolving["reject"]): Resolving {
  return { resolve, reject };
}
