import { expect, test } from "vitest";
import { Explorer } from "../../../sim/model/explorer.ts";
import { smallBounds } from "./bounds.ts";
import { leaseModel, leaseMutants } from "./index.ts";

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

/** The length of a shortest counterexample, and what it breaks. */
const refuted: Readonly<Record<string, readonly [length: number, invariant: string]>> = {
  "does-not-pump-on-release": [3, "lease/no-idle-waiter"],
  "does-not-pump-on-abort": [4, "lease/no-idle-waiter"],
  "does-not-pump-on-close": [4, "lease/no-idle-waiter"],
  "does-not-pump-on-tick": [5, "lease/bounded-wait"],
  "refuses-siblings": [2, "lease/sibling-calls-queue"],
  "waits-where-nobody-does": [2, "lease/sibling-calls-queue"],
  "lets-waiters-be-overtaken": [3, "lease/arrival-order"],
  "holds-everybody-back": [3, "lease/no-idle-waiter"],
  "last-come-first-served": [3, "lease/arrival-order"],
  "approval-jumps-the-queue": [3, "lease/single-writer"],
  "commands-for-everything": [2, "lease/control-calls-pass"],
  "forgets-intents": [2, "lease/refused-for-cause"],
  "intends-after-approval": [2, "lease/refused-for-cause"],
  "intends-when-granted": [3, "lease/refused-for-cause"],
  "loses-the-path-while-asking": [1, "lease/intents-balance"],
  "writes-under-a-child": [2, "lease/refused-for-cause"],
  "children-share": [2, "lease/refused-for-cause"],
  "claims-the-first-path": [1, "lease/spawn-all-or-nothing"],
  "spawns-by-half": [1, "lease/spawn-all-or-nothing"],
  "commands-exclude-children": [2, "lease/refused-for-cause"],
  "silent-overlap": [2, "lease/overlap-is-told"],
  "case-always-counts": [2, "lease/single-writer"],
  "case-never-counts": [2, "lease/no-idle-waiter"],
  "names-the-last-holder": [3, "lease/refused-for-cause"],
  "cancels-and-keeps": [2, "lease/one-outcome"],
  "drops-in-silence": [2, "lease/one-outcome"],
  "abort-takes-the-lease": [2, "lease/one-outcome"],
  "trusts-the-fast-path": [1, "lease/no-grant-to-the-dead"],
  "grants-a-closed-owner": [2, "lease/no-grant-to-the-dead"],
  "accepts-an-id-twice": [2, "lease/one-outcome"],
  "denies-and-keeps": [2, "lease/one-outcome"],
  "approves-without-asking": [2, "lease/arrival-order"],
  "restarts-the-stuck-clock": [4, "lease/close-leaves-nothing"],
  "never-gives-up-on-stuck": [4, "lease/close-leaves-nothing"],
  "expires-before-it-fences": [5, "lease/bounded-wait"],
  "asks-for-ever": [3, "lease/bounded-wait"],
  "waits-for-ever": [3, "lease/bounded-wait"],
  "expires-on-the-dot": [3, "lease/bounded-wait"],
  "fences-on-the-dot": [4, "lease/close-leaves-nothing"],
  "expires-early": [2, "lease/bounded-wait"],
  "keeps-the-first-deadline": [4, "lease/bounded-wait"],
  "expires-for-the-workspace": [3, "lease/bounded-wait"],
  "keeps-waiters-on-close": [3, "lease/close-leaves-nothing"],
  "keeps-questions-on-close": [2, "lease/close-leaves-nothing"],
  "close-takes-the-lease": [2, "lease/keeps-its-lease"],
  "forgets-who-closed": [1, "lease/close-leaves-nothing"],
  "releases-by-name": [2, "lease/keeps-its-lease"],
  "finishes-by-name": [2, "lease/keeps-its-lease"],
  "one-fence-for-all": [1, "lease/fence-grows"],
  "writes-without-a-fence": [1, "lease/fence-grows"],
  "sleeps-through-approvals": [1, "lease/next-deadline"],
};

test.each(leaseMutants.filter(({ survives }) => survives === undefined))("$name is refuted: $rule", async (mutant) => {
  const { name, policy = {} } = mutant;
  const model = leaseModel({ policy, bounds: worldOf(name), reducer: mutant });
  const { violation, counterexample } = await new Explorer(model).run();
  expect([counterexample?.steps.length, violation?.name]).toEqual(refuted[name]);
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
    const reducer = leaseMutants.find((mutant) => mutant.name === by);
    if (reducer === undefined) throw new Error(`There is no mutant ${by}`);
    const { policy = {} } = reducer;
    const { violation } = await new Explorer(leaseModel({ policy, bounds: worldOf(by), reducer, only: [name] })).run();
    expect([by, violation?.name]).toEqual([by, name]);
  }
});
