import { describe, expect, test } from "vitest";
import { createAgent } from "../../core/agent/host.ts";
import { search } from "../../sim/search.ts";
import { keptSituations, type MakeSubject } from "./kept.ts";
import { wakeAfterTurnEnd } from "./kept-wake.ts";
import { agentScenario } from "./scenarios.ts";
import { lateWake, send } from "./script.ts";
import { ByTheBook } from "./subjects/by-the-book.ts";
import { LooksThenLeaves } from "./subjects/looks-then-leaves.ts";
import { agentSubjects } from "./subjects/table.ts";
import { agentWith } from "./testing/plant.ts";

const right: Readonly<Record<string, MakeSubject>> = {
  "the core": (ports) => createAgent(ports),
  "by the book": (ports) => new ByTheBook(ports),
};

/** Nobody in the table gets these wrong, so an agent by the book does, in so many lines. */
const wrong = new Map<string, MakeSubject>([
  ...agentSubjects.map(({ name, make }) => [name, make] as const),
  [
    "a stop that waits for somebody to come",
    await agentWith([
      {
        file: "by-the-book.ts",
        line: "this.#activity?.stop(cause);",
        becomes: "setTimeout(() => this.#activity?.stop(cause), 0);",
      },
    ]),
  ],
  [
    "a latch that outlives dispose",
    await agentWith([
      { file: "by-the-book.ts", line: "    this.#activity?.latched.clear();", becomes: "" },
      {
        file: "by-the-book.ts",
        line: "if (!this.#disposed && activity.isWoken(this.#inbox)) {",
        becomes: "if (activity.isWoken(this.#inbox)) {",
      },
    ]),
  ],
]);

describe("kept situations", () => {
  for (const { name, subject, breaks, scenario } of keptSituations) {
    for (const [who, make] of Object.entries(right)) {
      test(`${name}: ${who} holds`, async () => {
        const options = { executions: 120, seed: name };
        const atSpec = await search(scenario(make), options);
        expect(atSpec).toMatchObject({ outcome: "held", reached: { missing: [] } });
        expect(await search(scenario(make), { ...options, executions: 60, level: "jitter" })).toMatchObject({
          outcome: "held",
        });
      });
    }

    test(`${name}: ${subject} does not`, async () => {
      const make = wrong.get(subject);
      if (make === undefined) throw new Error(`There is no subject "${subject}"`);
      const found = await search(scenario(make), { executions: 500 });
      expect(found).toMatchObject({ outcome: "violated", violation: { name: breaks } });
    });
  }
});

describe("a wake k ticks after turn/end has landed", () => {
  // Far more than any drain here has; a wake that never finds the agent at rest would go on for ever.
  const ticksMost = 60;

  /** Tries every k until the wake comes when all is over; tells at which ones it is lost, and how many there are. */
  async function lostAt(make: MakeSubject, turn: "completed" | "stopped") {
    const lost: number[] = [];
    let atRest = false;
    let ticks = 0;
    for (; !atRest; ticks++) {
      expect(ticks).toBeLessThan(ticksMost);
      const onWake = (isAtRest: boolean) => {
        atRest = isAtRest;
      };
      const found = await search(wakeAfterTurnEnd(make, { ticks, turn, onWake }), { strategy: "first-come" });
      if (found.outcome === "held") continue;
      expect(found).toMatchObject({ outcome: "violated", violation: { name: "agent/no-dropped-wake" } });
      lost.push(ticks);
    }
    return { lost, ticks };
  }

  for (const turn of ["completed", "stopped"] as const) {
    for (const [who, make] of Object.entries(right)) {
      test(`${who} loses none, the turn ${turn}`, async () => {
        const { lost, ticks } = await lostAt(make, turn);
        expect(lost).toEqual([]);
        expect(ticks).toBeGreaterThan(3);
      });
    }
  }

  // Between its two looks only a latched wake is seen, and only a stopped turn latches; after the second, none is.
  test.each([
    ["completed", [4, 5]],
    ["stopped", [5]],
  ] as const)("looks-then-leaves loses those between a look and its exit, the turn %s", async (turn, lost) => {
    expect(await lostAt((ports) => new LooksThenLeaves(ports), turn)).toEqual({ lost, ticks: 9 });
  });

  test("nor does an agent by the book lose one in any order of arrival at level jitter", async () => {
    for (const script of [lateWake, [send("a"), send("b")]]) {
      const scenario = agentScenario({ name: "by the book", make: (ports) => new ByTheBook(ports) });
      const found = await search(scenario, { level: "jitter", strategy: "depth-first", executions: 100_000, script });
      expect(found).toMatchObject({ outcome: "held", certificate: { level: "jitter" } });
    }
  });
});
