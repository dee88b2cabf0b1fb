/**
 * Runs in a process of its own, whose code is lowered or not. `run.ts native` explores every scenario of the tree on Node's
 * own queue, `run.ts native,microtask` on both, and looks at what is kept by name and at the core's hosts at level free. `executions` is each campaign's budget;
 * with `every` behind it nothing is left out. Prints what came of it as JSON.
 */
import { fileURLToPath } from "node:url";
import { engineNames } from "../../../sim/bounds.ts";
import { runtime } from "../../../sim/microtask/runtime.ts";
import type { EngineName } from "../../../sim/result.ts";
import { campaignOf, campaignsOver } from "./campaigns.ts";
import { foundFree } from "./free.ts";
import { keptOn } from "./kept.ts";
import { scenariosOfTree } from "./tree.ts";

/** In generic-pool and async-mutex nothing is to be lowered: all they do is done by the Promise that they are given. */
const libraries = ["p-limit", "p-queue", "p-retry", "rxjs", "lru-cache"];

const [asked = "", executions = "", ways = ""] = process.argv.slice(2);
const engines = engineNames.filter((name) => asked.split(",").includes(name));
const everything = ways === "every";

const told = {
  campaigns: await campaigns(),
  ...(engines.includes("microtask") ? await onOurOwnQueue() : {}),
  lowered: libraries.filter((name) => runtime.isLowered(fileURLToPath(import.meta.resolve(name)))),
};
process.stdout.write(JSON.stringify(told));

async function onOurOwnQueue(): Promise<object> {
  return { kept: await keptOn("microtask", everything), free: await foundFree(everything) };
}

/** By engine, then by scenario, level and strategy. */
async function campaigns(): Promise<object> {
  const found = new Map<EngineName, Record<string, object>>();
  const scenarios = await scenariosOfTree();
  for (const engine of engines) {
    const onIt: Record<string, object> = {};
    for (const each of campaignsOver(scenarios, everything))
      onIt[`${each.scenario.name}, ${each.level}, ${each.strategy}`] = await campaignOf(
        each,
        engine,
        Number(executions),
      );
    found.set(engine, onIt);
  }
  return Object.fromEntries(found);
}
