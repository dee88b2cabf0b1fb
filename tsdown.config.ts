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
    "adapters/fast-check/fc": "adapters/fast-check/fc.ts",
    "cli/main": "cli/main.ts",
  },
  format: "esm",
  platform: "node",
  target: "node20.19",
  dts: true,
  fixedExtension: false,
  // Bundled into the module that exports it as a namespace, `export * from "fast-check"` would be lost from its types.
  plugins: [
    {
      name: "fc is a module of its own",
      resolveId: {
        order: "pre",
        handler: (source, importer) =>
          source === "./fc.ts" && importer !== undefined ? { id: "./fc.js", external: true } : null,
      },
    },
  ],
  // What is bundled brings its licence.
  copy: [{ from: "node_modules/zod/LICENSE", to: "dist", rename: "LICENSE-zod" }],
  // From its own hundred files zod takes as long to load as all of this package.
  deps: { neverBundle: ["vitest", "fast-check"], alwaysBundle: ["zod"] },
});
