import { describe, expect, test } from "vitest";
import type { AgentEffect } from "../../../core/agent/state.ts";
import { transition } from "../../../core/agent/transition.ts";
import { withBudget } from "../../../sim/model/budget.ts";
import { Explorer } from "../../../sim/model/explorer.ts";
import { type Bounds, defaultBounds, smallBounds } from "./bounds.ts";
import { goalsBeyond, goalsWithin } from "./goals.ts";
import { agentModel, budgetedAgentModel, policies } from "./model.ts";
import { remembered } from "./past.ts";
import { usual } from "./testing/refute.ts";
import { countedAnew } from "./turns.ts";
import type { World, WorldInput } from "./world.ts";

const nothing: Bounds = {
  sends: 0,
  cancels: 0,
  retracts: 0,
  disposes: 0,
  maintenances: 0,
  writeFaults: 0,
  crashes: 0,
  steps: 1,
};

describe("agentModel", () => {
  test("agentModel() keeps every promise of section 6 and reaches every goal, within small bounds", async () => {
    const result = await new Explorer(agentModel({ policy: usual, bounds: smallBounds })).run();
    expect(result.violation).toBe(null);
    expect(result.outcome).toBe("proved");
    expect([result.states, result.edges, result.depth]).toEqual([10_070, 129_290, 14]);
    expect(Object.entries(result.goals).filter(([, depth]) => depth === null)).toEqual([]);
  });

  test("agentModel() holds under every policy", async () => {
    const bounds: Bounds = { ...nothing, sends: 2, cancels: 1, writeFaults: 1 };
    const outcomes: string[] = [];
    for (const policy of policies) outcomes.push((await new Explorer(agentModel({ policy, bounds })).run()).outcome);
    expect(outcomes).toEqual(Array(8).fill("proved"));
  });

  test("agentModel() survives a crash anywhere", async () => {
    const bounds: Bounds = { ...nothing, sends: 2, cancels: 1, writeFaults: 1, crashes: 1 };
    const result = await new Explorer(agentModel({ policy: usual, bounds })).run();
    expect([result.outcome, result.violation]).toEqual(["proved", null]);
    const crashes = Object.entries(result.goals).filter(([name]) => name.startsWith("a crash in"));
    expect(crashes.filter(([, depth]) => depth === null)).toEqual([]);
    expect(crashes).toHaveLength(5);
  });

  test("agentModel() asks the reducer once, and that changes nothing", async () => {
    const bounds: Bounds = { ...nothing, sends: 2, cancels: 1 };
    const model = budgetedAgentModel({ policy: usual, bounds });
    const forgetful = withBudget<World, WorldInput, AgentEffect>({
      ...model,
      step(world, input) {
        if (input.type === "crash") return model.step(world, input);
        const { state, effects } = transition(usual, world.agent, input.type === "late" ? input.report : input);
        return { state: countedAnew(remembered(usual, world, input, state, effects)), effects };
      },
    });
    const [once, again] = [await new Explorer(withBudget(model)).run(), await new Explorer(forgetful).run()];
    expect([once.states, once.edges, once.depth, once.goals]).toEqual([
      again.states,
      again.edges,
      again.depth,
      again.goals,
    ]);
  });
});

describe("goalsBeyond", () => {
  test("goalsBeyond() names what bounds leave out", () => {
    expect(goalsBeyond(defaultBounds)).toEqual(
      ["idle", "maintenance", "opening", "proposing", "stepping", "closing"].map((place) => `a crash in ${place}`),
    );
    expect(goalsBeyond(nothing)).toContain("a replayed latch");
    expect(goalsWithin(nothing)).toEqual([]);
  });
});
