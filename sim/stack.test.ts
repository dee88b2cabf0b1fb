import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { portablePath, portableStack, userFrames } from "./stack.ts";

test("portableStack() keeps frames of user code, with paths from their package", () => {
  const here = new URL("../core/agent/host.ts", import.meta.url);
  const stack = [
    "Error: boom",
    `    at Host.start (${here.href}:10:5)`,
    `    at async Promise.all (index 0)`,
    `    at ${here.pathname}:11:6`,
    `    at Engine.execute (${new URL("./native/engine.ts", import.meta.url).pathname}:1:2)`,
    "    at node:internal/timers:569:17",
    "    at run (/elsewhere/node_modules/library/index.js:3:4)",
  ].join("\n");
  expect(portableStack(stack)).toBe(
    [
      "at Host.start (core/agent/host.ts:10:5)",
      "at core/agent/host.ts:11:6",
      "at run (node_modules/library/index.js:3:4)",
    ].join("\n"),
  );
});

test("userFrames() tells who was waiting, with or without a name", () => {
  const at = new URL("../core/agent/host.ts", import.meta.url).pathname;
  const stack = `Error\n    at ask (${at}:1:2)\n    at async drive (${at}:3:4)\n    at async ${at}:5:6`;
  expect(userFrames(stack).map(({ name, async }) => [name, async])).toEqual([
    ["ask", false],
    ["drive", true],
    [undefined, true],
  ]);
});

test("portableStack() is null where no frame is the user's", () => {
  expect(portableStack("Error: boom\n    at node:internal/timers:569:17")).toBeNull();
  expect(portableStack("")).toBeNull();
});

test("portablePath() starts at the last node_modules", () => {
  expect(portablePath("/a/node_modules/b/node_modules/c/d.js")).toBe("node_modules/c/d.js");
});

test("userFrames() leaves out every file of this package that ships, but not what is judged", () => {
  const root = join(import.meta.dirname, "..");
  // Folders that other tests make and take away begin with a dot.
  const folders = readdirSync(root).filter((name) => !/^(?:\..*|node_modules|dist)$/.test(name));
  const files = folders
    .flatMap((name) => {
      if (!statSync(join(root, name)).isDirectory()) return [name];
      return readdirSync(join(root, name), { recursive: true, encoding: "utf8" }).map((file) => `${name}/${file}`);
    })
    .map((file) => file.replaceAll("\\", "/"))
    .filter((file) => file.endsWith(".ts"));
  const shown = files.filter((file) => userFrames(`Error\n    at f (${join(root, file)}:1:2)`).length > 0);
  const ours = /^(?:sim|repro|reports|properties|adapters|cli)\/|^index\.ts$/;
  const judged = /^(?:core|examples|bench)\/|\/(?:subjects|mutants|testing)\/|\.test\.ts$|^[^/]+\.config\.ts$/;
  expect(files.length).toBeGreaterThan(300);
  // Nothing is neither, so a new folder has to be put to one side.
  expect(files.filter((file) => !ours.test(file) && !judged.test(file))).toEqual([]);
  expect(shown.filter((file) => ours.test(file) && !judged.test(file))).toEqual([]);
  expect(shown).toEqual(expect.arrayContaining(files.filter((file) => /^(?:core|examples|bench)\//.test(file))));
  expect(shown.some((file) => /^properties\/\w+\/subjects\//.test(file))).toBe(true);
});
