import { defineConfig } from "tsdown";

export default defineConfig({
  entry: {
    index: "index.ts",
    "core/index": "core/index.ts",
    "core/messages/index": "core/messages/index.ts",
    "properties/index": "properties/index.ts",
    "adapters/setup/index": "adapters/setup/index.ts",
    "adapters/vitest/index": "adapters/vitest/index.ts",
    "adapters/fast-check/index": "adapters/fast-check/index.ts",
    "cli/main": "cli/main.ts",
  },
  format: "esm",
  platform: "node",
  target: "node20.19",
  dts: true,
  fixedExtension: false,
  deps: { neverBundle: ["vitest", "fast-check"] },
});
