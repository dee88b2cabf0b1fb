import { expect, test } from "vitest";
import { type Scenario, scenario, type World } from "../../sim/scenario.ts";
import { search } from "../../sim/search.ts";
import { makeOutside, type OutsideOptions, plainLabels } from "./outside.ts";

const defaults: OutsideOptions = {
  labels: plainLabels,
  chunks: 2,
  plan: () => ({ tools: ["read", "write"], outcome: "continue" }),
  slow: [],
  mayFail: [],
};

/** One step, and a user who may abort it at any time; `check` sees what became of it when nothing is left to happen. */
function oneStep(options: Partial<OutsideOptions>, check: (end: string, abortedBefore: boolean) => boolean): Scenario {
  return scenario("one step", (world: World) => {
    const outside = makeOutside(world, { ...defaults, ...options });
    const controller = new AbortController();
    let end = "live";
    let abortedBefore = false;
    const settle = (how: string) => {
      end = how;
      abortedBefore = controller.signal.aborted;
    };
    world.events("user", [
      [
        "ask",
        () =>
          void outside
            .runStep({ turn: 1, step: 1, messages: [], signal: controller.signal })
            .then(settle, (reason: unknown) => settle(reason instanceof Error ? reason.message : String(reason))),
      ],
      ["abort", () => controller.abort("stop")],
    ]);
    world.always(
      "a step that was aborted is live until its teardown",
      () => end === "live" || !abortedBefore || end === "stop",
    );
    world.atQuiescence("the step has settled", () => check(end, abortedBefore));
    world.sometimes("aborted", () => abortedBefore);
    world.sometimes("ran to its end", () => end === "continue");
  });
}

test("makeOutside() runs a step to its outcome, or rejects it with the reason of its abort, in every order", async () => {
  const step = oneStep({}, (end, abortedBefore) => end === (abortedBefore ? "stop" : "continue"));
  const result = await search(step, { level: "spec", strategy: "depth-first", executions: 10_000 });
  expect(result).toMatchObject({ outcome: "held", certificate: { level: "spec" }, reached: { missing: [] } });
});

test("makeOutside() tears a step down in a delivery of its own, after the abort", async () => {
  const step = oneStep({ chunks: 1, plan: () => ({ tools: [], outcome: "completed" }) }, (end) => end !== "stop");
  const result = await search(step, { level: "spec", strategy: "depth-first", executions: 1_000 });
  if (result.outcome !== "violated") throw new Error(`Expected an aborted step, found that it ${result.outcome}`);
  const names = result.execution.steps.map(({ name }) => name);
  expect(names.indexOf("agent:teardown#1")).toBeGreaterThan(names.indexOf("user:abort#1"));
});

test("makeOutside() fails the step that the plan wants to fail", async () => {
  const step = oneStep(
    { plan: () => ({ tools: [], outcome: "failed" }) },
    (end) => end === "The model failed in step 1.1",
  );
  expect(await search(step, { strategy: "first-come" })).toMatchObject({ outcome: "held" });
});
