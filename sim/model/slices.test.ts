import { expect, test } from "vitest";
import { inSlices } from "./slices.ts";

test("inSlices() works until there is an answer", async () => {
  let pieces = 0;
  expect(await inSlices(() => (++pieces === 1_000 ? "done" : null), { signal: undefined })).toBe("done");
  expect(pieces).toBe(1_000);
});

test("inSlices() lets other work run between slices, and stops at the signal", async () => {
  const caller = new AbortController();
  let slices = 0;
  setImmediate(() => caller.abort());
  const between = () => void slices++;
  expect(await inSlices(() => null, { signal: caller.signal, between })).toBe("aborted");
  expect(slices).toBeGreaterThan(0);
});
