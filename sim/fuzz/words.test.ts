import { expect, test } from "vitest";
import { failureHeldTo, heldTo } from "./words.ts";

test("the microtask engine is held to all of a line but the words of TypeErrors", () => {
  const line = "k1 [TypeError: «a»», e2, TypeError: «b (c)»] (in 3)";
  expect(heldTo("microtask", "k1 [TypeError: «a», e2, TypeError: «b (c)»] (in 3)")).toBe(
    "k1 [TypeError, e2, TypeError] (in 3)",
  );
  expect(heldTo("microtask", "k1 RangeError: b")).toBe("k1 RangeError: b");
  expect(failureHeldTo("microtask", "TypeError: a, (b)")).toBe("TypeError");
  expect(failureHeldTo("microtask", null)).toBe(null);
  expect(heldTo("native", line)).toBe(line);
  expect(failureHeldTo("native", "TypeError: a")).toBe("TypeError: a");
});
