import { addAbortListener, EventEmitter, on, once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { aborted } from "node:util";
import { describe, expect, test } from "vitest";
import type { Execution } from "../execution.ts";
import { type Scenario, scenario, type World } from "../scenario.ts";
import { search } from "../search.ts";
import { firstCome } from "../testing/executions.ts";
import { VirtualAbortController, VirtualAbortSignal } from "./abort.ts";

// What a module that was loaded before the batch holds.
const NodeAbortController = AbortController;
const NodeAbortSignal = AbortSignal;
const NodeEventTarget = EventTarget;
const outside = new AbortController();

function run(body: (world: World) => unknown): Promise<Execution> {
  return firstCome(scenario("aborts", body));
}

/** The notes of the first-come schedule, as text. */
async function notes(body: (world: World) => unknown): Promise<string[]> {
  const { steps, violation } = await run((world) => world.actor("a", () => body(world)));
  expect(violation).toBeNull();
  return steps.flatMap((step) => step.notes.map(({ event, data }) => `${event} ${JSON.stringify(data)}`));
}

const described = (reason: unknown): unknown =>
  reason instanceof Error ? [reason.name, reason.message, Reflect.get(reason, "code")] : reason;

describe("in the realm", () => {
  test("AbortController, AbortSignal and EventTarget are the virtual ones, and Node's come back", async () => {
    const seen: unknown[] = [];
    await run(() => {
      const controller = new AbortController();
      seen.push(controller instanceof VirtualAbortController, controller.signal.constructor === AbortSignal);
      const { signal } = controller;
      seen.push(controller.signal === signal, AbortSignal.abort() instanceof VirtualAbortSignal);
      seen.push(NodeAbortSignal.any([]).constructor === VirtualAbortSignal);
    });
    expect(seen).toEqual([true, true, true, true, true]);
    expect([AbortController, AbortSignal, EventTarget]).toEqual([
      NodeAbortController,
      NodeAbortSignal,
      NodeEventTarget,
    ]);
    expect(NodeAbortSignal.any([]).constructor).toBe(NodeAbortSignal);
  });

  test("instanceof holds across both kinds of signal", async () => {
    const seen: unknown[] = [];
    await run(() => {
      const { signal } = new AbortController();
      seen.push(
        outside.signal instanceof AbortSignal,
        signal instanceof NodeAbortSignal,
        signal instanceof EventTarget,
      );
      seen.push(
        signal instanceof NodeEventTarget,
        outside instanceof AbortController,
        signal instanceof AbortController,
      );
      seen.push({} instanceof AbortSignal, new EventTarget() instanceof AbortSignal);
      seen.push(Object.prototype.toString.call(signal), AbortSignal.name, AbortController.name);
    });
    expect(seen).toEqual([
      ...[true, true, true, true, true, false, false, false],
      ...["[object AbortSignal]", "AbortSignal", "AbortController"],
    ]);
  });

  test("abort reasons are those of Node", async () => {
    const seen: unknown[] = [];
    await run(() => {
      const controller = new AbortController();
      const follower = AbortSignal.any([controller.signal]);
      controller.signal.throwIfAborted();
      controller.abort();
      const { reason } = controller.signal;
      seen.push(described(reason), reason instanceof DOMException, follower.reason === reason);
      seen.push(described(AbortSignal.abort().reason), AbortSignal.abort(null).reason);
      try {
        follower.throwIfAborted();
      } catch (error) {
        seen.push(error === reason);
      }
      try {
        Reflect.construct(AbortSignal, []);
      } catch (error) {
        seen.push(described(error));
      }
    });
    const byDefault = ["AbortError", "This operation was aborted", 20];
    expect(seen).toEqual([
      ...[byDefault, true, true, byDefault, null, true],
      ["TypeError", "Illegal constructor", "ERR_ILLEGAL_CONSTRUCTOR"],
    ]);
  });

  test("a stack that is kept tells who aborted, not who asked for the reason", () => {
    const controller = new VirtualAbortController();
    const abortHere = (): void => controller.abort();
    abortHere();
    const { reason } = controller.signal;
    expect(reason instanceof DOMException && reason.stack).toMatch(/abortHere/);
  });

  test("AbortSignal.timeout() aborts on virtual time with a TimeoutError, whoever holds the class", async () => {
    const told = await notes(async (world) => {
      for (const { timeout } of [AbortSignal, NodeAbortSignal]) {
        const signal = timeout(5_000);
        await new Promise((resolve) => signal.addEventListener("abort", resolve));
        world.note("aborted", [world.nowMs, described(signal.reason)]);
      }
      for (const wrong of [-1, 1.5, 2 ** 32]) {
        expect(() => AbortSignal.timeout(wrong)).toThrow(RangeError);
      }
    });
    const timedOut = ["TimeoutError", "The operation was aborted due to timeout", 23];
    expect(told).toEqual([
      `aborted ${JSON.stringify([5_000, timedOut])}`,
      `aborted ${JSON.stringify([10_000, timedOut])}`,
    ]);
  });

  const throwing: [string, () => object | (() => never)][] = [
    ["a listener that throws", () => boom],
    ["a listener object that throws", () => ({ handleEvent: boom })],
    ["a listener that rejects", () => async () => boom()],
  ];
  test.each(throwing)("%s is an uncaught error, and the others still hear", async (_, listener) => {
    let heard = false;
    const { violation } = await run((world) => {
      const controller = new AbortController();
      Reflect.apply(controller.signal.addEventListener, controller.signal, ["abort", listener()]);
      controller.signal.addEventListener("abort", () => {
        heard = true;
      });
      world.events("u", [["stop", () => controller.abort()]]);
    });
    expect(violation).toMatchObject({
      kind: "error",
      name: "uncaught error",
      detail: "TypeError: boom",
      at: "u:stop#1",
    });
    expect(heard).toBe(true);
  });

  test("node:events, node:util and node:timers/promises take a virtual signal", async () => {
    const told = await notes(async (world) => {
      const controller = new AbortController();
      const { signal } = controller;
      const emitter = new EventEmitter();
      const names = (promise: Promise<unknown>): Promise<unknown> => promise.catch((error: Error) => error.name);
      const waiting = [
        names(once(emitter, "never", { signal })),
        names(on(emitter, "never", { signal }).next()),
        names(sleep(1_000, null, { signal })),
        aborted(signal, {}).then(() => "aborted"),
      ];
      const heard: string[] = [];
      addAbortListener(signal, (event) => heard.push(event.type));
      addAbortListener(signal, () => heard.push("disposed"))[Symbol.dispose]();
      signal.addEventListener("abort", (event) => event.stopImmediatePropagation());
      const target = new EventTarget();
      target.addEventListener("x", () => heard.push("x"), { signal });
      target.dispatchEvent(new Event("x"));
      controller.abort();
      target.dispatchEvent(new Event("x"));
      world.note("ended", [await Promise.all(waiting), heard]);
    });
    expect(told).toEqual(['ended [["AbortError","AbortError","AbortError","aborted"],["x","abort"]]']);
  });

  test("any() follows signals of both kinds, after the listeners of the source", async () => {
    const seen: unknown[] = [];
    await run(() => {
      const early = new NodeAbortController();
      const late = new AbortController();
      const both = AbortSignal.any([late.signal, early.signal]);
      const nested = AbortSignal.any([both, AbortSignal.any([])]);
      const other = AbortSignal.any([late.signal]);
      nested.addEventListener("abort", () => seen.push("nested"));
      both.addEventListener("abort", () => seen.push("both"));
      early.signal.addEventListener("abort", () => seen.push("early"));
      other.addEventListener("abort", () => seen.push("other"));
      early.abort("enough");
      seen.push(both.reason, nested.reason, other.aborted, AbortSignal.any([both]).reason);
      late.abort();
    });
    expect(seen).toEqual(["early", "both", "nested", "enough", "enough", false, "enough", "other"]);
  });
});

describe("from one execution to the next", () => {
  test("what followed a signal from outside is forgotten, and its listeners do not add up", async () => {
    const long = new NodeAbortController();
    let added = 0;
    const { addEventListener } = NodeEventTarget.prototype;
    long.signal.addEventListener = (...args: unknown[]): void => {
      added++;
      Reflect.apply(addEventListener, long.signal, args);
    };
    const heard: number[] = [];
    let execution = 0;
    const following: Scenario = scenario("follows", (world) => {
      const number = ++execution;
      const signal = AbortSignal.any([long.signal, new AbortController().signal]);
      signal.addEventListener("abort", () => heard.push(number));
      world.always("not aborted", () => !signal.aborted);
    });
    expect((await search(following, { strategy: "random", executions: 30 })).outcome).toBe("held");
    long.abort();
    expect([added, heard]).toEqual([0, []]);
  });

  test("a signal that is aborted outside is aborted inside", async () => {
    const before = new NodeAbortController();
    before.abort("before");
    let reason: unknown;
    await run(() => {
      reason = AbortSignal.any([new AbortController().signal, before.signal]).reason;
    });
    expect(reason).toBe("before");
  });
});

function boom(): never {
  throw new TypeError("boom");
}
