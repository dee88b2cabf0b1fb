/** The timer functions of the virtual realm, in the shapes that Node's own have. */
import { AsyncResource } from "node:async_hooks";
import { promisify } from "node:util";
import type { Body } from "../microtask/lowered.ts";
import { runtime } from "../microtask/runtime.ts";
import { abortError } from "./abort-error.ts";
import { type Delivery, Timer } from "./delivery.ts";
import { resistsStop } from "./event-internals.ts";

/** What timers need of the engine. Durations and times in milliseconds. */
export type TimerHost = {
  arm(kind: "timer" | "immediate", timer: Timer): Delivery;
  disarm(timer: Timer): void;
  rearm(timer: Timer): void;
  /** Timers whose handle was turned into a number, by that number: no other number or string clears a timer. */
  readonly numbered: Map<string, Timer>;
};

type Callback = (...args: never[]) => unknown;

// A name, and no file: a bundler may put this into one file with what is not lowered.
const lowered = runtime.at("timers of the virtual realm");

/** What setTimeout and setInterval return. */
export class VirtualTimeout {
  readonly #timer: Timer;
  readonly #host: TimerHost;
  readonly #id: number;
  #referenced = true;

  constructor(host: TimerHost, timer: Timer, sequence: number) {
    this.#host = host;
    this.#timer = timer;
    // Never 0, because code under test asks `if (id)`.
    this.#id = sequence + 1;
    timer.handle = this;
  }

  ref(): this {
    this.#referenced = true;
    return this;
  }

  unref(): this {
    this.#referenced = false;
    return this;
  }

  hasRef(): boolean {
    return this.#referenced;
  }

  refresh(): this {
    this.#host.rearm(this.#timer);
    return this;
  }

  close(): this {
    this.#host.disarm(this.#timer);
    return this;
  }

  [Symbol.toPrimitive](): number {
    this.#host.numbered.set(String(this.#id), this.#timer);
    return this.#id;
  }

  [Symbol.dispose](): void {
    this.close();
  }
}

/** What setImmediate returns. */
export class VirtualImmediate {
  readonly #host: TimerHost;
  readonly #timer: Timer;
  #referenced = true;

  constructor(host: TimerHost, timer: Timer) {
    this.#host = host;
    this.#timer = timer;
    timer.handle = this;
  }

  ref(): this {
    this.#referenced = true;
    return this;
  }

  unref(): this {
    this.#referenced = false;
    return this;
  }

  hasRef(): boolean {
    return this.#referenced;
  }

  [Symbol.dispose](): void {
    this.#host.disarm(this.#timer);
  }
}

export type TimerFunctions = ReturnType<typeof timerFunctions>;

