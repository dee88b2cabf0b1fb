/** The same timers, fired by hand in the same macrotasks, with native promises and with ours. */
import { describe, expect, test } from "vitest";
import { Delivery, type Timer } from "../../native/delivery.ts";
import { NameTable } from "../../native/name-table.ts";
import { type TimerHost, timerFunctions } from "../../native/timers.ts";
import { onNode } from "../testing/runs.ts";
import { inRealm } from "./testing/in-realm.ts";

/** Timers that fire when the program says so. */
class TimersAtHand implements TimerHost {
  readonly numbered = new Map<string, Timer>();
  readonly promises = timerFunctions(this).promises;
  readonly #names = new NameTable();
  readonly #armed: Timer[] = [];
  #sequence = 0;

  arm(kind: "timer" | "immediate", timer: Timer): Delivery {
    this.#armed.push(timer);
    const family = this.#names.family(this.#names.source("test", "a test"), "timer", "a timer");
    return new Delivery(kind, family, 1, this.#sequence++, null);
  }

  disarm(timer: Timer): void {
    timer.cancelled = true;
  }

  rearm(): void {}

  readonly fire = (): void => {
    for (const timer of this.#armed) {
      if (!timer.cancelled) Reflect.apply(timer.callback, timer.handle, timer.args);
      if (!timer.every) timer.cancelled = true;
    }
  };
}

/** Logs when, in ticks, and with what a promise is settled; `fire` comes in a macrotask of its own. */
const prelude = `
  const { promises, fire } = globalThis.timersAtHand;
  let ticks = 0;
  const count = async () => { for (ticks = 0; ticks < 20;) { await null; ticks++; } };
  const told = (name, promise) => promise.then(
    (value) => L(name + " " + ticks + " " + JSON.stringify(value)),
    (error) => L(name + " " + ticks + " " + [error.name, error.code, error.message, error.cause].join()));
  const next = (act) => later(() => { void count(); act(); });
  const controller = new AbortController(); const { signal } = controller;
`;

const programs: Readonly<Record<string, string>> = {
  "setTimeout() and setImmediate()": `
    told("sleep", promises.setTimeout(5, "slept")); told("now", promises.setImmediate("now"));
    told("wait", promises.scheduler.wait(5)); told("yield", promises.scheduler.yield()); next(fire);`,
  "setTimeout() with a signal": `
    told("sleep", promises.setTimeout(5, "slept", { signal })); told("other", promises.setTimeout(5, 1, { signal: new AbortController().signal }));
    next(() => controller.abort("why")); next(fire); next(() => told("already", promises.setTimeout(5, 2, { signal })));`,
  "setInterval() in a loop that is busy, and leaves": `
    (async () => { let rounds = 0;
      for await (const value of promises.setInterval(5, "v")) { L("got " + value + " " + ticks); await null; if (++rounds === 4) break; }
      L("left " + ticks); })();
    next(fire); next(() => { fire(); fire(); }); next(fire); next(fire);`,
  "setInterval() that is asked before it fires, and returns": `
    const each = promises.setInterval(5, Promise.resolve("v"));
    told("one", each.next()); told("two", each.next()); next(fire); next(fire);
    next(() => told("return", each.return("r"))); next(() => told("after", each.next()));`,
  "setInterval() that is aborted while it waits": `
    const each = promises.setInterval(5, "v", { signal });
    told("one", each.next()); next(() => controller.abort("why")); next(() => told("two", each.next()));`,
  "setInterval() that is aborted while nobody waits": `
    const each = promises.setInterval(5, "v", { signal });
    told("one", each.next()); next(fire); next(() => { fire(); controller.abort("why"); });
    next(() => told("two", each.next())); next(() => told("three", each.next()));
    told("already", promises.setInterval(5, "v", { signal: AbortSignal.abort("before") }).next());`,
  "what they give is what Node's own is": `
    const each = promises.setInterval(5);
    L([Object.prototype.toString.call(each), typeof each[Symbol.asyncIterator], each[Symbol.asyncIterator]() === each].join());
    L([promises.setTimeout(1) instanceof Promise, each.next() instanceof Promise].join());`,
};

describe("timers/promises in an execution", () => {
  test.each(Object.entries(programs))("%s", async (_, program) => {
    const code = `{${prelude}${program}}`;
    Object.assign(globalThis, { timersAtHand: new TimersAtHand() });
    const log = inRealm(code);
    Object.assign(globalThis, { timersAtHand: new TimersAtHand() });
    const native = await onNode(code);
    Reflect.deleteProperty(globalThis, "timersAtHand");
    expect(log.length).toBeGreaterThan(0);
    expect(log).toEqual(native);
  });
});
