/** The timer functions of the virtual realm, in the shapes that Node's own have. */
import { promisify } from "node:util";
import type { Delivery, TimerSlot } from "./delivery.ts";

/** What timers need of the engine. Durations and times in milliseconds. */
export type TimerHost = {
  arm(kind: "timer" | "immediate", delayMs: number, every: boolean): Delivery;
  disarm(timer: Delivery): void;
  rearm(timer: Delivery): void;
};

type Callback = (...args: never[]) => unknown;

/** What setTimeout and setInterval return. */
export class VirtualTimeout {
  readonly #slot: TimerSlot;
  readonly #host: TimerHost;
  readonly #id: number;
  #referenced = true;

  constructor(host: TimerHost, timer: Delivery) {
    this.#host = host;
    this.#slot = { armed: timer };
    this.#id = timer.sequence;
    timer.slot = this.#slot;
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
    this.#host.rearm(this.#slot.armed);
    return this;
  }

  close(): this {
    this.#host.disarm(this.#slot.armed);
    return this;
  }

  [Symbol.toPrimitive](): number {
    return this.#id;
  }

  [Symbol.dispose](): void {
    this.close();
  }
}

/** What setImmediate returns. */
export class VirtualImmediate {
  readonly #host: TimerHost;
  readonly #timer: Delivery;
  #referenced = true;

  constructor(host: TimerHost, timer: Delivery) {
    this.#host = host;
    this.#timer = timer;
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

/** Makes the timer functions of one engine. `byId` finds the timer that a numeric id names. */
export function timerFunctions(host: TimerHost, byId: (id: number) => Delivery | undefined) {
  function start(callback: Callback, delayMs: unknown, every: boolean, args: readonly unknown[]): VirtualTimeout {
    if (typeof callback !== "function") throw callbackError(callback);
    const timer = host.arm("timer", clampDelay(delayMs), every);
    timer.callback = callback;
    timer.args = args;
    return new VirtualTimeout(host, timer);
  }

  function setTimeout(callback: Callback, delayMs?: unknown, ...args: unknown[]): VirtualTimeout {
    return start(callback, delayMs, false, args);
  }

  function setInterval(callback: Callback, delayMs?: unknown, ...args: unknown[]): VirtualTimeout {
    return start(callback, delayMs, true, args);
  }

  function setImmediate(callback: Callback, ...args: unknown[]): VirtualImmediate {
    if (typeof callback !== "function") throw callbackError(callback);
    const timer = host.arm("immediate", 0, false);
    timer.callback = callback;
    timer.args = args;
    return new VirtualImmediate(host, timer);
  }

  function clear(handle: unknown): void {
    if (handle instanceof VirtualTimeout) handle.close();
    else if (handle instanceof VirtualImmediate) handle[Symbol.dispose]();
    else if (typeof handle === "number" || typeof handle === "string") {
      const timer = byId(Number(handle));
      if (timer !== undefined) host.disarm(timer);
    }
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
  async function* interval(
    delayMs?: number,
    value?: unknown,
    options?: { signal?: AbortSignal },
  ): AsyncGenerator<unknown, void> {
    for (;;) {
      await sleep(delayMs, undefined, options);
      yield value;
    }
  }
  Object.defineProperty(setTimeout, promisify.custom, { value: sleep });
  Object.defineProperty(setImmediate, promisify.custom, { value: immediate });

  return {
    plain: {
      setTimeout,
      setInterval,
      setImmediate,
      clearTimeout: clear,
      clearInterval: clear,
      clearImmediate: clear,
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

/** Settles through `begin`'s `done`, or rejects with an AbortError and undoes what `begin` began. */
function abortable(
  signal: AbortSignal | undefined,
  begin: (done: (value: unknown) => void) => () => void,
): Promise<unknown> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted === true) {
      reject(abortError(signal));
      return;
    }
    const onAbort = (): void => {
      undo();
      if (signal !== undefined) reject(abortError(signal));
    };
    const undo = begin((value) => {
      signal?.removeEventListener("abort", onAbort);
      resolve(value);
    });
    signal?.addEventListener("abort", onAbort, { once: true });
  });
}

function abortError(signal: AbortSignal): Error {
  const error = new Error("The operation was aborted", { cause: signal.reason });
  error.name = "AbortError";
  return Object.assign(error, { code: "ABORT_ERR" });
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
