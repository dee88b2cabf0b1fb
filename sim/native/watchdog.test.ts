import { expect, test } from "vitest";
import { underWatchdog } from "./watchdog.ts";

test("underWatchdog() tells whether the work came to its end", () => {
  let done = 0;
  expect(underWatchdog(() => void done++, 1_000)).toBe(true);
  expect(done).toBe(1);
  expect(
    underWatchdog(() => {
      for (;;);
    }, 20),
  ).toBe(false);
  expect(underWatchdog(() => void done++, 1_000)).toBe(true);
});

test("underWatchdog() passes on what the work throws", () => {
  const error = new Error("mine");
  expect(() =>
    underWatchdog(() => {
      throw error;
    }, 1_000),
  ).toThrow(error);
});

test("underWatchdog() cannot be caught or delayed by the work", () => {
  const reached: string[] = [];
  const ended = underWatchdog(() => {
    try {
      for (;;);
    } catch {
      reached.push("catch");
    } finally {
      reached.push("finally");
    }
  }, 20);
  expect([ended, reached]).toEqual([false, []]);
});

test("underWatchdog() nests", () => {
  let inner: boolean | undefined;
  const outer = underWatchdog(() => {
    inner = underWatchdog(() => undefined, 1_000);
  }, 2_000);
  expect([outer, inner]).toEqual([true, true]);
});
