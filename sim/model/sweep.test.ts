import { describe, expect, test } from "vitest";
import { type BudgetedModel, withBudget } from "./budget.ts";
import { Explorer } from "./explorer.ts";
import type { ModelResult } from "./result.ts";
import { Sweep } from "./sweep.ts";
import { type Walk, type Way, walk } from "./testing/walk.ts";

type Size = Pick<ModelResult<unknown, unknown, unknown>, "outcome" | "states" | "edges" | "depth" | "goals">;
const sizeOf = ({ outcome, states, edges, depth, goals }: Size): Size => ({ outcome, states, edges, depth, goals });
const plainly = (model: BudgetedModel<Walk, Way, string>) => new Explorer(withBudget(model)).run();

describe("Sweep", () => {
  test("Sweep finds the states, edges, depth and goals of the plain exploration, whatever the budget", async () => {
    for (const rides of [0, 1, 3, 9]) {
      for (const jumps of [0, 2, 5]) {
        const model = { ...walk, budget: { rides, jumps, nights: 1 } };
        const swept = await new Sweep(model).run();
        expect(swept && sizeOf(swept)).toEqual(sizeOf(await plainly(model)));
      }
    }
  });

  test("Sweep asks about each state without its budget once", async () => {
    let asked = 0;
    const model: typeof walk = {
      ...walk,
      step(state, way) {
        asked++;
        return walk.step(state, way);
      },
    };
    const swept = await new Sweep(model).run();
    expect([swept?.states, swept?.edges, asked]).toEqual([216, 745, 83]);
  });

  test("Sweep sees a goal when it can be paid for, and not before", async () => {
    const dear: typeof walk = {
      ...walk,
      budget: { rides: 1, jumps: 0, nights: 0 },
      goals: [{ name: "rides on", reached: ({ at }, way) => at === 5 && way === "ride" }],
    };
    const swept = await new Sweep(dear).run();
    expect([swept?.goals, (await plainly(dear)).goals]).toEqual([{ "rides on": 7 }, { "rides on": 7 }]);
  });

  test("Sweep says nothing where something may be broken", async () => {
    const saw = "there";
    const broken: readonly Partial<typeof walk>[] = [
      { always: [{ name: "no 7", violation: ({ at }) => (at === 7 ? saw : null) }] },
      { always: [{ name: "no 0", violation: ({ at }) => (at === 0 ? saw : null) }] },
      { everyStep: [{ name: "no jump", violation: (_before, way) => (way === "jump" ? saw : null) }] },
      { atQuiescence: [{ name: "no rest", violation: () => saw }], quiescent: ({ at }) => at === 9 },
      { inputs: ({ at }, emit) => emit(at === 4 ? "ride" : "on") },
      {
        step: (state, way) => (state.at === 11 ? { state: { ...state, at: 12 }, effects: [] } : walk.step(state, way)),
      },
    ];
    for (const part of broken) expect(await new Sweep({ ...walk, ...part }).run()).toBe(null);
  });

  test("Sweep goes on after a limit or a signal, to the same result", async () => {
    const whole = await new Sweep(walk).run();
    const sweep = new Sweep(walk);
    const some = await sweep.run({ stateLimit: 50 });
    expect([some?.outcome, some?.why?.replace(/\d+ states at depth \d+/, "…")]).toEqual([
      "incomplete",
      "state limit of 50 reached after …",
    ]);
    expect((await sweep.run({ signal: AbortSignal.abort() }))?.why).toBe("stopped by its caller");
    expect(await sweep.run()).toEqual(whole);
    expect(whole?.outcome).toBe("proved");
  });
});
