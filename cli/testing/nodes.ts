/**
 * `npm run nodes`: the built command under several versions of Node. A search must find the same in each of them, byte
 * for byte; only stacks, and messages whose words are V8's own, may differ.
 */
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { type Ran, run } from "./command.ts";
import { firstDifference, withoutV8 } from "./comparable.ts";

const versions = ["20", "22", "24"];
const folder = ".microloom/nodes";
const explorations: readonly { readonly name: string; readonly args: readonly string[] }[] = [
  { name: "the built-in campaign", args: ["--executions", "500"] },
  { name: "the built-in campaign, jitter", args: ["--executions", "200", "--level", "jitter"] },
  { name: "a race that is found", args: ["examples/late-wake.scenario.ts"] },
  {
    name: "the same at level jitter",
    args: ["--level", "jitter", "--strategy", "random", "examples/late-wake.scenario.ts"],
  },
  { name: "the order of jobs", args: ["--level", "free", "examples/warm-cache.scenario.ts"] },
  {
    name: "a race, on our own queue",
    args: ["--engine", "microtask", "--level", "jitter", "examples/late-wake.scenario.ts"],
  },
  { name: "an error that V8 words", args: ["cli/testing/throws.scenario.ts"] },
];

type Answer = { readonly node: string; readonly ran: Ran };

const running = process.versions.node.split(".")[0];
const nodes = [process.execPath, ...versions.filter((major) => major !== running).map(installed)];
const names = await Promise.all(nodes.map(async (node) => (await run(node, ["--version"])).out.trim()));
row("", names);
let differences = 0;
for (const { name, args } of explorations) {
  const answers: Answer[] = [];
  for (const [index, node] of nodes.entries()) {
    const out = join(folder, "out", String(index));
    const command = ["dist/cli/main.js", "explore", "--json", "--seed", "nodes", "--out", out, ...args];
    answers.push({ node: names[index] ?? node, ran: await run(node, command) });
  }
  report(name, answers);
}
process.exitCode = differences === 0 ? 0 : 1;

/** Installs a Node of this major version unless it is there, and returns its executable. */
function installed(major: string): string {
  const platform = process.platform === "win32" ? "win" : process.platform;
  const name = `node-${platform}-${process.arch}`;
  const prefix = join(folder, major);
  const executable = join(prefix, "node_modules", name, "bin", process.platform === "win32" ? "node.exe" : "node");
  if (existsSync(executable)) return executable;
  mkdirSync(prefix, { recursive: true });
  process.stdout.write(`installing ${name}@${major}\n`);
  const args = ["install", "--prefix", prefix, "--no-audit", "--no-fund", "--loglevel", "error", `${name}@${major}`];
  execFileSync("npm", args, { stdio: ["ignore", "ignore", "inherit"], shell: process.platform === "win32" });
  return executable;
}

/** Compares each answer with the first one. */
function report(name: string, [first, ...others]: readonly Answer[]): void {
  if (first === undefined) return;
  const cells = [`exit ${first.ran.code}, ${first.ran.out.length} bytes`];
  const details: string[] = [];
  for (const { node, ran } of others) {
    if (ran.code === first.ran.code && ran.out === first.ran.out) {
      cells.push("the same bytes");
      continue;
    }
    const difference = differenceOf(first.ran, ran);
    cells.push(difference === null ? "the same but for V8's words" : "DIFFERS");
    if (difference === null) continue;
    differences++;
    details.push(`  ${first.node} and ${node}: ${difference}`);
  }
  row(name, cells);
  for (const detail of details) process.stdout.write(`${detail}\n`);
}

function differenceOf(one: Ran, other: Ran): string | null {
  if (one.code !== other.code) return `exit ${one.code}, exit ${other.code}\n${one.err}\n${other.err}`;
  return firstDifference(withoutV8(one.out), withoutV8(other.out));
}

function row(name: string, cells: readonly string[]): void {
  process.stdout.write(`${name.padEnd(32)}${cells.map((cell) => cell.padEnd(29)).join("")}`.trimEnd().concat("\n"));
}
