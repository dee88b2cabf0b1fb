/** events.on() of node:events: an async iterator of Node's own, whose promises are ours here. */
import { abortError } from "../../native/abort-error.ts";
import { resistsStop } from "../../native/event-internals.ts";
import { type Bag, isCallable, isObject } from "../shapes.ts";
import { checkedSignal, type Flags, type Listener, listen, unlisten } from "./listening.ts";

const asyncIteratorPrototype: object = Object.getPrototypeOf(
  Object.getPrototypeOf(Object.getPrototypeOf(async function* () {}).prototype),
);
/** Given by Node itself where it wants the first argument of an event instead of all of them. */
const firstArgument = "kFirstEventParam";

type Asked = { readonly resolve: (result: unknown) => void; readonly reject: (error: unknown) => void };
type Heard = { readonly emitter: Bag; readonly event: unknown; readonly listener: Listener; readonly flags: Flags };

export function on(emitter: Bag, event: unknown, options?: unknown): object {
  const signal = checkedSignal(options);
  const events = new Events(emitter, isObject(options) ? options : {});
  events.listen(emitter, event, takesFirst(options) ? (value) => events.came(value) : (...args) => events.came(args));
  if (event !== "error" && isCallable(emitter.on)) events.listen(emitter, "error", (error) => events.failed(error));
  for (const closing of closingEvents(options)) events.listen(emitter, closing, () => events.close());
  if (signal !== null) {
    const onAbort = (): void => events.failed(abortError(signal));
    events.listen(signal, "abort", onAbort, { once: true, [resistsStop]: true });
  }
  return Object.setPrototypeOf(iteratorOf(events), asyncIteratorPrototype);
}

class Events {
  readonly #emitter: Bag;
  readonly #low: number;
  readonly #high: number;
  readonly #heard: Heard[] = [];
  readonly #unread: unknown[] = [];
  readonly #asked: Asked[] = [];
  #paused = false;
  #error: unknown = null;
  #finished = false;

  constructor(emitter: Bag, options: Bag) {
    this.#emitter = emitter;
    this.#high = Number(options.highWaterMark ?? options.highWatermark ?? Number.MAX_SAFE_INTEGER);
    this.#low = Number(options.lowWaterMark ?? options.lowWatermark ?? 1);
  }

  listen(emitter: Bag, event: unknown, listener: Listener, flags: Flags = {}): void {
    listen(emitter, event, listener, flags);
    this.#heard.push({ emitter, event, listener, flags });
  }

  came(value: unknown): void {
    const first = this.#asked.shift();
    if (first !== undefined) {
      first.resolve({ value, done: false });
      return;
    }
    this.#unread.push(value);
    if (this.#paused || this.#unread.length <= this.#high) return;
    this.#paused = true;
    this.#tell("pause");
  }

  failed(error: unknown): void {
    const first = this.#asked.shift();
    if (first === undefined) this.#error = error;
    else first.reject(error);
    this.close();
  }

  next(): Promise<unknown> {
    if (this.#unread.length > 0) return Promise.resolve({ value: this.#read(), done: false });
    if (this.#error) {
      const failed = Promise.reject(this.#error);
      // Only once.
      this.#error = null;
      return failed;
    }
    if (this.#finished) return this.close();
    return new Promise((resolve, reject) => this.#asked.push({ resolve, reject }));
  }

  close(): Promise<unknown> {
    for (const { emitter, event, listener, flags } of this.#heard.splice(0)) unlisten(emitter, event, listener, flags);
    this.#finished = true;
    const result = { value: undefined, done: true };
    for (const { resolve } of this.#asked.splice(0)) resolve(result);
    return Promise.resolve(result);
  }

  #read(): unknown {
    const value = this.#unread.shift();
    if (this.#paused && this.#unread.length < this.#low) {
      this.#tell("resume");
      this.#paused = false;
    }
    return value;
  }

  #tell(method: "pause" | "resume"): void {
    const tell = this.#emitter[method];
    if (!isCallable(tell)) throw new TypeError(`emitter.${method} is not a function`);
    Reflect.apply(tell, this.#emitter, []);
  }
}

function iteratorOf(events: Events): object {
  return {
    next: () => events.next(),
    return: () => events.close(),
    throw(error: unknown): void {
      if (!(error instanceof Error)) throw notAnError(error);
      events.failed(error);
    },
    [Symbol.asyncIterator](): unknown {
      return this;
    },
  };
}

function takesFirst(options: unknown): boolean {
  if (!isObject(options)) return false;
  return Object.getOwnPropertySymbols(options).some(({ description }) => description === firstArgument);
}

function closingEvents(options: unknown): readonly unknown[] {
  const close = isObject(options) ? options.close : undefined;
  return Array.isArray(close) ? close : [];
}

function notAnError(found: unknown): TypeError {
  const text = `The "EventEmitter.AsyncIterator" property must be an instance of Error. Received ${typeof found}`;
  return Object.assign(new TypeError(text), { code: "ERR_INVALID_ARG_TYPE" });
}