/** Makes the timer functions of one engine. */
export function timerFunctions(host: TimerHost) {
  function start(callback: Callback, delayMs: unknown, every: boolean, args: readonly unknown[]): VirtualTimeout {
    if (typeof callback !== "function") throw callbackError(callback);
    const timer = new Timer(inContext(callback), args, clampDelay(delayMs), every);
    return new VirtualTimeout(host, timer, host.arm("timer", timer).sequence);
  }

  function setTimeout(callback: Callback, delayMs?: unknown, ...args: unknown[]): VirtualTimeout {
    return start(callback, delayMs, false, args);
  }

  function setInterval(callback: Callback, delayMs?: unknown, ...args: unknown[]): VirtualTimeout {
    return start(callback, delayMs, true, args);
  }

  function setImmediate(callback: Callback, ...args: unknown[]): VirtualImmediate {
    if (typeof callback !== "function") throw callbackError(callback);
    const timer = new Timer(inContext(callback), args, 0, false);
    host.arm("immediate", timer);
    return new VirtualImmediate(host, timer);
  }

  function clearTimeout(handle?: unknown): void {
    if (handle instanceof VirtualTimeout) handle.close();
    else if (typeof handle === "number" || typeof handle === "string") {
      const timer = host.numbered.get(String(handle));
      if (timer !== undefined) host.disarm(timer);
    }
  }

  function clearInterval(handle?: unknown): void {
    clearTimeout(handle);
  }

  function clearImmediate(handle?: unknown): void {
    if (handle instanceof VirtualImmediate) handle[Symbol.dispose]();
  }

  const sleep = (delayMs?: number, value?: unknown, options?: { signal?: AbortSignal }): Promise<unknown> =>
    abortable(options?.signal, (done) => {
      const timeout = setTimeout(() => done(value), delayMs);
      return () => timeout.close();
    });
  const immediate = (value?: unknown, options?: { signal?: AbortSignal }): Promise<unknown> =>
    abortable(options?.signal, (done) => {
      const handle = setImmediate(() => done(value));
      return () => handle[Symbol.dispose]();
    });
  const interval = (delayMs?: number, value?: unknown, options?: { signal?: AbortSignal }): object =>
    lowered.asyncGenerator(firings(delayMs, value, options?.signal), undefined, "setInterval");
  /**
   * One repeating timer, as Node has it: what fires while the consumer is busy is yielded when it comes back. The body of
   * an async generator, as lowered code has it, so that its promises are those of the engine that runs.
   */
  function* firings(delayMs: unknown, value: unknown, signal: AbortSignal | undefined): Body {
    const aborted = (): boolean => signal?.aborted === true;
    if (aborted()) throw abortError(signal);
    let fired = 0;
    let wake: ((reason?: Promise<never>) => void) | null = null;
    const onFire = (): void => {
      fired++;
      wake?.();
      wake = null;
    };
    // Woken with a rejected promise, as in Node: that takes two ticks more.
    const onAbort = (): void => {
      repeating.close();
      wake?.(Promise.reject(abortError(signal)));
      wake = null;
    };
    const repeating = setInterval(onFire, delayMs);
    signal?.addEventListener("abort", onAbort, { once: true, [resistsStop]: true });
    try {
      while (!aborted()) {
        if (fired === 0) yield lowered.a(new Promise<void>((resolve) => (wake = resolve)));
        for (; fired > 0; fired--) yield lowered.y(value);
      }
      throw abortError(signal);
    } finally {
      repeating.close();
      signal?.removeEventListener("abort", onAbort);
    }
  }
  Object.defineProperty(setTimeout, promisify.custom, { value: sleep });
  Object.defineProperty(setImmediate, promisify.custom, { value: immediate });

  return {
    plain: {
      setTimeout,
      setInterval,
      setImmediate,
      clearTimeout,
      clearInterval,
      clearImmediate,
    },
    promises: {
      setTimeout: sleep,
      setImmediate: immediate,
      setInterval: interval,
      scheduler: {
        wait: (delayMs: number, options?: { signal?: AbortSignal }) => sleep(delayMs, undefined, options),
        yield: () => immediate(),
      },
    },
  };
}

/**
 * Settles through `begin`'s `done`, or rejects with an AbortError and undoes what `begin` began. With a signal it takes
 * as many ticks as in Node, which takes its listener away in a finally().
 */
function abortable(
  signal: AbortSignal | undefined,
  begin: (done: (value: unknown) => void) => () => void,
): Promise<unknown> {
  if (signal?.aborted === true) return Promise.reject(abortError(signal));
  let onAbort = (): void => undefined;
  const begun = new Promise((resolve, reject) => {
    const undo = begin(resolve);
    onAbort = () => {
      undo();
      reject(abortError(signal));
    };
    signal?.addEventListener("abort", onAbort, { [resistsStop]: true });
  });
  if (signal === undefined) return begun;
  return new Promise((resolve, reject) => {
    new Promise((resolve, reject) => begun.then(resolve, reject))
      .finally(() => signal.removeEventListener("abort", onAbort))
      .then(resolve, reject);
  });
}

/** What AsyncLocalStorage held when a timer was armed, it holds when the timer fires. */
function inContext(callback: Callback): Callback {
  const armed = new AsyncResource("microloom timer");
  return function (this: unknown, ...args: never[]): unknown {
    return armed.runInAsyncScope(() => Reflect.apply(callback, this, args));
  };
}

function callbackError(found: unknown): TypeError {
  const error = new TypeError(`The "callback" argument must be of type function. Received ${typeof found}`);
  return Object.assign(error, { code: "ERR_INVALID_ARG_TYPE" });
}

/** Node's own rule: not a number between 1 and 2^31 - 1 means 1; fractions are cut off. */
function clampDelay(delayMs: unknown): number {
  const number = Number(delayMs);
  if (!(number >= 1 && number <= 2_147_483_647)) return 1;
  return Math.trunc(number);
}
