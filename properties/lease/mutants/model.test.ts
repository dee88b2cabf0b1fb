import { describe, expect, test } from "vitest";
import type { LeaseEffect } from "../../../core/lease/state.ts";
import { replay } from "../../../repro/replay.ts";
import { parseRepro } from "../../../repro/repro.ts";
import { formatRepro } from "../../../repro/repro-file.ts";
import { Explorer } from "../../../sim/model/explorer.ts";
import { smallBounds } from "../model/bounds.ts";
import { leaseCounterexample } from "../model/counterexample.ts";
import { leaseModel } from "../model/lease-model.ts";
import type { Deed, LeaseWorld } from "../model/world.ts";
import { coreLeaseScript } from "../script-scenario.ts";
import { leaseMutant, leaseMutants } from "./all.ts";
import { inTheHost, mutatedScenario } from "./testing/in-the-host.ts";
import { asRepro, byModel } from "./testing/who-sees.ts";

const two = { ...smallBounds, calls: 2, together: 2, misfits: 1 };
const three = { ...smallBounds, approvals: 0, misfits: 0 };

/** What shows only where one stands behind another one that stands behind a third. */
const needThree = new Set([
  "does-not-pump-on-abort",
  "does-not-pump-on-close",
  "lets-waiters-be-overtaken",
  "holds-everybody-back",
  "last-come-first-served",
  "names-the-last-holder",
  "intends-when-granted",
]);
const worldOf = (mutant: string) => (needThree.has(mutant) ? three : two);

type LeaseExplorer = Explorer<LeaseWorld, Deed, LeaseEffect>;

const scenario = mutatedScenario();

describe.each(leaseMutants.filter(({ survives }) => survives === undefined))("$name: $rule", (mutant) => {
  const options = { policy: mutant.policy ?? {}, bounds: worldOf(mutant.name), reducer: mutant };
  let run: ReturnType<LeaseExplorer["run"]> | null = null;
  const explored = () => {
    run ??= new Explorer(leaseModel(options)).run();
    return run;
  };

  test("the model refutes it, by a shortest counterexample", async () => {
    const { violation, counterexample } = await explored();
    expect([counterexample?.steps.length, violation?.name]).toEqual(byModel[mutant.name]);
  });

  test("its host breaks in the same way, and the host of the core does not; or it is said why not", async () => {
    const { violation, counterexample } = await explored();
    if (violation === null || counterexample === null) throw new Error(`The model does not refute ${mutant.name}`);
    const host = await scenario;
    const converted = await inTheHost(mutant, () => leaseCounterexample(options, violation, counterexample, host));
    const told = converted.repro === null ? { because: converted.because } : { violates: converted.repro.violates };
    expect(told).toEqual(asRepro[mutant.name]);
    if (converted.repro === null) return;
    const repro = parseRepro(formatRepro(converted.repro), "the repro");
    for (const mode of ["strict", "best-effort"] as const) {
      const replayed = await inTheHost(mutant, () => replay(host, repro, { mode }));
      expect(replayed).toMatchObject({ outcome: "violated", violation: { name: repro.violates }, unmet: [] });
    }
    const held = { outcome: "held", unmet: [], neverAppeared: [] };
    expect(await replay(coreLeaseScript, { ...repro, expect: "held" })).toMatchObject(held);
  });
});

test.each(leaseMutants.filter(({ survives }) => survives !== undefined))(
  "$name survives: $survives",
  async (mutant) => {
    const { outcome } = await new Explorer(leaseModel({ bounds: two, reducer: mutant })).run();
    expect(outcome).toBe("proved");
  },
);

/** One that it sees when it is the only invariant. */
const awake: Readonly<Record<string, string>> = {
  "lease/single-writer": "approval-jumps-the-queue",
  "lease/sibling-calls-queue": "refuses-siblings",
  "lease/arrival-order": "lets-waiters-be-overtaken",
  "lease/no-idle-waiter": "does-not-pump-on-release",
  "lease/one-outcome": "drops-in-silence",
  "lease/no-grant-to-the-dead": "cancels-and-keeps",
  "lease/intents-balance": "loses-the-path-while-asking",
  "lease/parent-child-exclusive": "intends-after-approval",
  "lease/bounded-wait": "asks-for-ever",
  "lease/close-leaves-nothing": "never-gives-up-on-stuck",
  "lease/fence-grows": "releases-by-name",
  "lease/spawn-all-or-nothing": "spawns-by-half",
  "lease/control-calls-pass": "commands-for-everything",
  "lease/progress": "drops-in-silence",
  "lease/keeps-its-lease": "close-takes-the-lease",
  "lease/next-deadline": "sleeps-through-approvals",
  "lease/refused-for-cause": "names-the-last-holder",
  "lease/misfits-change-nothing": "finishes-by-name",
  "lease/overlap-is-told": "silent-overlap",
};

test("every invariant is awake: alone, it sees the mutant that breaks it", async () => {
  const model = leaseModel();
  const names = [...model.always, ...model.everyStep, ...model.atQuiescence].map(({ name }) => name);
  expect(Object.keys(awake).sort()).toEqual([...new Set(names)].sort());
  for (const [name, by] of Object.entries(awake)) {
    const reducer = leaseMutant(by);
    const { policy = {} } = reducer;
    const { violation } = await new Explorer(leaseModel({ policy, bounds: worldOf(by), reducer, only: [name] })).run();
    expect([by, violation?.name]).toEqual([by, name]);
  }
});
