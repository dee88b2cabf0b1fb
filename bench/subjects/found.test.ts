/** The kit finds every subject as it would find a stranger's fault, and finds nothing in who is right. */
import { describe, expect, test } from "vitest";
import { createAgent } from "../../core/index.ts";
import { agentCheck, type MakeAgent } from "../../properties/agent/check-agent.ts";
import { drawn } from "../../properties/agent/mutants/testing/drawn.ts";
import { ByTheBook } from "../../properties/agent/subjects/by-the-book.ts";
import { ParksLateWakes } from "../../properties/agent/subjects/parks-late-wakes.ts";
import { agentSubjects } from "../../properties/agent/subjects/table.ts";
import { type Checked, findAnything, findBreach } from "./found.ts";

// A check takes a while on a busy machine; how long says nothing about the agents.
const timeoutMs = 300_000;
const checking =
  (make: MakeAgent): Checked =>
  (plan) =>
    agentCheck(make, plan);
// One of the seeds that `npm run explore:all` tries every night.
const terms = { seed: "0", executions: 3_000 };
const verdicts = { spec: "bug", jitter: "fragile", free: "unordered" };

describe("findBreach()", () => {
  // Some of them here; CI and the night find all, by the command.
  for (const { name, make, breaks, level } of drawn(agentSubjects)) {
    test(`finds that ${name} breaks ${breaks[0]} at level ${level}`, { timeout: timeoutMs }, async () => {
      const found = await findBreach(checking(make), breaks[0], { ...terms, level });
      expect(found).toMatchObject({ verdict: verdicts[level] });
      expect(found?.executions).toBeLessThanOrEqual(terms.executions);
    });
  }

  test("says so where a budget was too small", async () => {
    const checked = checking((ports) => new ParksLateWakes(ports));
    expect(await findBreach(checked, "agent/dispose-fence", { ...terms, executions: 100, scripts: 4 })).toBeNull();
  });
});

describe("findAnything()", () => {
  // At night a control gets a hundred thousand.
  const few = { ...terms, executions: 200, scripts: 8 };
  const controls: Readonly<Record<string, MakeAgent>> = {
    "an agent by the book": (ports) => new ByTheBook(ports),
    "the core": (ports) => createAgent(ports),
  };
  for (const [name, make] of Object.entries(controls)) {
    for (const level of ["spec", "jitter"] as const) {
      test(`finds nothing in ${name} at level ${level}`, async () => {
        const { broken, problems, executions } = await findAnything(checking(make), { ...few, level });
        expect({ broken, problems, executions }).toEqual({ broken: [], problems: [], executions: few.executions });
      });
    }
  }

  test("finds what is wrong, and goes on to the end", async () => {
    const { broken, executions } = await findAnything(
      checking((ports) => new ParksLateWakes(ports)),
      few,
    );
    expect(new Set(broken.map(({ invariant }) => invariant))).toEqual(new Set(["agent/no-dropped-wake"]));
    expect(executions).toBe(few.executions);
  });
});
