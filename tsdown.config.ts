import { defineConfig } from "tsdown";

export default defineConfig({
  entry: {
    index: "index.ts",
    "core/index": "core/index.ts",
    "core/messages/index": "core/messages/index.ts",
    "properties/index": "properties/index.ts",
    "adapters/setup/index": "adapters/setup/index.ts",
    "adapters/runtime/index": "adapters/runtime/index.ts",
    "adapters/loader/index": "adapters/loader/index.ts",
    "adapters/loader/hooks": "adapters/loader/hooks.ts",
    "adapters/vite/index": "adapters/vite/index.ts",
    "adapters/vitest/index": "adapters/vitest/index.ts",
    "adapters/fast-check/index": "adapters/fast-check/index.ts",
    "adapters/fast-check/fc": "adapters/fast-check/fc.ts",
    "cli/main": "cli/main.ts",
    "cli/prove-worker": "cli/prove-worker.ts",
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
  // An entry may hold what others need; nobody sees that.
  inputOptions: { preserveEntrySignatures: "allow-extension" },
  outputOptions: {
    codeSplitting: {
      // What a group's modules import belongs to other groups, or to nobody.
      includeDependenciesRecursively: false,
      groups: [
        // What is judged is lowered, and what judges it never is: the loader tells them apart by their folders.
        { name: "judged", test: /^(?!.*\/node_modules\/).*\/(?:core|properties)\//, entriesAware: true },
      ],
    },
    chunkFileNames: ({ name }) => (name.startsWith("judged") ? "judged/[hash].js" : "[name]-[hash].js"),
  },
  // What is bundled brings its licence.
  copy: [{ from: "node_modules/zod/LICENSE", to: "dist", rename: "LICENSE-zod" }],
  // From its own hundred files zod takes as long to load as all of this package.
  deps: { neverBundle: ["vite", "vitest", "fast-check"], alwaysBundle: ["zod"] },
});
