/**
 * Runs the text of a small program three ways: as it is, on Node; lowered, in an execution of ours; lowered, outside of
 * any. It logs with `L`; `later(callback)` asks for a macrotask; an unhandled rejection is logged as `U:` and its reason.
 */
import type { EventEmitter } from "node:events";
import { compileFunction } from "node:vm";
import { lower } from "../../lowering/lower.ts";
import type { Host } from "../queue.ts";
import { runtime } from "../runtime.ts";

export type Log = readonly string[];

const { microtasks } = runtime;
const { setImmediate } = globalThis;
const emitter: EventEmitter = process;
const parameters = ["L", "later", "Promise", "queueMicrotask", "nextTick"];
const mostMacrotasks = 100;

export function loweredText(code: string): string {
  return lower(code, { file: "program.js", sourceType: "script" }).code;
}

/** Give it a lowered text, and that one runs in ambient mode. */
export async function onNode(code: string): Promise<Log> {
  const log: string[] = [];
  const macrotasks: (() => void)[] = [];
  const program = compileFunction(code, parameters);
  const give = (line: unknown): number => log.push(String(line));
  const later = (callback: () => void): number => macrotasks.push(callback);
  macrotasks.push(() => {
    Reflect.apply(program, undefined, [give, later, Promise, queueMicrotask, process.nextTick]);
  });
  const listening = new Listening((event, value) => log.push(`${event}:${String(value)}`));
  for (let count = 0; count < mostMacrotasks; count++) {
    const next = macrotasks.shift();
    if (next === undefined) break;
    await inMacrotask(next);
  }
  listening.end();
  return log;
}

/** Runs a text that is lowered first, all of it at once. */
export function inExecution(code: string, host: Partial<Host> = {}): Log {
  const log: string[] = [];
  const macrotasks: (() => void)[] = [];
  const program = compileFunction(loweredText(code), parameters);
  const give = (line: unknown): number => log.push(String(line));
  const later = (callback: () => void): number => macrotasks.push(callback);
  const nextTick = (callback: () => void, ...args: readonly unknown[]): void => microtasks.tick(callback, args);
  macrotasks.push(() => {
    Reflect.apply(program, undefined, [give, later, microtasks.Promise, microtasks.microtask, nextTick]);
  });
  const native = globalThis.Promise;
  // As the realm does: classes that were defined before find it there.
  Reflect.set(globalThis, "Promise", microtasks.Promise);
  microtasks.begin({
    ran: () => {},
    enqueued: () => {},
    unhandled: (reason) => log.push(`U:${String(reason)}`),
    uncaught: (error) => log.push(`X:${String(error)}`),
    foreign: () => log.push("foreign"),
    importing: () => log.push("importing"),
    ...host,
  });
  try {
    for (let count = 0; count < mostMacrotasks; count++) {
      const next = macrotasks.shift();
      if (next === undefined) break;
      next();
      microtasks.drain();
    }
  } finally {
    microtasks.end();
    Reflect.set(globalThis, "Promise", native);
  }
  return log;
}

/** All that Node would tell of failures goes to one function, as long as it listens. */
class Listening {
  readonly #found: { readonly event: string; readonly listeners: readonly unknown[] }[] = [];

  constructor(tell: (event: string, value: unknown) => void) {
    this.#listen("unhandledRejection", (reason) => tell("U", reason));
    this.#listen("uncaughtException", (error) => tell("X", error));
    this.#listen("rejectionHandled", () => {});
  }

  end(): void {
    for (const { event, listeners } of this.#found) {
      emitter.removeAllListeners(event);
      for (const listener of listeners) Reflect.apply(emitter.on, emitter, [event, listener]);
    }
  }

  #listen(event: string, listener: (value: unknown) => void): void {
    this.#found.push({ event, listeners: emitter.rawListeners(event) });
    emitter.removeAllListeners(event);
    emitter.on(event, listener);
  }
}

/** The promise is settled in a macrotask after that of the act, whose microtasks are over by then. */
function inMacrotask(act: () => void): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(() => {
      setImmediate(() => setImmediate(resolve));
      act();
    });
  });
}
