/** Proofs in threads: the same bytes with any number of them, and an interrupt that leaves what is known. */
import { totalmem } from "node:os";
import { expect, test } from "vitest";
import { threadsFor } from "./prove-threads.ts";
import { microloom } from "./testing/command.ts";

const small = ["--sends", "1", "--cancels", "0", "--disposes", "0", "--maintenances", "0", "--write-faults", "0"];
const proving = ["prove", "agent", ...small, "--policy", "all"];

test.each([
  ["--json", ["3", "20"]],
  ["--full", ["2"]],
] as const)("prove %s prints the same bytes with any number of threads", async (more, several) => {
  const alone = await microloom([...proving, more, "--threads", "1"]);
  expect(alone).toMatchObject({ code: 0, err: "" });
  expect(alone.out.match(/parking (all|unlatched), afterFailure (park|drain), claim (one|all)/g)).toHaveLength(8);
  for (const threads of several) expect(await microloom([...proving, more, "--threads", threads])).toEqual(alone);
});

test("prove that is interrupted tells what its threads have found, names what was not begun, and exits 130", async () => {
  const { code, out, err } = await microloom(["prove", "agent", "--policy", "all", "--threads", "2"], {
    signal: "SIGINT",
  });
  expect(code).toBe(130);
  expect(out).toMatch(/^✓ agent, parking unlatched, afterFailure park, claim one {2}proved/);
  expect(out).toContain("stopped by its caller");
  expect(err).toContain("microloom: agent: not explored");
});

test("threadsFor() leaves half of the memory alone, and never goes without a thread", () => {
  expect(threadsFor(0, 1)).toBe(1);
  expect(threadsFor(8, totalmem())).toBe(1);
  expect(threadsFor(1, 1)).toBe(1);
});
