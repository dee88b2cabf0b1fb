/** What a reader sees around a failure, told by a search and by a replay: the notes, and a hint only where it helps. */
import { describe, expect, test } from "vitest";
import { explore } from "../repro/explore.ts";
import { replay, replayInFull } from "../repro/replay.ts";
import { type Scenario, scenario } from "../sim/scenario.ts";
import { renderExplore, renderReplay } from "./console.ts";

const options = { color: false, full: false, replayArguments: null, command: "npx microloom" };
const realIo = "does it wait for real I/O?";

/** The reports of a search and of a replay, as far as they go without asking for all. */
async function both(subject: Scenario): Promise<readonly (readonly string[])[]> {
  const result = await explore(subject);
  if (result.outcome !== "violated") throw new Error(`${subject.name} ${result.outcome}`);
  const again = await replay(subject, result.repro);
  return [renderExplore("x", result, options), renderReplay("x", result.repro, again, options)];
}

const noting = scenario("noting", (world) => {
  world.note("opened", { stock: 3 });
  world.actor("ada", async () => {
    for (let sold = 1; sold <= 8; sold++) {
      await world.io("sell", () => sold);
      world.note("sold", { sold });
    }
  });
  world.atQuiescence("three are sold", () => false);
});

describe("notes", () => {
  test("are told, the last of them, with the delivery in whose drain they were written", async () => {
    for (const lines of await both(noting)) {
      const from = lines.indexOf("  What was noted last, after 4 other notes:");
      expect(lines.slice(from + 1, from + 6)).toEqual([
        '    the fourth "sell" (ada): sold {"sold":4}',
        '    the fifth "sell" (ada): sold {"sold":5}',
        '    the sixth "sell" (ada): sold {"sold":6}',
        '    the seventh "sell" (ada): sold {"sold":7}',
        '    the eighth "sell" (ada): sold {"sold":8}',
      ]);
    }
  });

  test("of the beginning are told as such", async () => {
    const subject = scenario("opened", (world) => {
      world.note("opened");
      world.atQuiescence("never", () => false);
    });
    for (const lines of await both(subject)) {
      const from = lines.indexOf("  What was noted:");
      expect(lines[from + 1]).toBe("    before the first delivery: opened");
    }
  });

  test("stand at their steps in a replay that is told in full", async () => {
    const result = await explore(noting);
    if (result.outcome !== "violated") throw new Error(result.outcome);
    const { result: again, execution } = await replayInFull(noting, result.repro);
    const lines = renderReplay("x", result.repro, again, { ...options, full: true, execution });
    const steps = lines.slice(lines.indexOf("  Every step:"));
    expect(steps[1]).toBe('      opened {"stock":3}');
    expect(steps.filter((line) => /^ {7}sold \{/.test(line))).toHaveLength(8);
    expect(lines.some((line) => line.startsWith("  What was noted"))).toBe(false);
  });
});

describe("the hint at real I/O", () => {
  test("is not given where a circle of waits explains all", async () => {
    const subject = scenario("each other", (world) => {
      const flows: Promise<unknown>[] = [];
      const first = (async () => {
        await world.delay("begin");
        await flows[1];
      })();
      const second = first.then(() => "done");
      flows.push(world.settles("first", first), world.settles("second", second));
    });
    for (const lines of await both(subject)) {
      expect(lines.join("\n")).toContain("in a circle: first → second → first");
      expect(lines.join("\n")).not.toContain(realIo);
    }
  });

  test("is not given where it is known what is waited for", async () => {
    const subject = scenario("lost wake-up", (world) => {
      world.actor("driver", () => new Promise(() => undefined));
    });
    for (const lines of await both(subject)) {
      expect(lines.join("\n")).toContain("which nobody has settled");
      expect(lines.join("\n")).not.toContain(realIo);
    }
  });

  test("is given where the way is lost", async () => {
    const subject = scenario("lost", (world) => {
      const callsNobody: object = { then: () => undefined };
      world.actor("driver", async () => {
        await callsNobody;
      });
    });
    for (const lines of await both(subject)) expect(lines.join("\n")).toContain(realIo);
  });
});
