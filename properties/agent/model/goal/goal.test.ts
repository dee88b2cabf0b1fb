import { describe, expect, test } from "vitest";
import { Explorer } from "../../../../sim/model/explorer.ts";
import { checkLiveness } from "../../../../sim/model/liveness.ts";
import { usual } from "../testing/refute.ts";
import { goalLiveness, goalModel } from "./model.ts";
import { goalMutants } from "./mutants.ts";
import { goalAlways, goalAtQuiescence, goalEveryStep } from "./rules.ts";
import { defaultGoalBounds, type GoalBounds } from "./world.ts";

const bounds: GoalBounds = { ...defaultGoalBounds, writeFaults: 0, disposes: 0, disarms: 0 };

describe("goalModel", () => {
  test("goalModel() keeps its promises and always comes to rest, within small bounds", async () => {
    const { model, fairness } = goalLiveness({ policy: usual, bounds });
    const explorer = new Explorer(model);
    const result = await explorer.run();
    expect([result.outcome, result.violation]).toEqual(["proved", null]);
    const missed = Object.entries(result.goals).filter(([, depth]) => depth === null);
    expect(missed.map(([name]) => name)).toEqual(["armed after dispose"]);
    expect((await checkLiveness(explorer, fairness)).outcome).toBe("proved");
  });

  // A prompt that waits at idle and is taken back leaves no idle edge, and the goal hears of nothing else.
  test("goalModel() shows how an armed goal is left waiting today", async () => {
    const model = goalModel({ policy: usual, bounds: { ...bounds, withdrawals: 1 } });
    const { violation, counterexample } = await new Explorer(model).run();
    expect(violation).toEqual({
      kind: "at-quiescence",
      name: "goal/never-hangs",
      saw: "armed and idle, with nothing queued and no round reserved",
    });
    expect(counterexample?.steps.map(({ text }) => text)).toEqual(["queue a", "arm the goal", "retract a"]);
  });

  test("goalMutants are refuted, and every promise is awake", async () => {
    const found: Record<string, readonly [string, number]> = {};
    const bounds: GoalBounds = { ...defaultGoalBounds, roundLimit: 1, arms: 1 };
    for (const { name, rule: _rule, ...reducers } of goalMutants) {
      const model = goalModel({ policy: usual, bounds, ...reducers });
      const { violation, counterexample } = await new Explorer(model).run({ stateLimit: 20_000 });
      found[name] = [violation?.name ?? "not refuted", counterexample?.steps.length ?? 0];
    }
    expect(found).toEqual({
      "counts every turn": ["goal/counts-its-own-rounds", 5],
      "goes on after a stop": ["goal/pauses-on-stop", 2],
      "pauses and holds on": ["goal/one-reservation", 2],
      "goes on without its reservation": ["goal/pauses-when-its-reservation-is-gone", 4],
      "goes on after a failure": ["goal/disarms-after-a-failed-round", 6],
      "knows no limit": ["goal/round-limit", 11],
      "reserves behind others": ["goal/waits-for-other-turns", 2],
      "sleeps through idle": ["goal/never-hangs", 2],
      "leaves its message to others": ["goal/at-rest-runs-nothing", 4],
      "trusts a refused reservation": ["goal/never-hangs", 2],
      "guards idle wakes": ["goal/never-hangs", 4],
    });
    const promises = [...goalAlways(bounds), ...goalEveryStep, ...goalAtQuiescence].map(({ name }) => name);
    const awake = new Set(Object.values(found).map(([name]) => name));
    expect(promises.filter((name) => !awake.has(name))).toEqual([]);
  });
});
