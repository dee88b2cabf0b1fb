import { describe, expect, test } from "vitest";
import type { PossibleDelivery } from "../execution.ts";
import { streamSeed } from "../random.ts";
import { type EventStep, scenario, type Touches } from "../scenario.ts";
import { sampled, wordOf } from "../testing/sampled.ts";
import { PriorityChooser, pos } from "./pos.ts";

const seed = streamSeed("pos", "schedule");
const nothing = (): void => undefined;

const delivery = (id: number, touches: Touches | null): PossibleDelivery => ({
  name: `s${id}:x#1`,
  source: `s${id}`,
  kind: "io",
  family: { id, label: "x" },
  touches,
  observed: null,
});

describe("PriorityChooser", () => {
  const all = [
    delivery(1, { writes: ["x"] }),
    delivery(2, { reads: ["x"] }),
    delivery(3, { writes: ["y"] }),
    delivery(4, null),
    delivery(5, {}),
  ];

  test("PriorityChooser draws the priority of what conflicts anew, and keeps all others", () => {
    const changed = (ran: PossibleDelivery): number[] => {
      const chooser = new PriorityChooser(seed);
      chooser.restart(1);
      chooser.delivery(all, all.length);
      const before = all.map((each) => chooser.priorityOf(each));
      expect(before).not.toContain(null);
      chooser.delivered(ran);
      return all.filter((each, at) => chooser.priorityOf(each) !== before[at]).map(({ family }) => family.id);
    };
    expect(all.map(changed)).toEqual([[1, 2, 4], [1, 2, 4], [3, 4], [1, 2, 3, 4], [5]]);
  });

  test("PriorityChooser runs what has the highest priority", () => {
    const chooser = new PriorityChooser(seed);
    for (let execution = 0; execution < 50; execution++) {
      chooser.restart(execution);
      const open = [...all];
      while (open.length > 1) {
        const index = chooser.delivery(open, open.length);
        const priorities = open.map((each) => chooser.priorityOf(each) ?? Number.NaN);
        expect(priorities[index]).toBe(Math.max(...priorities));
        for (const ran of open.splice(index, 1)) chooser.delivered(ran);
      }
    }
  });
});

describe("pos()", () => {
  const race = (declared: boolean) =>
    scenario("race", (world) => {
      const touching = (name: string): { touches?: Touches } => (declared ? { touches: { writes: [name] } } : {});
      const steps: EventStep[] = Array.from({ length: 9 }, (_, at) => [`${at}`, nothing, touching("own")]);
      world.events("a", [...steps, ["race", nothing, touching("x")]]);
      world.events("v", [["race", nothing, touching("x")]]);
    });
  const last = async (declared: boolean): Promise<number> => {
    const executions = await sampled(race(declared), pos(seed), 2_000);
    return executions.filter((execution) => wordOf(execution).endsWith("v")).length / executions.length;
  };

  test("pos() reverses a race at the end of independent deliveries far more often than the random walk", async () => {
    // The victim's priority is drawn once, and is the lowest of eleven.
    expect(Math.abs((await last(true)) - 1 / 11)).toBeLessThan(0.03);
  });

  test("pos() is the random walk where nothing is declared", async () => {
    expect(await last(false)).toBeLessThan(0.006);
  });
});
