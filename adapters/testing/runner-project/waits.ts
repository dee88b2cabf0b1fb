/** Every way in which code under test waits, taken the way that such code takes it: by name, when it is loaded. */
import { EventEmitter, once } from "node:events";
import { createRequire } from "node:module";
import { nextTick } from "node:process";
import timers, { setImmediate as immediateOfTimers, setTimeout as timeoutOfTimers } from "node:timers";
import {
  setInterval as every,
  setImmediate as immediately,
  scheduler,
  setTimeout as sleep,
} from "node:timers/promises";
import { promisify } from "node:util";

const hourMs = 3_600_000;
const require = createRequire(import.meta.url);
const required: typeof timers = require("node:timers");

export const waits: Readonly<Record<string, (done: () => void) => unknown>> = {
  setTimeout: (done) => setTimeout(done, hourMs),
  setInterval(done) {
    const interval = setInterval(() => {
      clearInterval(interval);
      done();
    }, hourMs);
  },
  setImmediate: (done) => setImmediate(done),
  queueMicrotask: (done) => queueMicrotask(done),
  "process.nextTick": (done) => process.nextTick(done),
  "nextTick of node:process": (done) => nextTick(done),
  "timers.setTimeout": (done) => timers.setTimeout(done, hourMs),
  "setTimeout of node:timers": (done) => timeoutOfTimers(done, hourMs),
  "setImmediate of node:timers": (done) => immediateOfTimers(done),
  "setTimeout of require()": (done) => required.setTimeout(done, hourMs),
  "promisify(setTimeout)": (done) => promisify(timeoutOfTimers)(hourMs).then(done),
  "setTimeout of timers/promises": (done) => sleep(hourMs).then(done),
  "setImmediate of timers/promises": (done) => immediately().then(done),
  async "setInterval of timers/promises"(done) {
    for await (const _ of every(hourMs)) break;
    done();
  },
  "scheduler.wait": (done) => scheduler.wait(hourMs).then(done),
  "an aborted sleep"(done) {
    const controller = new AbortController();
    const ended = sleep(hourMs, undefined, { signal: controller.signal }).catch(done);
    controller.abort();
    return ended;
  },
  "AbortSignal.timeout": (done) => AbortSignal.timeout(hourMs).addEventListener("abort", done),
  "AbortSignal.any"(done) {
    const controller = new AbortController();
    AbortSignal.any([controller.signal]).addEventListener("abort", done);
    controller.abort();
  },
  "once of node:events"(done) {
    const emitter = new EventEmitter();
    const heard = once(emitter, "heard").then(done);
    setTimeout(() => emitter.emit("heard"), hourMs);
    return heard;
  },
};
