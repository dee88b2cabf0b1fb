import { EventEmitter } from "node:events";
import { describe, expect, test } from "vitest";
import { asItIs, inRealm } from "./testing/in-realm.ts";

/** Logs when, in ticks, a promise is settled, and with what. */
const prelude = `
  const emitter = new EventEmitter();
  let tick = 0;
  (async () => { while (tick < 30) { await null; tick++; } })();
  const told = (name, promise) => promise.then(
    (value) => L(name + " " + tick + " " + JSON.stringify(value)),
    (error) => L(name + " " + tick + " " + [error.name, error.code, error.message, error.cause].join()));
  const listeners = () => L(emitter.eventNames().map((name) => name.toString() + " " + emitter.listenerCount(name)).join());
`;

const programs: Readonly<Record<string, string>> = {
  "once() has the arguments of the first event": `
    told("once", once(emitter, "go")); told("static", EventEmitter.once(emitter, "go")); listeners();
    emitter.emit("go", 1, 2); emitter.emit("go", 3); listeners();`,
  "once() rejects with an error, and waits for one": `
    told("rejects", once(emitter, "go")); told("waits", once(emitter, "error"));
    emitter.emit("error", new Error("lost")); listeners();`,
  "once() gives up when its signal is aborted": `
    const controller = new AbortController();
    told("signal", once(emitter, "go", { signal: controller.signal }));
    controller.abort("why"); emitter.emit("go"); listeners();
    told("aborted already", once(emitter, "go", { signal: controller.signal })); listeners();`,
  "once() takes its listener from the signal": `
    const controller = new AbortController();
    told("signal", once(emitter, "go", { signal: controller.signal }));
    emitter.emit("go", 1); controller.abort(); listeners();`,
  "once() listens to an event target": `
    const target = new EventTarget();
    told("target", once(target, "go").then(([event]) => event.type));
    target.dispatchEvent(new Event("go"));`,
  "once() refuses what nobody can listen to": `
    told("signal", once(emitter, "go", { signal: 1 })); told("emitter", once({}, "go"));
    told("null", once(emitter, "go", { signal: null }));`,
  "on() gives what came before it was asked, and what comes after": `
    const events = on(emitter, "go"); listeners();
    emitter.emit("go", 1); emitter.emit("go", 2, 3);
    told("first", events.next()); told("second", events.next()); told("third", events.next()); told("fourth", events.next());
    emitter.emit("go", 4); told("return", events.return()); listeners();
    emitter.emit("go", 5); told("after", events.next()); L(events[Symbol.asyncIterator]() === events);`,
  "on() in a loop": `
    (async () => { for await (const [value] of EventEmitter.on(emitter, "go")) { L(tick + " " + value); if (value === 3) break; } listeners(); })();
    (async () => { for (const value of [1, 2, 3, 4]) { emitter.emit("go", value); await null; } })();`,
  "on() ends with an error, once": `
    const events = on(emitter, "go");
    emitter.emit("go", 1); emitter.emit("error", new Error("lost")); listeners();
    told("first", events.next()); told("second", events.next()); told("third", events.next());
    const others = on(emitter, "go"); told("asked", others.next()); told("asked, too", others.next());
    others.throw(new Error("thrown")); listeners();
    try { others.throw(1); } catch (error) { L(error.code); }`,
  "on() ends with its signal, or with an event": `
    const controller = new AbortController();
    const events = on(emitter, "go", { signal: controller.signal, close: ["end", "close"] }); listeners();
    told("first", events.next()); controller.abort("why"); told("second", events.next()); listeners();
    const others = on(emitter, "go", { close: ["end"] }); told("other", others.next()); emitter.emit("end"); listeners();
    try { on(emitter, "go", { signal: controller.signal }); } catch (error) { L([error.name, error.cause].join()); }
    try { on(emitter, "go", { signal: 1 }); } catch (error) { L(error.message); }
    try { on({}, "go"); } catch (error) { L(error.message); }
    try { on(emitter, "go", { highWaterMark: 0 }); } catch (error) { L(error.message); }`,
  "on() pauses who is too fast": `
    emitter.pause = () => L("pause"); emitter.resume = () => L("resume");
    const events = on(emitter, "go", { highWaterMark: 2, lowWaterMark: 2 });
    for (const value of [1, 2, 3, 4]) emitter.emit("go", value);
    for (const name of "abcd") told(name, events.next());`,
  "on() listens to an event target": `
    const target = new EventTarget();
    const events = on(target, "go");
    target.dispatchEvent(new Event("go")); told("target", events.next().then(({ value: [event] }) => event.type));`,
  "aborted() waits for the signal": `
    const controller = new AbortController();
    told("waits", aborted(controller.signal, {}).then(() => "aborted"));
    controller.abort(); told("already", aborted(controller.signal, {}).then(() => "aborted"));`,
};

describe("events.once() and events.on() in an execution", () => {
  test.each(Object.entries(programs))("%s", async (_, program) => {
    const code = `{${prelude}${program}}`;
    const log = inRealm(code);
    expect(log.length).toBeGreaterThan(0);
    expect(log).toEqual(await asItIs(code));
  });

  test("their promises are ours", () => {
    const code = `const emitter = new EventEmitter();
      L(once(emitter, "go") instanceof Promise); L(on(emitter, "go").next() instanceof Promise);
      L(aborted(AbortSignal.abort(), {}) instanceof Promise);`;
    expect(inRealm(code)).toEqual(["true", "true", "true"]);
  });

  test("Node's own functions are back after the realm", () => {
    const { once, on } = EventEmitter;
    inRealm("L(1)");
    expect([EventEmitter.once, EventEmitter.on]).toEqual([once, on]);
  });
});
