/**
 * The virtual realm: what code under test sees of time and chance while a batch runs. Installed at the start of a
 * batch, taken away at its end; what was found is restored exactly, property descriptors and all.
 */
import type { EventEmitter } from "node:events";
import { createRequire, syncBuiltinESMExports } from "node:module";
import { aborted } from "node:util";
import { VirtualAbortController, VirtualAbortSignal } from "./abort.ts";
import {
  heldBy,
  NodeAbortController,
  NodeAbortSignal,
  nodeTimeout,
  resistsStop,
  understood,
} from "./event-internals.ts";
import { VirtualEventTarget } from "./event-target.ts";
import { forgetFollowers } from "./foreign-signal.ts";
import type { TimerFunctions } from "./timers.ts";

/** Virtual time 0, as Date tells it: 2020-01-01T00:00:00Z. */
export const epochMs = 1_577_836_800_000;

/** What the realm needs of the engine. */
export type RealmHost = {
  /** Virtual time in milliseconds; every read is counted, because a loop on a frozen clock never ends. */
  readClock(): number;
  /** A number in [0, 1) from the execution's own stream. */
  random(): number;
  /** Told before a callback of queueMicrotask runs: the promise hooks do not see it. */
  jobRan(): void;
  /** Runs a nextTick callback; errors go to the execution. */
  runTick(execution: number, callback: (...args: unknown[]) => unknown, args: readonly unknown[]): void;
  readonly execution: number;
  unhandled(reason: unknown): void;
  uncaught(error: unknown): void;
};

const require = createRequire(import.meta.url);
const timersModule: object = require("node:timers");
const timersPromises: object = require("node:timers/promises");
// Taken now: the binding follows the module, which the realm changes.
const nodeAborted = aborted;
const utilModule: object = require("node:util");
const RealDate = Date;
const emitter: EventEmitter = process;
const realNextTick = process.nextTick.bind(process);
const realQueueMicrotask = queueMicrotask;

type Patch = { readonly target: object; readonly key: PropertyKey; readonly value: unknown };
type Found = {
  readonly target: object;
  readonly key: PropertyKey;
  readonly descriptor: PropertyDescriptor | undefined;
};
type ProcessEvent = "unhandledRejection" | "uncaughtException";

export class Realm {
  readonly #patches: readonly Patch[];
  readonly #host: RealmHost;
  #found: Found[] = [];
  #listeners: { event: ProcessEvent; listeners: readonly unknown[] }[] = [];
  readonly #onUnhandled = (reason: unknown): void => this.#host.unhandled(reason);
  readonly #onUncaught = (error: unknown): void => this.#host.uncaught(error);

  constructor(host: RealmHost, timers: TimerFunctions) {
    this.#host = host;
    this.#patches = [
      ...patchesOf(globalThis, timers.plain),
      ...patchesOf(timersModule, timers.plain),
      ...patchesOf(timersPromises, timers.promises),
      { target: globalThis, key: "Date", value: virtualDate(host) },
      { target: performance, key: "now", value: () => host.readClock() },
      { target: Math, key: "random", value: () => host.random() },
      { target: process, key: "nextTick", value: virtualNextTick(host) },
      { target: process, key: "exit", value: refusedExit(host) },
      { target: globalThis, key: "queueMicrotask", value: virtualQueueMicrotask(host) },
      ...eventPatches(timers),
      // Stacks are more than a third of the time of a search; the failing schedule runs again with them.
      { target: Error, key: "stackTraceLimit", value: 0 },
    ];
  }

  enter(): void {
    for (const { target, key, value } of this.#patches) {
      const descriptor = Object.getOwnPropertyDescriptor(target, key);
      this.#found.push({ target, key, descriptor });
      const enumerable = descriptor?.enumerable ?? true;
      Object.defineProperty(target, key, { value, writable: true, configurable: true, enumerable });
    }
    syncBuiltinESMExports();
    this.#takeOver("unhandledRejection", this.#onUnhandled);
    this.#takeOver("uncaughtException", this.#onUncaught);
  }

  leave(): void {
    forgetFollowers();
    for (const { target, key, descriptor } of this.#found.reverse()) {
      if (descriptor === undefined) Reflect.deleteProperty(target, key);
      else Object.defineProperty(target, key, descriptor);
    }
    this.#found = [];
    syncBuiltinESMExports();
    for (const { event, listeners } of this.#listeners) {
      emitter.removeAllListeners(event);
      // Reflect.apply, because rawListeners promises no more than a Function; a once-wrapper is put back as it was.
      for (const listener of listeners) Reflect.apply(emitter.on, emitter, [event, listener]);
    }
    this.#listeners = [];
  }

  #takeOver(event: ProcessEvent, listener: (reason: unknown) => void): void {
    this.#listeners.push({ event, listeners: emitter.rawListeners(event) });
    emitter.removeAllListeners(event);
    emitter.on(event, listener);
  }
}

