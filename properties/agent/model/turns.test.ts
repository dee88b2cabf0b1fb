import { expect, test } from "vitest";
import type { AgentInput } from "../../../core/agent/state.ts";
import { transition } from "../../../core/agent/transition.ts";
import { Explorer } from "../../../sim/model/explorer.ts";
import { smallBounds } from "./bounds.ts";
import { agentModel } from "./model.ts";
import { usual } from "./testing/refute.ts";

/** Adds to every turn number in a value, wherever it stands. */
function later<T>(value: T, turns: number): T;
function later(value: unknown, turns: number): unknown {
  if (Array.isArray(value)) return value.map((item) => later(item, turns));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [
      name,
      (name === "turn" || name === "lastTurn") && typeof item === "number" ? item + turns : later(item, turns),
    ]),
  );
}

test("countedAnew() is right to count turns from anywhere: the reducer does the same five turns later", async () => {
  const explorer = new Explorer(agentModel({ policy: usual, bounds: smallBounds }));
  await explorer.run({ stateLimit: 1_500 });
  let compared = 0;
  for (let number = 0; number < explorer.explored.table.states; number += 10) {
    const world = explorer.explored.stateAt(number);
    for (const input of explorer.explored.inputsOf(world)) {
      const given: AgentInput | null = input.type === "crash" ? null : input.type === "late" ? input.report : input;
      if (given === null) continue;
      const now = transition(usual, world.agent, given);
      expect(transition(usual, later(world.agent, 5), later(given, 5))).toEqual(later(now, 5));
      compared++;
    }
  }
  expect(compared).toBeGreaterThan(1_500);
});
