/**
 * Executions per second of the microtask engine, choosing at every microtask (level free) and recording, beside
 * fast-check's scheduler, which places the 17 pauses of the reference program: once as plain awaits, every one of them and
 * of the program's other jobs a choice of ours, and once as I/O that both place, the jobs between chosen by us as well.
 * Then in the order of ECMAScript (level spec) beside the native engine, and with closures that each execution makes anew
 * beside the same program without. Only ratios count.
 */
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { transform } from "esbuild";
import { type ExploreOptions, explore, type Scenario, scenario } from "../index.ts";
import { lower } from "../sim/lowering/lower.ts";
import { runtime } from "../sim/microtask/runtime.ts";
import type { Ledger, Outside } from "./agent-program.ts";
import { fastCheckRate } from "./explore.bench.ts";
import { median } from "./median.ts";

const rounds = 7;
const executions = 4_000;

type Program = (outside: Outside) => { ledger: Ledger; done: Promise<void> };

function subject(name: string, program: Program, pauses: "I/O" | "plain awaits" = "I/O"): Scenario {
  return scenario(name, (world) => {
    const pause = (label: string): unknown => (pauses === "I/O" ? world.io(label, () => null) : null);
    const { ledger, done } = program({ pause });
    world.settles("done", done);
    world.always("no turn without a prompt", () => ledger.turns <= 5);
    world.atQuiescence("every prompt has its turn", () => ledger.total === 15 && ledger.finished);
  });
}

/** Lowers one file of this folder, and gives what it exports. */
async function loweredModule(file: string): Promise<Record<string, Program>> {
  const { code } = await transform(await readFile(join("bench", file), "utf8"), { loader: "ts", target: "esnext" });
  const lowered = join(".microloom", file.replace(/ts$/, "mjs"));
  await mkdir(".microloom", { recursive: true });
  await writeFile(lowered, lower(code, { file, sourceType: "module" }).code);
  return import(pathToFileURL(lowered).href);
}

async function rate(of: Scenario, options: ExploreOptions): Promise<number> {
  const start = performance.now();
  const result = await explore(of, { strategy: "random", executions, ...options });
  const ms = performance.now() - start;
  if (result.outcome !== "held" || result.executions !== executions)
    throw new Error(`the bench scenario does not hold: ${JSON.stringify(result)}`);
  return (executions / ms) * 1_000;
}

export async function benchFree(): Promise<void> {
  // The scenarios are made here, of programs that are lowered.
  runtime.at(fileURLToPath(import.meta.url));
  const { agentProgram } = await loweredModule("agent-program.ts");
  const { agentInClosures } = await loweredModule("agent-closures.ts");
  if (agentProgram === undefined || agentInClosures === undefined) throw new Error("the programs are not exported");
  const hoisted = subject("bench: agent program, lowered", agentProgram);
  const closures = subject("bench: agent program in closures, lowered", agentInClosures);
  const awaits = subject("bench: agent program of plain awaits, lowered", agentProgram, "plain awaits");
  const runs: Readonly<Record<string, () => Promise<number>>> = {
    "free, plain awaits": () => rate(awaits, { level: "free" }),
    free: () => rate(hoisted, { level: "free" }),
    "fast-check": () => fastCheckRate(1),
    "microtask, spec": () => rate(hoisted, { engine: "microtask" }),
    "native, spec": () => rate(hoisted, { engine: "native" }),
    "closures, free": () => rate(closures, { level: "free" }),
    "closures, native": () => rate(closures, { engine: "native" }),
  };
  const rates = new Map<string, number[]>(Object.keys(runs).map((name) => [name, []]));
  for (let round = -1; round < rounds; round++) {
    for (const [name, run] of Object.entries(runs)) {
      const found = await run();
      // The first round is for the compiler.
      if (round >= 0) rates.get(name)?.push(found);
    }
  }
  const ratio = (one: string, other: string): string =>
    median((rates.get(one) ?? []).map((rate, round) => rate / (rates.get(other)?.[round] ?? rate))).toFixed(2);
  console.log(`microtask engine: 17 placed deliveries an execution unless said, median of ${rounds} rounds`);
  for (const [name, found] of rates) console.log(`  ${name.padEnd(22)} ${Math.round(median(found))} executions/s`);
  console.log(`  free / fast-check      ${ratio("free, plain awaits", "fast-check")}, the pauses plain awaits of ours`);
  console.log(`  free / fast-check      ${ratio("free", "fast-check")}, the pauses I/O`);
  console.log(`  microtask / native     ${ratio("microtask, spec", "native, spec")}, at level spec`);
  console.log(`  closures / hoisted     ${ratio("closures, free", "free")}, at level free`);
}
