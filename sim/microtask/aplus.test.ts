/** The whole suite of Promises/A+, run on our Promise with our queue. */
import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { expect, test } from "vitest";

// As the package counts them: of its 872 tests none may be missing.
const all = 872;

test(`Promise passes all ${all} tests of Promises/A+`, async () => {
  // In a process of its own: its runner brings globals, and listens to the process.
  const command = ["--import", "tsx", "--conditions=microloom-source", "sim/microtask/testing/aplus.ts"];
  const { stdout } = await promisify(execFile)(process.execPath, command);
  expect(JSON.parse(stdout)).toEqual({ passed: all, failed: [] });
});
