/** The hosts of the core at level free: what is found in them, and how it is called. */
import { createLeaseScheduler } from "../../../core/lease/host.ts";
import { keptScripts } from "../../../properties/agent/kept-scripts.ts";
import { coreAgent } from "../../../properties/agent/scenarios.ts";
import { hostScenarios } from "../../../properties/hosts.ts";
import { keptScripts as keptLeaseScripts, readModifyWrite } from "../../../properties/lease/kept.ts";
import { leaseSituation } from "../../../properties/lease/situation.ts";
import type { MakeSubject } from "../../../properties/lease/subjects/all.ts";
import { explore } from "../../../repro/explore.ts";
import type { StrategyName } from "../../../sim/result.ts";
import type { Scenario } from "../../../sim/scenario.ts";

export type FoundFree = { readonly what: string; readonly verdict: string; readonly name: string };

const coreLease: MakeSubject = (ports, policy) => createLeaseScheduler(ports, policy);

/** Everything that was not held; `everyHost`: the core under every policy, and with more executions. */
export async function foundFree(everyHost: boolean): Promise<readonly FoundFree[]> {
  const executions = everyHost ? 300 : 15;
  const strategies: readonly StrategyName[] = everyHost ? ["portfolio", "random", "pct"] : ["pct"];
  const found: FoundFree[] = [];
  const look = async (what: string, scenario: Scenario, script?: readonly unknown[]): Promise<void> => {
    for (const strategy of strategies) {
      const options = { level: "free", strategy, executions, ...(script === undefined ? {} : { script }) } as const;
      const result = await explore(scenario, options);
      if (result.outcome === "violated") found.push({ what, verdict: result.verdict, name: result.violation.name });
      else if (result.outcome !== "held") found.push({ what, verdict: result.outcome, name: result.detail });
    }
  };
  for (const host of hostScenarios.values()) {
    if (!host.name.startsWith("microloom:agent/")) await look(host.name, host);
    else if (everyHost || host === coreAgent)
      for (const [name, script] of keptScripts) await look(`${host.name}, ${name}`, host, script);
  }
  for (const { name, script } of keptLeaseScripts) {
    await look(`lease, ${name}`, leaseSituation({ name, make: coreLease, situation: { flows: {} } }), script);
  }
  await look("lease, a file", readModifyWrite(coreLease));
  return found;
}
