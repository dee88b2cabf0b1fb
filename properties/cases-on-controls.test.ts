/** Every kept failure, in its own schedule, against those that keep the contract: there it must break nothing. */
import { readdirSync } from "node:fs";
import { resolve } from "node:path";
import { expect, test } from "vitest";
import { createLeaseScheduler } from "../core/lease/host.ts";
import { replay } from "../repro/replay.ts";
import type { Repro } from "../repro/repro.ts";
import { readRepro } from "../repro/repro-file.ts";
import type { Scenario } from "../sim/scenario.ts";
import { coreAgent } from "./agent/scenarios.ts";
import { lateWake, type Script } from "./agent/script.ts";
import { byTheBook, stories } from "./agent/subjects/scenarios.ts";
import type { Situation } from "./lease/flows.ts";
import { siblingCommands } from "./lease/scenarios.ts";
import { leaseSituation } from "./lease/situation.ts";
import { run, situations } from "./lease/situations.ts";
import { ByTheBook } from "./lease/subjects/by-the-book.ts";

const folder = resolve("repro/cases");
/** Subjects that are not in these tables are given what every scenario of their family begins with. */
const scripts: ReadonlyMap<string, Script> = new Map<string, Script>(Object.entries(stories));
const plays: ReadonlyMap<string, Situation> = new Map<string, Situation>(Object.entries(situations));
const siblings: Situation = {
  flows: Object.fromEntries(siblingCommands.map(({ call, footprint }) => [call, run(call, footprint)])),
};

type Replayed = { readonly control: Scenario; readonly repro: Repro };

function onControls(repro: Repro): readonly Replayed[] {
  const [family, subject = ""] = repro.scenario.replace("microloom:", "").split("/");
  if (family === "agent") {
    const script = scripts.get(subject) ?? lateWake;
    return [coreAgent, byTheBook].map((control) => ({ control, repro: { ...repro, script } }));
  }
  const situation = plays.get(subject) ?? siblings;
  const name = repro.scenario;
  return [
    leaseSituation({ name, situation, make: (ports, policy) => createLeaseScheduler(ports, policy) }),
    leaseSituation({ name, situation, make: (ports, policy) => new ByTheBook(ports, policy) }),
  ].map((control) => ({ control, repro }));
}

for (const file of readdirSync(folder).filter((name) => name.endsWith(".json"))) {
  test(`${file} breaks nothing where the contract is kept`, async () => {
    const kept = await readRepro(resolve(folder, file));
    for (const { control, repro } of onControls(kept)) {
      const { outcome, violation } = await replay(control, repro, { mode: "best-effort" });
      expect([control.name, outcome === "violated", violation]).toEqual([control.name, false, undefined]);
    }
  });
}
