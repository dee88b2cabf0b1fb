import { readFile, rename, writeFile } from "node:fs/promises";
import type { Attempt, PolicyChoice, Provable, Proved, Sizes } from "../properties/proof.ts";
import { provables } from "../properties/proofs.ts";
import { renderProof } from "../reports/proof.ts";
import { counted, grouped } from "../reports/wording.ts";
import { CheckpointError } from "../sim/model/checkpoint.ts";
import type { Progress } from "../sim/model/result.ts";
import { Random, streamSeed } from "../sim/random.ts";
import { exitCodes, UsageError, worstExit } from "./exit-codes.ts";
import type { Output } from "./output.ts";
import { proveInThreads, threadsFor } from "./prove-threads.ts";
import type { ProofTask } from "./prove-worker.ts";
import { canKeep, freePath, keepRepro, replayArguments } from "./repro-place.ts";

export type ProveCommand = {
  /** All contracts, unless given. */
  readonly contract: string | null;
  /** `name=value,…` narrows the policies; `all` takes every one; null: the default policy. */
  readonly policy: string | null;
  /** So many of the policies, drawn by the seed; null: all of them. */
  readonly draw: { readonly count: number; readonly seed: string } | null;
  /** By name; those not given have their defaults. */
  readonly bounds: Sizes;
  /** Of each exploration. */
  readonly memoryBytes: number;
  /** So many explorations at a time; null: as many as the machine has room for. */
  readonly threads: number | null;
  /** Where an incomplete exploration is kept, and taken up again. */
  readonly checkpoint: string | null;
  /** Folder for the repros of counterexamples. */
  readonly out: string;
  readonly json: boolean;
  readonly full: boolean;
  /** Told every now and then; null where nobody watches. */
  readonly onProgress: ((line: string) => void) | null;
  readonly interrupted: () => AbortSignal;
};

type Told = Proved & {
  readonly contract: string;
  readonly policy: PolicyChoice;
  /** Where the repro of the counterexample lies. */
  readonly repro: string | null;
};

type Planned = { readonly task: ProofTask; readonly begin: () => Attempt };

/** Proves contracts, tells of them in their order, and returns the exit code. */
export async function runProve(command: ProveCommand, output: Output): Promise<number> {
  const plan = contractsOf(command).flatMap((provable) => planOf(provable, command));
  if (command.checkpoint !== null && plan.length > 1) {
    throw new UsageError("Cannot keep a checkpoint of several explorations: name one contract and one policy");
  }
  const keeps = await canKeep(command.out, output);
  const signal = command.interrupted();
  const told: Told[] = [];
  const taken = new Set<string>();
  await inOrder(plan, command, signal, output, async ({ task: { contract, policy } }, proved) => {
    const path = freePath(command.out, `prove ${proved.safety.model}`, taken);
    const repro = keeps ? await keepCounterexample(proved, path, output) : null;
    told.push({ contract, policy, ...proved, repro });
    if (command.json) return;
    const noRepro = whyNoRepro(contract, proved);
    output.lines(
      renderProof(proved.safety, proved.liveness, {
        ...output.style,
        full: command.full,
        noRepro,
        replayArguments: replayArguments(repro, []),
      }),
    );
  });
  if (command.json) output.json({ format: 1, results: told.map(asJson) });
  const exit = worstExit(told.map(exitOf));
  return signal.aborted && exit !== exitCodes.violated ? exitCodes.interrupted : exit;
}

function planOf(provable: Provable, command: ProveCommand): Planned[] {
  const { contract } = provable;
  const bounds = boundsOf(provable, command.bounds);
  return drawn(policiesOf(provable, command.policy), command.draw).map((policy) => ({
    task: { contract, policy, bounds, memoryBytes: command.memoryBytes },
    begin: () => provable.attempt(policy, bounds),
  }));
}

/** One exploration after the other is told of; several may be under way in threads of their own. */
async function inOrder(
  plan: readonly Planned[],
  command: ProveCommand,
  signal: AbortSignal,
  output: Output,
  tell: (planned: Planned, proved: Proved) => Promise<void>,
): Promise<void> {
  const { threads: asked, memoryBytes, onProgress } = command;
  const count = Math.min(plan.length, asked ?? threadsFor(plan.length, memoryBytes));
  const watch = onProgress === null ? null : watcher(plan.length, onProgress);
  const tasks = plan.map(({ task }) => task);
  const threads = count > 1 ? proveInThreads(tasks, count, signal, watch) : null;
  try {
    for (const [place, planned] of plan.entries()) {
      const answer = threads === null ? "again" : await threads.answers[place];
      const here = answer === undefined || answer === "again";
      if (answer === "not-begun" || (here && signal.aborted)) {
        output.warn(`${planned.task.contract}: not explored`);
        continue;
      }
      await tell(planned, here ? await proveOne(planned.begin(), command, signal, output) : answer);
    }
  } finally {
    await threads?.close();
  }
}

/** The same in the report and in JSON. */
function whyNoRepro(contract: string, { safety, liveness, converted }: Proved): string | null {
  if (converted !== null) return converted.repro === null ? converted.because : null;
  return safety.violation !== null || liveness?.violation != null
    ? `a counterexample of this kind has no scenario of "${contract}" that would replay it`
    : null;
}

