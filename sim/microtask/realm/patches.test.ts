/** One program that uses all of the realm, on both engines: what it notes, and when, is the same. */
import { AsyncResource } from "node:async_hooks";
import { EventEmitter } from "node:events";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { scenario } from "../../scenario.ts";
import { firstCome } from "../../testing/executions.ts";
import { lowered } from "../../testing/lowered.ts";
import { type Program, text } from "./testing/all-of-the-realm.ts";

test("one program notes the same on both engines", async () => {
  const asItIs: Program = Reflect.apply(new Function(text), undefined, []);
  const native = await told(asItIs, "native");
  expect(native).toMatchObject({ violation: null });
  for (const what of ["called back", "stopped", "aborted", "waited", "immediate"]) {
    expect(JSON.stringify(native)).toContain(what);
  }
  const program = lowered<Program>(import.meta.url, text);
  expect(await told(program, "native")).toEqual(native);
  expect(await told(program, "microtask")).toEqual(native);
});

test("what stood there before is there again", async () => {
  const program = lowered<Program>(import.meta.url, text);
  const before = [
    Promise,
    queueMicrotask,
    process.nextTick,
    promisify,
    EventEmitter.once,
    AsyncResource.prototype.bind,
  ];
  await told(program, "microtask");
  const after = [Promise, queueMicrotask, process.nextTick, promisify, EventEmitter.once, AsyncResource.prototype.bind];
  expect(after.map((found, index) => found === before[index])).toEqual(before.map(() => true));
});

async function told(program: Program, engine: "native" | "microtask"): Promise<unknown> {
  const { steps, violation } = await firstCome(
    scenario("all of the realm", (world) => program(world)),
    { engine },
  );
  return { violation, steps: steps.map(({ name, nowMs, notes }) => ({ name, nowMs, notes })) };
}
