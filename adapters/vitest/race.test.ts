import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { describe, expect, test } from "vitest";
import { run } from "../../cli/testing/command.ts";
import { scenario } from "../../sim/scenario.ts";
import { race } from "./race.ts";

race(
  scenario("race() takes a scenario and passes when it holds", (world) => {
    world.events("user", [["go", () => undefined]]);
    world.atQuiescence("holds", () => true);
  }),
);

race("race() takes a name, options and a body", { strategy: "depth-first", level: "jitter" }, (world) => {
  const seen: number[] = [];
  world.events("user", [
    ["first", () => seen.push(1)],
    ["second", () => seen.push(2)],
  ]);
  world.atQuiescence("in order", () => seen.join() === "1,2" || seen.join());
});

describe("race() in a project of its own", () => {
  test("fails in Vitest's own frame with the orderings, the swap and the repro's place", async () => {
    const folder = await mkdtemp(resolve(".microloom-race-"));
    try {
      await writeFile(
        join(folder, "lost.test.ts"),
        `import { race } from "microloom/vitest";
         race("no update is lost", { out: ${JSON.stringify(join(folder, "repros"))} }, (world) => {
           let value = 0;
           const add = async () => { const read = await world.io("read", () => value); await world.io("write", () => { value = read + 1; }); };
           world.actor("ada", add);
           world.actor("bob", add);
           world.atQuiescence("both count", () => value === 2 || \`value is \${value}\`);
         });
         race("a goal", { strategy: "depth-first", out: ${JSON.stringify(folder)} }, (world) => {
           world.events("user", [["go", () => 1]]);
           world.sometimes("never", () => false);
         });`,
      );
      await writeFile(join(folder, "vitest.config.mjs"), `export default { test: { include: ["*.test.ts"] } };`);
      const ran = await run(process.execPath, [resolve("node_modules/vitest/vitest.mjs"), "run", "--root", folder]);
      const output = ran.out + ran.err;
      expect(ran.code).toBe(1);
      expect(output).toContain("both count (quiescence): value is 1");
      expect(output).toContain('came before "write" (ada).');
      expect(output).toContain("The swap that decides:");
      expect(output).toContain('held, but never reached "never" (unreachable within these bounds)');
      const kept = JSON.parse(await readFile(join(folder, "repros", "no-update-is-lost.json"), "utf8"));
      expect(kept).toMatchObject({ format: 1, scenario: "no update is lost", verdict: "bug" });
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });
});
