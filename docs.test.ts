/**
 * Everything in the README is true: each command is run and its output compared, each file shown is the file. To record
 * it again after a change that is meant: `npm run record`, then review the diff.
 */
import { readFile, writeFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { run } from "./cli/testing/command.ts";
import { agentPromises } from "./properties/agent/family.ts";
import { leasePromises } from "./properties/lease/family.ts";

const record = process.env.MICROLOOM_RECORD === "1";
const consoleBlock = /```console\n\$ (.*)\n([\s\S]*?)```/g;
const shown = /<!-- file: (\S+) -->\n```(\w+)\n([\s\S]*?)```/g;
// At its first call npx installs this package for itself, which builds it anew. `npm test` calls it before anything runs, so
// that no test finds the folder empty.
/** Commands that a test cannot run inside itself; CI runs them. */
const runByCi = ["npm ci && npm start", "npm ci && npm test"];

// A dozen commands, one after the other: on a busy machine that takes more than a test usually has.
test("README.md shows the output that its commands give today", { timeout: 300_000 }, async () => {
  const text = await readFile("README.md", "utf8");
  const blocks = [...text.matchAll(consoleBlock)];
  expect(blocks.length).toBeGreaterThan(2);
  let now = text;
  for (const [block, command = "", output] of blocks) {
    const ran = await run("bash", ["-c", command]);
    expect(ran.err, command).toBe("");
    const fresh = ran.out.replace(/\n+$/, "\n");
    if (record) now = now.replace(block, () => `\`\`\`console\n$ ${command}\n${fresh}\`\`\``);
    else expect(output, command).toBe(fresh);
  }
  if (record) await writeFile("README.md", now);
});

test("the tour takes at most 40 lines", async () => {
  const text = await readFile("README.md", "utf8");
  const tour = [...text.matchAll(consoleBlock)].find(([, command]) => command === "npm start --silent");
  const lines = (tour?.[2] ?? "").trimEnd().split("\n").length;
  expect(lines).toBeGreaterThan(10);
  expect(lines).toBeLessThanOrEqual(40);
});

test("README.md shows files as they are", async () => {
  let text = await readFile("README.md", "utf8");
  const blocks = [...text.matchAll(shown)];
  expect(blocks.length).toBeGreaterThan(1);
  for (const [block, path = "", language, content] of blocks) {
    const file = await readFile(path, "utf8");
    if (record) text = text.replace(block, () => `<!-- file: ${path} -->\n\`\`\`${language}\n${file}\`\`\``);
    else expect(content, path).toBe(file);
  }
  if (record) await writeFile("README.md", text);
});

test("README.md names no command that nothing runs", async () => {
  const text = await readFile("README.md", "utf8");
  const commands = [...text.matchAll(/```(?:sh|bash|shell)\n([\s\S]*?)```/g)].flatMap(([, block = ""]) =>
    block.split("\n").filter((line) => line.trim() !== ""),
  );
  const ci = await readFile(".ci/run", "utf8");
  expect(commands.filter((command) => !runByCi.includes(command))).toEqual([]);
  for (const script of ["npm ci", "npm test", "npm start"]) expect(ci).toContain(script);
});

const contracts = [
  { of: "agents", file: "properties/agent/CONTRACT.md", promises: agentPromises },
  { of: "lease schedulers", file: "properties/lease/CONTRACT.md", promises: leasePromises },
];
test.each(contracts)("the contract of $of tells every promise that they are judged by", async ({ file, promises }) => {
  const text = await readFile(file, "utf8");
  expect(promises.filter((name) => !text.includes(`| \`${name}\` |`))).toEqual([]);
  const told = [...text.matchAll(/^\| `((?:agent|lease)\/[\w-]+)`/gm)].map(([, name]) => name);
  expect(told.filter((name) => !promises.includes(name ?? ""))).toEqual([]);
});
