/** Every promise that the kit judges can be broken by one line, and the kit says so; an invariant that sleeps would not. */
import { describe, expect, test } from "vitest";
import { checkAgent } from "../check-agent.ts";
import { agentInvariants } from "../contract.ts";
import { agentPromises } from "../family.ts";
import { drawn } from "../mutants/testing/drawn.ts";
import { describeScript } from "../scripts.ts";
import { agentWith } from "../testing/plant.ts";
import { plants } from "../testing/plants.ts";

const few = { executions: 60 };

describe("an agent by the book", () => {
  test("has a line planted for every promise, and for each half of one that has two", () => {
    expect(new Set(plants.map(({ breaks }) => breaks))).toEqual(new Set(agentPromises));
    for (const name of agentPromises) {
      const halves = agentInvariants.filter(({ invariant }) => invariant.name === name);
      const said = new Set(plants.filter(({ breaks }) => breaks === name).map(({ says }) => says));
      expect([name, said.size]).toEqual([name, halves.length]);
    }
  });

  // Five of them, drawn anew for every commit; at night all.
  for (const { breaks, told, script, says = "", ...line } of drawn(plants)) {
    test(`that ${told} breaks ${breaks}`, async () => {
      const { broken } = await checkAgent(await agentWith([line]), { ...few, script });
      const details = broken.filter(({ invariant }) => invariant === breaks).map(({ violation }) => violation.detail);
      expect(details).toEqual([expect.stringContaining(says)]);
    });
  }

  test("breaks nothing in any of these stories with nothing planted", async () => {
    const make = await agentWith([]);
    for (const script of new Map(plants.map(({ script }) => [describeScript(script), script])).values()) {
      const { broken, problems } = await checkAgent(make, { ...few, script });
      expect({ script, broken, problems }).toEqual({ script, broken: [], problems: [] });
    }
  });
});
