import { relative } from "node:path";
import { createContext, runInContext } from "node:vm";
import { gzipSync } from "node:zlib";
import { build as esbuild } from "esbuild";
import { rolldown } from "rolldown";
import { expect, test } from "vitest";
import type * as Core from "./index.ts";

/** What a web page pays for the whole core; who imports less of it pays less. */
const limitBytes = 8_192;

test("core/index.ts stays small, whoever minifies it", async () => {
  const { code, largest } = await bundle("esm");
  for (const [minifier, text] of Object.entries({ rolldown: code, esbuild: await minifiedByEsbuild() })) {
    const found = gzipSync(text, { level: 9 }).length;
    const message = `Cannot ship core/: expected less than ${limitBytes} bytes from ${minifier}, found ${found}; the largest files, before both:`;
    expect(found, [message, ...largest].join("\n")).toBeLessThan(limitBytes);
  }
});

test("core/index.ts runs in a browser: one turn, and one lease taken and given back", async () => {
  const { code } = await bundle("iife");
  // What is missing here is missing in a browser, or not needed: process, Buffer, require, setImmediate, structuredClone.
  const browser = createContext({ queueMicrotask, AbortController, setTimeout, clearTimeout, performance });
  expect(runInContext("typeof process + typeof require + typeof structuredClone", browser)).toBe("undefined".repeat(3));
  const { createAgent, createLeaseScheduler }: typeof Core = runInContext(`${code};core`, browser);

  const log: string[] = [];
  const agent = createAgent({
    append: async ({ type }) => void log.push(type),
    propose: async ({ messages }) => ({ kind: "enter", messages }),
    runStep: async () => "completed",
  });
  agent.followUp("a", "hello");
  await agent.whenIdle();
  expect(log).toStrictEqual(["inbox/inserted", "turn/start", "inbox/removed", "user/message", "turn/end"]);

  const scheduler = createLeaseScheduler({ approve: async () => true });
  const { signal } = new AbortController();
  const footprint = { kind: "file", path: "src/a.ts" } as const;
  const grant = await scheduler.acquire({ call: "c", owner: "o", footprint, signal });
  expect(scheduler.canWrite(grant, "src/a.ts")).toBe(true);
  grant.release();
  expect(scheduler.canWrite(grant, "src/a.ts")).toBe(false);
});

/** The way Vite 8 builds an application. */
async function bundle(format: "esm" | "iife") {
  const build = await rolldown({
    input: "core/index.ts",
    platform: "browser",
    transform: { target: "es2022" },
    resolve: { conditionNames: ["microloom-source"] },
  });
  const {
    output: [{ code, modules }],
  } = await build.generate({ format, name: "core", minify: true });
  const largest = Object.entries(modules)
    .map(([path, { renderedLength }]) => ({ path: relative(process.cwd(), path), renderedLength }))
    .sort((one, other) => other.renderedLength - one.renderedLength)
    .slice(0, 5)
    .map(({ path, renderedLength }) => `  ${path}: ${renderedLength} characters`);
  return { code, largest };
}

/** The way applications are built that have esbuild for a minifier; it has other habits with names. */
async function minifiedByEsbuild() {
  const { outputFiles } = await esbuild({
    entryPoints: ["core/index.ts"],
    bundle: true,
    minify: true,
    format: "esm",
    platform: "browser",
    target: "es2022",
    charset: "utf8",
    conditions: ["microloom-source"],
    write: false,
  });
  return outputFiles.map(({ text }) => text).join("");
}
