import { defineConfig } from "vitest/config";

export default defineConfig({
  resolve: { conditions: ["microloom-source", "node", "import", "module", "default"] },
  ssr: { resolve: { conditions: ["microloom-source", "node", "import", "module", "default"] } },
  test: {
    include: ["**/*.test.ts"],
    exclude: ["**/node_modules/**", "dist", ".microloom"],
    pool: "forks",
    isolate: false,
    testTimeout: 60_000,
    silent: "passed-only",
  },
});
