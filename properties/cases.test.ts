/**
 * Replays every kept repro: a failure must fail in the same way, what was fixed must hold with every ordering met. After a
 * change that is meant, `npm run record` writes what the searches find now; review the diff.
 */
import { readdirSync } from "node:fs";
import { resolve } from "node:path";
import { describe, expect, test } from "vitest";
import { explore } from "../repro/explore.ts";
import { replay } from "../repro/replay.ts";
import { formatRepro, readRepro, writeRepro } from "../repro/repro-file.ts";
import type { Scenario } from "../sim/scenario.ts";
import { builtInScenarios } from "./index.ts";

const folder = resolve("repro/cases");
const files = readdirSync(folder).filter((file) => file.endsWith(".json"));

function scenarioOf(name: string): Scenario {
  const found = builtInScenarios.get(name);
  if (found === undefined) throw new Error(`The kept case names ${name}, which is not built in`);
  return found;
}

describe("kept cases", () => {
  for (const file of files) {
    test(`${file} replays best-effort as it says`, async () => {
      const repro = await readRepro(resolve(folder, file));
      const result = await replay(scenarioOf(repro.scenario), repro, { mode: "best-effort" });
      expect(result.unmet).toEqual([]);
      expect(result.neverAppeared).toEqual([]);
      expect(result.outcome).toBe(repro.expect === "violation" ? "violated" : "held");
      if (repro.expect === "violation") expect(result.violation?.name).toBe(repro.violates);
    });

    test(`${file} replays strictly 20 times of 20`, async () => {
      const repro = await readRepro(resolve(folder, file));
      if (repro.choices === null) return;
      for (let run = 0; run < 20; run++) {
        const result = await replay(scenarioOf(repro.scenario), repro, { mode: "strict" });
        expect(result).toMatchObject({ outcome: "violated", violation: { name: repro.violates } });
      }
    });

    test(`${file} is what its search finds today`, async () => {
      const repro = await readRepro(resolve(folder, file));
      const { strategy, seed } = repro.foundBy;
      const result = await explore(scenarioOf(repro.scenario), { strategy, seed, level: repro.level });
      if (result.outcome !== "violated") throw new Error(`The search of ${file} ${result.outcome}`);
      const now = { ...result.repro, title: repro.title };
      if (process.env.MICROLOOM_RECORD === "1") await writeRepro(resolve(folder, file), now);
      else expect(formatRepro(now)).toBe(formatRepro(repro));
    });
  }
});
