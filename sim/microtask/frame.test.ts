import { expect, test } from "vitest";
import type { Frame } from "./frame.ts";
import { runtime } from "./runtime.ts";
import { inExecution } from "./testing/runs.ts";

const { currentFrame, enterFrame } = runtime.microtasks;

/** Programs call `as(name, act)` to act in a frame, and `who()` to ask which one they are in. */
function framed(source: string): readonly string[] {
  const as = (name: string, act: () => unknown): unknown => {
    const frame: Frame = { owner: name, stores: null };
    const before = enterFrame(frame);
    try {
      return act();
    } finally {
      enterFrame(before);
    }
  };
  Reflect.set(globalThis, "as", as);
  Reflect.set(globalThis, "who", () => String(currentFrame()?.owner ?? "nobody"));
  try {
    return inExecution(source);
  } finally {
    Reflect.deleteProperty(globalThis, "as");
    Reflect.deleteProperty(globalThis, "who");
  }
}

test.each([
  [
    "an await",
    `as("a", async () => { await null; L(who()); await Promise.resolve(); L(who()); }); as("b", async () => { await null; L(who()); });`,
    ["a", "b", "a"],
  ],
  [
    "then()",
    `const p = Promise.resolve(); as("a", () => p.then(() => { L(who()); }).then(() => L(who()))); p.then(() => L(who()));`,
    ["a", "nobody", "a"],
  ],
  [
    "then() on a promise that another settles",
    `let go; const p = new Promise((r) => { go = r; }); as("a", () => p.then(() => L(who()))); as("b", () => go());`,
    ["a"],
  ],
  [
    "an await of what another settles",
    `let go; const p = new Promise((r) => { go = r; }); as("a", async () => { await p; L(who()); }); as("b", () => go());`,
    ["a"],
  ],
  ["queueMicrotask()", `as("a", () => queueMicrotask(() => L(who())));`, ["a"]],
  ["nextTick()", `as("a", () => nextTick(() => L(who())));`, ["a"]],
  [
    "a thenable's then",
    `as("a", () => { Promise.resolve({ then(r) { L(who()); r(); } }).then(() => L(who())); });`,
    ["a", "a"],
  ],
  [
    "the next step of an async generator, which is in the frame of who asks",
    `async function* g() { L(who()); await null; L(who()); yield; L(who()); } const i = g(); as("a", () => i.next()); later(() => as("b", () => i.next()));`,
    ["a", "a", "b"],
  ],
  ["for await", `as("a", async () => { for await (const x of [1, 2]) L(who()); L(who()); });`, ["a", "a", "a"]],
])("%s goes on in the frame it was registered in", (_, source, expected) => {
  expect(framed(source)).toEqual(expected);
});

test("a host that leaves a frame behind changes nothing for the next job", () => {
  const leave = (): void => void enterFrame({ owner: "left", stores: null });
  const source = `queueMicrotask(() => { throw 0; }); queueMicrotask(() => {}); queueMicrotask(() => L(who()));`;
  Reflect.set(globalThis, "who", () => String(currentFrame()?.owner ?? "nobody"));
  expect(inExecution(source, { uncaught: leave })).toEqual(["nobody"]);
  Reflect.deleteProperty(globalThis, "who");
  expect(currentFrame()).toBeNull();
});
