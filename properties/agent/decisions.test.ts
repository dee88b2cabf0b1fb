import { expect, test } from "vitest";
import type { Decision, Message } from "../../core/agent/state.ts";
import { scenario } from "../../sim/scenario.ts";
import { search } from "../../sim/search.ts";
import { makeOutside, type OutsideOptions, plainLabels } from "./outside.ts";
import { coreAgent } from "./scenarios.ts";
import { cancel, presets, type Script, send } from "./script.ts";

const options: OutsideOptions = {
  labels: plainLabels,
  chunks: 1,
  plan: () => ({ tools: [], outcome: "completed" }),
  slow: [],
  mayFail: [],
  decides: true,
};
const a: Message = { id: "a", ...presets.followUp };
const b: Message = { id: "b", ...presets.followUp };

/** All ends that a step, asked for as `step` and perhaps aborted, can come to; the first is that of the plain choice. */
async function endsOf(step: number, { hangs = false, aborts = false } = {}): Promise<readonly string[]> {
  const ends: string[] = [];
  const deciding = scenario("one step", (world) => {
    const outside = makeOutside(world, { ...options, hangs });
    const controller = new AbortController();
    let end = "hangs";
    const call = { turn: 1, step, messages: [], signal: controller.signal };
    const ask = () =>
      void outside.runStep(call).then(
        (outcome) => {
          end = outcome;
        },
        (reason: unknown) => {
          end = reason instanceof Error ? "failed" : String(reason);
        },
      );
    world.events("user", [["ask", ask], ...(aborts ? [["abort", () => controller.abort("stop")] as const] : [])]);
    world.atQuiescence("seen", () => ends.push(end) > 0);
  });
  const result = await search(deciding, { strategy: "depth-first", executions: 10_000 });
  expect(result).toMatchObject({ outcome: "held", certificate: { level: "spec" } });
  return [...new Set(ends)];
}

test("decidePlan() completes first of all, and lets the first two steps of a turn call tools", async () => {
  const [plain, ...others] = await endsOf(1);
  expect(plain).toBe("completed");
  expect(others.toSorted()).toEqual(["continue", "failed", "max-tokens"]);
  expect((await endsOf(3)).toSorted()).toEqual(["completed", "failed", "max-tokens"]);
});

test("a model that hangs does so until it is aborted", async () => {
  expect(await endsOf(3, { hangs: true })).toContain("hangs");
  const aborted = await endsOf(3, { hangs: true, aborts: true });
  expect(aborted).toContain("stop");
  expect(aborted).not.toContain("hangs");
});

test("decideProposal() lets all enter first of all; or a part, none, a refusal, or an error", async () => {
  const decisions: string[] = [];
  const words = (decision: Decision) =>
    decision.kind === "enter" ? `enter ${decision.messages.map(({ id }) => id).join("")}` : decision.kind;
  const proposing = scenario("a proposal", async (world) => {
    const outside = makeOutside(world, options);
    const call = { turn: 1, step: 1, messages: [a, b], signal: new AbortController().signal };
    try {
      decisions.push(words(await outside.propose(call)));
    } catch {
      decisions.push("throw");
    }
  });
  await search(proposing, { strategy: "depth-first", executions: 100 });
  expect(decisions[0]).toBe("enter ab");
  expect([...new Set(decisions)].toSorted()).toEqual(["enter ", "enter ab", "enter b", "reject", "throw"]);
});

test("nobody is blamed for waiting for a model that hangs, and a stop ends the wait", async () => {
  const hangs = { type: "outside", hangs: true } as const;
  const scripts: readonly Script[] = [
    [hangs, send("a"), { type: "await", name: "idle" }, send("b")],
    [hangs, send("a"), send("b"), cancel("stop", { keepInbox: true }), { type: "await", name: "idle" }],
    [{ ...hangs, decides: true }, send("a"), send("b"), { type: "dispose" }],
  ];
  for (const script of scripts) {
    const result = await search(coreAgent, { strategy: "random", executions: 200, script });
    expect(result).toMatchObject({ outcome: "held" });
  }
});