function patchesOf(target: object, values: object): Patch[] {
  return Object.entries(values).map(([key, value]) => ({ target, key, value }));
}

function virtualDate(host: RealmHost): unknown {
  function VirtualDate(this: unknown, ...args: unknown[]): unknown {
    const now = epochMs + host.readClock();
    if (new.target === undefined) return new RealDate(now).toString();
    return Reflect.construct(RealDate, args.length === 0 ? [now] : args, new.target);
  }
  Object.setPrototypeOf(VirtualDate, RealDate);
  Object.defineProperty(VirtualDate, "name", { value: "Date" });
  Object.defineProperty(VirtualDate, "length", { value: RealDate.length });
  Object.defineProperty(VirtualDate, "prototype", { value: RealDate.prototype, writable: false });
  Object.defineProperty(VirtualDate, "now", {
    value: () => epochMs + host.readClock(),
    writable: true,
    configurable: true,
  });
  return VirtualDate;
}

/**
 * An error in a nextTick callback belongs to the execution, and a callback of an execution that has ended must not run:
 * an endless chain of them would otherwise outlive its termination.
 */
function virtualNextTick(host: RealmHost): unknown {
  return function nextTick(callback: (...args: unknown[]) => unknown, ...args: unknown[]): void {
    if (typeof callback !== "function") realNextTick(callback);
    else realNextTick(runTick, host, host.execution, callback, args);
  };
}

function virtualQueueMicrotask(host: RealmHost): unknown {
  return function queueMicrotask(callback: () => unknown): void {
    if (typeof callback !== "function") realQueueMicrotask(callback);
    realQueueMicrotask(() => {
      host.jobRan();
      callback();
    });
  };
}

function runTick(
  host: RealmHost,
  execution: number,
  callback: (...args: unknown[]) => unknown,
  args: readonly unknown[],
): void {
  host.runTick(execution, callback, args);
}

/**
 * Our classes of events and abort signals. The methods of Node's AbortSignal are replaced too, for who took hold of the
 * class before.
 */
function eventPatches(timers: TimerFunctions): Patch[] {
  const timeout = (ms: unknown): unknown => timeoutSignal(timers, ms);
  if (!understood) return [{ target: NodeAbortSignal, key: "timeout", value: timeout }];
  return [
    { target: globalThis, key: "EventTarget", value: VirtualEventTarget },
    { target: globalThis, key: "AbortController", value: VirtualAbortController },
    { target: globalThis, key: "AbortSignal", value: VirtualAbortSignal },
    { target: NodeAbortSignal, key: "timeout", value: timeout },
    { target: NodeAbortSignal, key: "abort", value: VirtualAbortSignal.abort },
    { target: NodeAbortSignal, key: "any", value: VirtualAbortSignal.any },
    { target: utilModule, key: "aborted", value: virtualAborted },
  ];
}

function timeoutSignal(timers: TimerFunctions, ms: unknown): AbortSignal | VirtualAbortSignal {
  // Node's own throws what this Node throws.
  if (!(Number.isInteger(ms) && Number(ms) >= 0 && Number(ms) <= 0xffff_ffff))
    Reflect.apply(nodeTimeout, NodeAbortSignal, [ms]);
  const controller = understood ? new VirtualAbortController() : new NodeAbortController();
  timers.plain.setTimeout(() => {
    controller.abort(new DOMException("The operation was aborted due to timeout", "TimeoutError"));
  }, ms);
  return controller.signal;
}

/** Code under test that ends the process would end the search, and look like a pass. */
function refusedExit(host: RealmHost): unknown {
  return function exit(code?: unknown): never {
    const error = new Error(`process.exit(${code === undefined ? "" : String(code)}) was called`);
    host.uncaught(error);
    throw error;
  };
}

/** util.aborted() of node:util: newer versions take no signal but their own. */
async function virtualAborted(signal: unknown, resource: unknown): Promise<unknown> {
  if (!(signal instanceof VirtualAbortSignal) || typeof resource !== "object" || resource === null) {
    return Reflect.apply(nodeAborted, undefined, [signal, resource]);
  }
  if (signal.aborted) return undefined;
  return new Promise((resolve) => {
    signal.addEventListener("abort", resolve, { [heldBy]: resource, once: true, [resistsStop]: true });
  });
}
