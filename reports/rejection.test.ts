import { expect, test } from "vitest";
import type { SourceLocation, Violation } from "../sim/result.ts";
import { seenLines } from "./failure.ts";
import { rejectionLines } from "./rejection.ts";

const at = (line: number): SourceLocation => ({ file: "src/save.ts", line, column: 9 });
const made = { at: at(3), within: "user:save#1", by: "user" };
const rejected = { by: "user", within: "disk:write#2", at: null, after: null };

test("rejectionLines() says where the promise was made, and who rejected it where", () => {
  expect(rejectionLines({ made, rejected: { ...rejected, at: at(7) } })).toEqual([
    "    the promise was made by user at src/save.ts:3, in the drain of user:save#1",
    "    and was rejected by user at src/save.ts:7, in the drain of disk:write#2",
  ]);
  expect(rejectionLines({ made: null, rejected: { ...rejected, after: at(8), within: null } })).toEqual([
    "    the promise was rejected by user, going on from src/save.ts:8, before the first delivery",
  ]);
  expect(rejectionLines({ made: { ...made, at: null }, rejected: null })).toEqual([
    "    the promise was made by user, in the drain of user:save#1",
  ]);
});

test("seenLines() ends with it, and is as it was where nothing is known", () => {
  const violation: Violation = { kind: "error", name: "unhandled rejection", detail: "Error: full", at: null };
  const options = { color: false, full: false, replayArguments: null, command: "microloom" };
  const before = seenLines(violation, options);
  expect(seenLines({ ...violation, rejection: { made, rejected } }, options)).toEqual([
    ...before,
    ...rejectionLines({ made, rejected }),
  ]);
});
