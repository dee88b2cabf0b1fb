/** The sweep beside the plain exploration, on the contract of the agent and on broken reducers. */
import { describe, expect, test } from "vitest";
import { withBudget } from "../../../sim/model/budget.ts";
import { Explorer } from "../../../sim/model/explorer.ts";
import type { ModelResult } from "../../../sim/model/result.ts";
import { Sweep } from "../../../sim/model/sweep.ts";
import { attemptOf } from "../../proof.ts";
import { sweptFirst } from "../../swept-proof.ts";
import { type Bounds, smallBounds } from "./bounds.ts";
import { budgetedGoalModel, goalLiveness } from "./goal/model.ts";
import { defaultGoalBounds } from "./goal/world.ts";
import { agentLiveness } from "./liveness.ts";
import { budgetedAgentModel, policies } from "./model.ts";
import { mutantNamed, usual } from "./testing/refute.ts";

type Size = Pick<ModelResult<unknown, unknown, unknown>, "outcome" | "states" | "edges" | "depth" | "goals">;
const sizeOf = ({ outcome, states, edges, depth, goals }: Size): Size => ({ outcome, states, edges, depth, goals });

describe("Sweep", () => {
  test("Sweep finds the states, edges, depth and goals of the plain exploration, under every policy", async () => {
    const bounds: Bounds = { ...smallBounds, retracts: 0, disposes: 0, maintenances: 0 };
    for (const policy of policies) {
      const model = budgetedAgentModel({ policy, bounds });
      const [swept, plain] = [await new Sweep(model).run(), await new Explorer(withBudget(model)).run()];
      expect(swept && sizeOf(swept)).toEqual(sizeOf(plain));
      expect(plain.outcome).toBe("proved");
    }
  });

  test("Sweep finds what the plain exploration finds with every bound above one, and across crashes", async () => {
    for (const bounds of [
      { ...smallBounds, sends: 1, cancels: 3, retracts: 2, disposes: 2, maintenances: 2, writeFaults: 3 },
      { ...smallBounds, sends: 1, crashes: 1 },
    ]) {
      const model = budgetedAgentModel({ policy: usual, bounds });
      const [swept, plain] = [await new Sweep(model).run(), await new Explorer(withBudget(model)).run()];
      expect(swept && sizeOf(swept)).toEqual(sizeOf(plain));
    }
  });

  test("Sweep finds what the plain exploration finds of the goal", async () => {
    const bounds = { ...defaultGoalBounds, sends: 0, arms: 1 };
    const model = budgetedGoalModel({ policy: usual, bounds });
    const [swept, plain] = [await new Sweep(model).run(), await new Explorer(withBudget(model)).run()];
    expect(swept && sizeOf(swept)).toEqual(sizeOf(plain));
  });

  test("Sweep stops at a limit of memory, and goes on with a higher one", async () => {
    const sweep = new Sweep(budgetedAgentModel({ policy: usual, bounds: smallBounds }));
    const some = await sweep.run({ memoryBytes: 100_000 });
    expect(some?.why).toMatch(/^memory limit of 100000 bytes reached after \d+ states at depth \d+$/);
    const { states, edges, depth } = (await sweep.run()) ?? {};
    expect([states, edges, depth]).toEqual([10_070, 129_290, 14]);
  });
});

describe("sweptFirst", () => {
  const broken = [
    "parks late wakes",
    "accepts an id twice",
    "retracts on paper",
    "swallows a stop on the boundary",
    "runs an empty turn",
    "forgets a refused record",
    "counts no turn",
    "takes reports of old turns",
  ];

  test("sweptFirst() refutes mutants by the verdict, and the shortest way, of the plain exploration", async () => {
    for (const name of broken) {
      const { policy, transition } = mutantNamed(name);
      const options = { policy: { ...usual, ...policy }, bounds: smallBounds, transition };
      const { model, budgeted, fairness } = agentLiveness(options);
      expect([name, await new Sweep(budgeted).run()]).toEqual([name, null]);
      const { safety } = await sweptFirst(budgeted, fairness, attemptOf(model, null)).run({});
      const plain = await new Explorer(model).run();
      expect(safety.violation).toEqual(plain.violation);
      expect(safety.violation).not.toBe(null);
      expect(safety.counterexample?.steps.length).toBe(plain.counterexample?.steps.length);
    }
  });

  test("sweptFirst() sees what survives as the plain exploration sees it", async () => {
    const bounds: Bounds = { ...smallBounds, sends: 1 };
    for (const name of ["replaces the cause", "aborts again", "keeps the latch on dispose"]) {
      const { policy, transition } = mutantNamed(name);
      const model = budgetedAgentModel({ policy: { ...usual, ...policy }, bounds, transition });
      const [swept, plain] = [await new Sweep(model).run(), await new Explorer(withBudget(model)).run()];
      expect([name, swept && sizeOf(swept)]).toEqual([name, sizeOf(plain)]);
    }
  });

  test("sweptFirst() judges liveness as the plain exploration does, and finds what is endless", async () => {
    const bounds: Bounds = { ...smallBounds, sends: 1 };
    const options = { policy: usual, bounds, transition: mutantNamed("claims no steers").transition };
    for (const lively of [agentLiveness({ policy: usual, bounds }), agentLiveness(options)]) {
      const plain = attemptOf(lively.model, lively);
      const swept = await sweptFirst(lively.budgeted, lively.fairness, plain).run({});
      expect(swept.liveness).toEqual((await attemptOf(lively.model, lively).run({})).liveness);
    }
    const goal = goalLiveness({ policy: usual, bounds: { ...defaultGoalBounds, sends: 0, arms: 1 } });
    const plain = attemptOf(goal.model, goal);
    expect((await sweptFirst(goal.budgeted, goal.fairness, plain).run({})).liveness).toEqual(
      (await plain.run({})).liveness,
    );
  });

  test("sweptFirst() leaves what is to be kept to the plain exploration", async () => {
    const { model, budgeted, fairness } = agentLiveness({ policy: usual, bounds: smallBounds });
    const attempt = sweptFirst(budgeted, fairness, attemptOf(model, null));
    const { safety } = await attempt.run({ stateLimit: 700, kept: true });
    expect([safety.outcome, safety.states]).toEqual(["incomplete", 700]);
    const again = sweptFirst(budgeted, fairness, attemptOf(model, null));
    again.resume(attempt.checkpoint());
    expect((await again.run({ kept: true })).safety.states).toBe(10_070);
  });
});
