import { defineConfig } from "vitest/config";

/** After an endless loop was ended inside somebody's async hook, Node 20 calls no new hook: what needs hooks runs apart. */
const needHooks = [
  "examples/leaks/**/*.test.ts",
  "sim/native/leaks/**/*.test.ts",
  "repro/{wait-graph,liveness}.test.ts",
  "properties/agent/goal-hangs.test.ts",
  "reports/{golden,around}.test.ts",
  "sim/native/drain.test.ts",
];
/** A module that a test puts another one in place of must not have been loaded for others before. */
const needOwnModules = ["**/*.in-place.test.ts"];
const apart = [...needHooks, ...needOwnModules];
const outside = ["**/node_modules/**", "dist", ".microloom"];

export default defineConfig({
  resolve: { conditions: ["microloom-source", "node", "import", "module", "default"] },
  ssr: { resolve: { conditions: ["microloom-source", "node", "import", "module", "default"] } },
  test: {
    pool: "forks",
    // As many as the machines have that run this in CI: equal everywhere, because it decides which files share a process.
    maxWorkers: 2,
    testTimeout: 60_000,
    silent: "passed-only",
    projects: [
      {
        extends: true,
        test: {
          name: "shared",
          include: ["**/*.test.ts"],
          exclude: [...outside, ...apart],
          isolate: false,
          sequence: { groupOrder: 1 },
        },
      },
      {
        extends: true,
        test: { name: "apart", include: apart, exclude: outside, isolate: true, sequence: { groupOrder: 0 } },
      },
    ],
  },
});
