import { expect, test } from "vitest";
import { core } from "../model/lease-model.ts";
import { coreLeaseScript } from "../script-scenario.ts";
import { leaseMutants } from "./all.ts";
import { broken, mutatedScenario, someScripts } from "./testing/in-the-host.ts";
import { byHost, type Seen, searchesAll } from "./testing/who-sees.ts";

const scripts = someScripts(60, 7);
const scenario = mutatedScenario();
const few = 12;

test.each(leaseMutants)("the host on $name, from outside", async (mutant) => {
  const expected = byHost[mutant.name];
  const first = async (upTo: number): Promise<Seen | null> => {
    for (const [place, script] of scripts.slice(0, upTo).entries()) {
      const name = await broken(mutant, await scenario, script);
      if (name !== null) return [place, name];
    }
    return null;
  };
  if (expected === undefined) expect(await first(searchesAll ? scripts.length : few)).toBe(null);
  else if (searchesAll) expect(await first(scripts.length)).toEqual(expected);
  else expect(await broken(mutant, await scenario, scripts[expected[0]] ?? [])).toBe(expected[1]);
});

test("the host of the core breaks nothing in any of these scripts", async () => {
  for (const script of scripts) {
    expect(await broken(core, await scenario, script)).toBe(null);
    expect(await broken(core, coreLeaseScript, script)).toBe(null);
  }
});
