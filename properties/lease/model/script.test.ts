import fc from "fast-check";
import { expect, test } from "vitest";
import { createLeaseScheduler } from "../../../core/lease/host.ts";
import { explore } from "../../../repro/explore.ts";
import { Explorer } from "../../../sim/model/explorer.ts";
import { leaseMutants } from "../mutants/all.ts";
import { leaseScenario } from "../scenarios.ts";
import { RefusesSiblings } from "../subjects/refuses-siblings.ts";
import { leaseModel, settingOf } from "./lease-model.ts";
import { play, scriptOf } from "./script.ts";
import { options, picks, walk } from "./testing/walk.ts";
import { tell } from "./words.ts";

async function counterexampleOf(mutant: string) {
  const reducer = leaseMutants.find(({ name }) => name === mutant);
  if (reducer === undefined) throw new Error(`There is no mutant ${mutant}`);
  const { counterexample } = await new Explorer(leaseModel({ reducer, bounds: { calls: 2, children: 0 } })).run();
  return { steps: counterexample?.steps ?? [] };
}

test("scriptOf() is the same run with owners from the beginning, and the plain reducer says the same to it", () => {
  fc.assert(
    fc.property(options, picks, (options, picks) => {
      const steps = walk(leaseModel(options), picks);
      const { policy, reducer } = settingOf(options);
      const played = play(reducer, policy, scriptOf({ steps }));
      const said = steps.filter(({ input }) => input.type !== "pass").map(({ effects }) => withoutOwners(effects));
      expect(played.map(({ effects }) => withoutOwners(effects))).toEqual(said);
    }),
    { numRuns: 60, seed: 7 },
  );
});

/** A refusal shows its input, and there the model had not decided yet who the owner is. */
function withoutOwners(effects: readonly unknown[]): string {
  return JSON.stringify(effects, (key, value) => (key === "owner" ? undefined : value));
}

test("tell() is a counterexample that a person can read", async () => {
  expect(tell(await counterexampleOf("expires-before-it-fences"))).toEqual([
    "run requests c1 on the workspace: c1 is granted with fence 1",
    "run requests c2 on the workspace",
    "close gone-1, the owner of c1",
    "1 ms passes",
    "tick at 1 ms: c2 expired for . (retryable), c1 is fenced off",
  ]);
  expect(tell(await counterexampleOf("refuses-siblings"))).toEqual([
    "run requests c1 on the workspace: c1 is granted with fence 1",
    "run requests c2 on the workspace: refused for root-busy, . is held by c1",
  ]);
});

test("scriptOf() gives the owners that the model named late, and the calls as a scenario takes them", async () => {
  const { inputs } = scriptOf(await counterexampleOf("expires-before-it-fences"));
  expect(inputs.map((input) => ("owner" in input ? `${input.type} of ${input.owner}` : input.type))).toEqual([
    "request of gone-1",
    "request of run",
    "close of gone-1",
    "tick",
  ]);
  const { calls } = scriptOf(await counterexampleOf("refuses-siblings"));
  const name = "found by the model";
  const faulty = leaseScenario({ name, calls, make: (ports) => new RefusesSiblings(ports) });
  expect(await explore(faulty, { strategy: "placement" })).toMatchObject({
    outcome: "violated",
    violation: { name: "lease/sibling-calls-queue" },
  });
  const right = leaseScenario({ name, calls, make: (ports) => createLeaseScheduler(ports) });
  expect(await explore(right, { strategy: "depth-first" })).toMatchObject({ outcome: "held" });
});
