import { createContext, runInContext } from "node:vm";
import { gzipSync } from "node:zlib";
import { type BuildOptions, build } from "esbuild";
import { expect, test } from "vitest";
import type * as Core from "./index.ts";

/** What a web page pays for the whole core; who imports less of it pays less. */
const limitBytes = 10_240;

const options: BuildOptions = {
  entryPoints: ["core/index.ts"],
  bundle: true,
  minify: true,
  format: "esm",
  platform: "browser",
  target: "es2022",
  charset: "utf8",
  conditions: ["microloom-source"],
  write: false,
  metafile: true,
};

test("core/index.ts stays small", async () => {
  const { bytes, largest } = await bundle(options);
  const found = gzipSync(bytes, { level: 9 }).length;
  const message = `Cannot ship core/: expected less than ${limitBytes} bytes, found ${found}; the largest files, unzipped:`;
  expect(found, [message, ...largest].join("\n")).toBeLessThan(limitBytes);
});

test("core/index.ts runs in a browser: one turn, and one lease taken and given back", async () => {
  const { text } = await bundle({ ...options, format: "iife", globalName: "core" });
  // What is missing here is missing in a browser, or not needed: process, Buffer, require, setImmediate, structuredClone.
  const browser = createContext({ queueMicrotask, AbortController, setTimeout, clearTimeout, performance });
  expect(runInContext("typeof process + typeof require + typeof structuredClone", browser)).toBe("undefined".repeat(3));
  const { createAgent, createLeaseScheduler }: typeof Core = runInContext(`${text};core`, browser);

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

async function bundle(options: BuildOptions) {
  const { outputFiles = [], metafile } = await build(options);
  const [file] = outputFiles;
  if (file === undefined) throw new Error("Cannot bundle core/index.ts: expected one output, found none");
  const largest = Object.values(metafile?.outputs ?? {})
    .flatMap(({ inputs }) => Object.entries(inputs))
    .sort(([, one], [, other]) => other.bytesInOutput - one.bytesInOutput)
    .slice(0, 5)
    .map(([path, { bytesInOutput }]) => `  ${path}: ${bytesInOutput} bytes`);
  return { bytes: file.contents, text: file.text, largest };
}
