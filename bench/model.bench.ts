/**
 * States per second of the model checker beside SPIN's breadth-first search, on one and the same model: the toy agent, in
 * TypeScript (plain objects; packed into integers) and in Promela. SPIN compiles its model to C. Only the ratios count.
 */
import { execFileSync } from "node:child_process";
import { copyFileSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Explorer } from "../sim/model/explorer.ts";
import type { PackedReducer } from "../sim/model/packed.ts";
import { toy, toyPacked } from "../sim/model/testing/toy.ts";
import { median } from "./median.ts";

const states = 1_843_064;
const rounds = 5;

type Run = { readonly rate: number; readonly bytesPerState: number };

/** Runs all in turn, so that a busy machine slows all, and prints medians and ratios. */
export async function benchModel(): Promise<void> {
  const spin = buildSpin();
  const runs: Record<"spin" | "plain" | "packed", Run[]> = { spin: [], plain: [], packed: [] };
  try {
    for (let round = 0; round < rounds; round++) {
      if (spin !== null) runs.spin.push(spinRun(spin));
      runs.plain.push(await ourRun(null));
      runs.packed.push(await ourRun(toyPacked));
    }
  } finally {
    if (spin !== null) rmSync(spin, { recursive: true, force: true });
  }
  const row = (name: string, list: readonly Run[]) => {
    const rate = median(list.map(({ rate }) => rate));
    const bytes = median(list.map(({ bytesPerState }) => bytesPerState));
    const ratio = median(list.map(({ rate }, round) => rate / (runs.spin[round]?.rate ?? Number.NaN)));
    const against = Number.isNaN(ratio) ? "" : `   ${ratio.toFixed(1)} times SPIN`;
    console.log(`  ${name.padEnd(24)}${Math.round(rate)} states/s, ${bytes.toFixed(0)} bytes a state${against}`);
  };
  console.log(`model: ${states} states, breadth-first, median of ${rounds} rounds`);
  if (spin === null) console.log("  SPIN                    skipped: needs spin and gcc (apt-get install spin gcc)");
  else row("SPIN", runs.spin);
  row("plain object reducer", runs.plain);
  row("packed reducer", runs.packed);
}

async function ourRun(packed: PackedReducer | null): Promise<Run> {
  const start = performance.now();
  const result = await new Explorer(toy, packed).run();
  const ms = performance.now() - start;
  if (result.states !== states) throw new Error(`The bench model has ${result.states} states: ${result.why}`);
  return { rate: (states / ms) * 1_000, bytesPerState: result.bytesPerState };
}

/** A folder with the compiled model, or null without SPIN or a C compiler. */
function buildSpin(): string | null {
  const folder = mkdtempSync(join(tmpdir(), "microloom-spin-"));
  copyFileSync("bench/toy.pml", join(folder, "toy.pml"));
  try {
    execFileSync("spin", ["-a", "toy.pml"], { cwd: folder, stdio: "pipe" });
    const flags = ["-O2", "-DSAFETY", "-DNOREDUCE", "-DBFS"];
    execFileSync("gcc", [...flags, "-o", "pan", "pan.c"], { cwd: folder, stdio: "pipe" });
    return folder;
  } catch (error) {
    rmSync(folder, { recursive: true, force: true });
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return null;
    throw error;
  }
}

function spinRun(folder: string): Run {
  const start = performance.now();
  const output = execFileSync(join(folder, "pan"), ["-E", "-w24"], { cwd: folder, encoding: "utf8" });
  const ms = performance.now() - start;
  const found = Number(/(\d+) states, stored/.exec(output)?.[1]);
  if (found !== states) throw new Error(`SPIN has ${found} states`);
  const megabytes = Number(/([\d.]+)\s+total actual memory usage/.exec(output)?.[1]);
  return { rate: (states / ms) * 1_000, bytesPerState: (megabytes * 2 ** 20) / states };
}
