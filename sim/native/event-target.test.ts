import events, { EventEmitter, getEventListeners, on, once } from "node:events";
import { expect, test } from "vitest";
import { VirtualAbortController } from "./abort.ts";
import { VirtualEventTarget } from "./event-target.ts";

const nothing = (): void => undefined;

test("dispatchEvent() gives Node's own event its target and its phase, and takes them back", () => {
  const target = new VirtualEventTarget();
  const event = new CustomEvent("go", { detail: 5, cancelable: true });
  const seen: unknown[] = [];
  target.addEventListener("go", function (this: unknown, heard: CustomEvent) {
    seen.push(this === target, heard === event, heard.target === target, heard.currentTarget === target);
    seen.push(heard.eventPhase, heard.detail, heard.composedPath()[0] === target);
    heard.preventDefault();
  });
  expect(target.dispatchEvent(event)).toBe(false);
  expect(seen).toEqual([true, true, true, true, 2, 5, true]);
  expect([event.target, event.currentTarget, event.eventPhase]).toEqual([target, null, 0]);
});

test("VirtualEventTarget is an EventTarget for who asks Node's class, and the other way round", () => {
  class Subclass extends VirtualEventTarget {}
  expect(new VirtualEventTarget() instanceof EventTarget).toBe(true);
  expect(Reflect.apply(Function.prototype[Symbol.hasInstance], EventTarget, [new Subclass()])).toBe(true);
  expect(new EventTarget() instanceof VirtualEventTarget).toBe(true);
  expect(new Subclass() instanceof Subclass).toBe(true);
  expect(new VirtualEventTarget() instanceof Subclass).toBe(false);
  expect(Object.create(null) instanceof VirtualEventTarget).toBe(false);
  expect([VirtualEventTarget.name, Object.prototype.toString.call(new VirtualEventTarget())]).toEqual([
    "EventTarget",
    "[object EventTarget]",
  ]);
});

test("VirtualEventTarget keeps nothing until somebody listens, and shows no key", () => {
  const target = new VirtualEventTarget();
  expect(target.dispatchEvent(new Event("x"))).toBe(true);
  const held = Object.getOwnPropertySymbols(target).map((key) => Reflect.get(target, key));
  expect([
    held.filter((value) => value !== null && typeof value === "object" && !(value instanceof EventTarget)),
  ]).toEqual([[]]);
  expect([Object.keys(target), JSON.stringify(target)]).toEqual([[], "{}"]);
});

test("addEventListener() and dispatchEvent() refuse what Node refuses", () => {
  const target = new VirtualEventTarget();
  const code = (work: () => unknown): unknown => {
    try {
      return work();
    } catch (error) {
      return error instanceof TypeError || error instanceof Error ? Reflect.get(error, "code") : error;
    }
  };
  target.addEventListener("again", (event: Event) => target.dispatchEvent(event));
  expect(code(() => target.addEventListener("x", "no listener"))).toBe("ERR_INVALID_ARG_TYPE");
  expect(code(() => target.addEventListener("x", nothing, 7))).toBe("ERR_INVALID_ARG_TYPE");
  expect(code(() => target.addEventListener("x", nothing, { signal: {} }))).toBe("ERR_INVALID_ARG_TYPE");
  expect(code(() => target.removeEventListener("x", 7))).toBe("ERR_INVALID_ARG_TYPE");
  expect(code(() => target.dispatchEvent({ type: "x" }))).toBe("ERR_INVALID_ARG_TYPE");
  expect(code(() => Reflect.apply(target.addEventListener, {}, ["x", nothing]))).toBe("ERR_INVALID_THIS");
  expect(() => target.addEventListener(Symbol("x"), nothing)).toThrow(TypeError);
});

test("a method of VirtualEventTarget works on a target that Node made", () => {
  const target = new EventTarget();
  let heard = 0;
  const listener = (): void => {
    heard++;
  };
  Reflect.apply(VirtualEventTarget.prototype.addEventListener, target, ["x", listener]);
  expect(Reflect.apply(VirtualEventTarget.prototype.dispatchEvent, target, [new Event("x")])).toBe(true);
  Reflect.apply(VirtualEventTarget.prototype.removeEventListener, target, ["x", listener]);
  target.dispatchEvent(new Event("x"));
  expect(heard).toBe(1);
});

test("once(), on() and getEventListeners() of node:events take a VirtualEventTarget", async () => {
  const target = new VirtualEventTarget();
  const first = Reflect.apply(once, undefined, [target, "go"]);
  const iterator: AsyncIterator<unknown> = Reflect.apply(on, undefined, [target, "go"]);
  expect(Reflect.apply(getEventListeners, undefined, [target, "go"])).toHaveLength(2);
  const event = new Event("go");
  target.dispatchEvent(event);
  expect(await first).toEqual([event]);
  expect((await iterator.next()).value).toEqual([event]);
  await iterator.return?.();
  expect(Reflect.apply(getEventListeners, undefined, [target, "go"])).toEqual([]);
  expect(() => Reflect.apply(EventEmitter.setMaxListeners, EventEmitter, [20, target])).not.toThrow();
});

test("addEventListener() looks for `passive`, behind which feature detection hides", () => {
  let asked = 0;
  const options = {
    get passive(): boolean {
      asked++;
      return true;
    },
  };
  new VirtualEventTarget().addEventListener("x", nothing, options);
  expect(asked).toBe(1);
});

test("getMaxListeners() of node:events counts for ours as for Node's", () => {
  expect(events.getMaxListeners(new VirtualEventTarget())).toBe(events.getMaxListeners(new EventTarget()));
  const signal = new VirtualAbortController().signal;
  expect(Reflect.apply(events.getMaxListeners, events, [signal])).toBe(
    events.getMaxListeners(new AbortController().signal),
  );
});