async function proveOne(attempt: Attempt, command: ProveCommand, signal: AbortSignal, output: Output): Promise<Proved> {
  const { memoryBytes, checkpoint: path, onProgress } = command;
  if (path !== null) await takeUp(attempt, path);
  const watch = onProgress === null ? null : watcher(1, onProgress);
  const kept = path !== null;
  const proved = await attempt.run({ memoryBytes, signal, onProgress: (now) => watch?.(0, now), kept });
  if (path !== null && proved.safety.outcome === "incomplete") {
    await keep(path, attempt.checkpoint());
    output.warn(`kept in ${path}: the same command goes on from there`);
  }
  return proved;
}

async function keepCounterexample({ converted }: Proved, path: string, output: Output): Promise<string | null> {
  return converted === null || converted.repro === null ? null : keepRepro(converted.repro, path, output);
}

/** A line about an exploration at most once a second; of several it says which. */
function watcher(count: number, onProgress: (line: string) => void): (number: number, now: Progress) => void {
  const times = new Map<number, { readonly started: number; said: number }>();
  return (number, now) => {
    const at = performance.now();
    const time = times.get(number) ?? { started: at, said: at };
    times.set(number, time);
    if (at - time.said < 1_000) return;
    time.said = at;
    const line = progressLine(now, at - time.started);
    onProgress(count === 1 ? line : `${number + 1} of ${count}: ${line}`);
  };
}

function progressLine({ states, waiting, depth, bytes }: Progress, ms: number): string {
  const rate = grouped(Math.round((states / ms) * 1_000));
  return `${counted(states, "state")}, ${grouped(waiting)} waiting, depth ${depth}, ${Math.ceil(bytes / 2 ** 20)} MiB, ${rate} a second`;
}

async function takeUp(attempt: Attempt, path: string): Promise<void> {
  const bytes = await readFile(path).catch((error: unknown) => {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return null;
    throw new UsageError(`Cannot read ${path}: ${error instanceof Error ? error.message : String(error)}`);
  });
  if (bytes === null) return;
  try {
    attempt.resume(bytes);
  } catch (error) {
    if (error instanceof CheckpointError) throw new UsageError(`Cannot go on from ${path}: ${error.message}`);
    throw error;
  }
}

/** Written beside and renamed: an interrupt leaves the old one or the new one. */
async function keep(path: string, bytes: Uint8Array): Promise<void> {
  try {
    await writeFile(`${path}.new`, bytes);
    await rename(`${path}.new`, path);
  } catch (error) {
    throw new UsageError(`Cannot write ${path}: ${error instanceof Error ? error.message : String(error)}`);
  }
}

function contractsOf({ contract }: ProveCommand): readonly Provable[] {
  if (contract === null) return provables;
  const found = provables.filter((provable) => provable.contract === contract);
  if (found.length > 0) return found;
  const known = provables.map((provable) => provable.contract).join(", ");
  throw new UsageError(`Cannot prove ${JSON.stringify(contract)}: expected one of ${known}`);
}

function boundsOf({ contract, bounds }: Provable, asked: Sizes): Sizes {
  for (const name of Object.keys(asked)) {
    if (!Object.hasOwn(bounds, name)) {
      throw new UsageError(`Cannot bound ${name} of ${contract}: expected one of ${Object.keys(bounds).join(", ")}`);
    }
  }
  return { ...bounds, ...asked };
}

function policiesOf({ contract, policies }: Provable, asked: string | null): readonly PolicyChoice[] {
  const [usual] = policies;
  if (asked === null) return usual === undefined ? [] : [usual];
  if (asked === "all") return policies;
  const wanted = asked.split(",").map((pair) => {
    const [name = "", value = ""] = pair.split("=");
    const values = [...new Set(policies.map((policy) => policy[name]))];
    if (!values.includes(value) || value === "") {
      const known = Object.keys(usual ?? {}).map(
        (key) => `${key}=${[...new Set(policies.map((policy) => policy[key]))].join("|")}`,
      );
      throw new UsageError(
        `Cannot use the policy "${pair}" of ${contract}: expected all, or some of ${known.join(", ")}`,
      );
    }
    return { name, value };
  });
  return policies.filter((policy) => wanted.every(({ name, value }) => policy[name] === value));
}

/** Draws without putting back, and keeps the order. */
function drawn(policies: readonly PolicyChoice[], draw: ProveCommand["draw"]): readonly PolicyChoice[] {
  if (draw === null) return policies;
  const random = new Random(streamSeed(draw.seed, "schedule"));
  random.restart(0);
  const left = [...policies];
  while (left.length > draw.count) left.splice(random.below(left.length), 1);
  return left;
}

function exitOf({ safety, liveness }: Proved): number {
  if (safety.violation !== null || liveness?.violation != null) return exitCodes.violated;
  return safety.outcome === "proved" && liveness?.outcome !== "incomplete" ? exitCodes.held : exitCodes.untrusted;
}

/** Inputs in words instead of states: what a reader of the JSON can use on any version. */
function asJson(told: Told) {
  const { contract, policy, safety, liveness, repro } = told;
  const texts = (steps: readonly { readonly text: string }[] | undefined): string[] | null =>
    steps?.map(({ text }) => text) ?? null;
  return {
    contract,
    policy,
    ...safety,
    counterexample: texts(safety.counterexample?.steps),
    repro,
    noRepro: whyNoRepro(contract, told),
    liveness: liveness && {
      ...liveness,
      violation: liveness.violation && {
        obligation: liveness.violation.obligation,
        stem: texts(liveness.violation.stem.steps),
        cycle: texts(liveness.violation.cycle),
      },
    },
  };
}
