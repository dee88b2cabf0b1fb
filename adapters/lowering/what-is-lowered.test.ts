import { resolve } from "node:path";
import { expect, test } from "vitest";
import { isToBeLowered } from "./what-is-lowered.ts";

const installed = "/home/ada/project/node_modules/microloom";

test.each([
  ["a file of a project", "/home/ada/project/src/agent.ts"],
  ["a dependency", "/home/ada/project/node_modules/p-queue/dist/index.js"],
  ["the core in source", resolve("core/agent/host.ts")],
  ["a subject that it judges", resolve("properties/agent/subjects/by-the-book.ts")],
  ["an example", resolve("examples/late-wake.scenario.ts")],
  ["a scenario for a test", resolve("cli/testing/throws.scenario.ts")],
  ["the core that was built", resolve("dist/core/index.js")],
  ["what is judged, built and installed", `${installed}/dist/judged/A1b2.js`],
  ["a package of its name that is not it", "/home/ada/project/node_modules/microloom-extras/dist/index.js"],
])("isToBeLowered() takes %s", (_what, path) => {
  expect(isToBeLowered(path)).toBe(true);
});

test.each([
  ["the engine in source", resolve("sim/native/engine.ts")],
  ["the runtime", resolve("sim/microtask/runtime.ts")],
  ["the lowering", resolve("sim/lowering/lower.ts")],
  ["the front door", resolve("index.ts")],
  ["the engine that was built", resolve("dist/explore-A1b2.js")],
  ["another copy of the engine", `${installed}/dist/explore-A1b2.js`],
  ["another copy in a store", `/store/.pnpm/microloom@1.0.0/node_modules/microloom/dist/adapters/loader/index.js`],
  ["who lowers", "/home/ada/project/node_modules/acorn/dist/acorn.mjs"],
  ["who runs the tests", "/home/ada/project/node_modules/@vitest/runner/dist/index.js"],
])("isToBeLowered() leaves %s as it is", (_what, path) => {
  expect(isToBeLowered(path)).toBe(false);
});
