import { expect, test } from "vitest";
import type { Touches } from "../../scenario.ts";
import { type Dependent, dependsOn } from "./depends.ts";

const nothing = { reads: [], writes: [] };
const readsX: Touches = { reads: ["x"] };
const writesX: Touches = { writes: ["x"] };
const writesY: Touches = { writes: ["y"] };

function delivery(name: string, given: Partial<Dependent> = {}): Dependent {
  return { name, source: name, touches: {}, observed: nothing, askedBy: null, ...given };
}

test.each<readonly [string, Touches | null, Touches | null, boolean]>([
  ["two writers of one thing", writesX, writesX, true],
  ["a reader and a writer", readsX, writesX, true],
  ["two readers", readsX, readsX, false],
  ["writers of two things", writesX, writesY, false],
  ["two that declare nothing", null, null, true],
  ["one that declares nothing, and a reader", null, readsX, true],
  ["one that declares nothing, and one that touches nothing", null, {}, false],
  ["one that declares nothing, and one with empty lists", null, nothing, false],
  ["two that touch nothing", {}, {}, false],
])("dependsOn() of %s", (_what, one, other, expected) => {
  const [a, b] = [delivery("a", { touches: one }), delivery("b", { touches: other })];
  expect([dependsOn(a, b), dependsOn(b, a)]).toEqual([expected, expected]);
});

test("dependsOn() looks at what was observed beside what was declared, and never at one through the other", () => {
  const [writes, reads] = [{ observed: { reads: [], writes: ["x"] } }, { observed: { reads: ["x"], writes: [] } }];
  expect(dependsOn(delivery("a", writes), delivery("b", reads))).toBe(true);
  expect(dependsOn(delivery("a", reads), delivery("b", reads))).toBe(false);
  expect(dependsOn(delivery("a", writes), delivery("b", { touches: writesX }))).toBe(false);
  expect(dependsOn(delivery("a", writes), delivery("b", { touches: null }))).toBe(false);
});

test("dependsOn() of one source, and of one that asked for the other", () => {
  expect(dependsOn(delivery("a#1", { source: "s" }), delivery("b#1", { source: "s" }))).toBe(true);
  expect(dependsOn(delivery("a"), delivery("b", { askedBy: "a" }))).toBe(true);
  expect(dependsOn(delivery("a", { askedBy: "b" }), delivery("b"))).toBe(true);
  expect(dependsOn(delivery("a"), delivery("b", { askedBy: "c" }))).toBe(false);
});
