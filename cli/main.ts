#!/usr/bin/env node
/**
 * The command. Every verb is a file of its own; this one reads arguments and turns named errors into one line. A verb is
 * loaded when it is asked for, so that help and a slip of the pen are answered at once.
 */
import { createRequire } from "node:module";
import { Command, CommanderError, InvalidArgumentError, Option } from "commander";
import { defaultCheckExecutions, defaultScripts } from "../properties/kit/bounds.ts";
import { defaultExecutions, engineNames, levelNames, strategyNames, untilNames } from "../sim/bounds.ts";
import type { ExploreOptions } from "../sim/result.ts";
import { exitCodes, UsageError } from "./exit-codes.ts";
import { ownsProcess } from "./import-typescript.ts";
import { lowersFor, lowersForRepro } from "./lowers.ts";
import { standardOutput } from "./output.ts";

type ExploreFlags = Pick<ExploreOptions, "level" | "engine" | "strategy" | "executions" | "seed" | "until"> & {
  readonly time?: number;
  readonly allowUnreached: boolean;
  readonly out: string;
  readonly json: boolean;
  readonly full: boolean;
  readonly agent?: string;
  readonly lease?: string;
  readonly scripts?: number;
  readonly without?: readonly string[];
};
type ProveFlags = {
  readonly policy?: string;
  readonly draw?: number;
  readonly seed: string;
  readonly memory: number;
  readonly threads?: number;
  readonly checkpoint?: string;
  readonly out: string;
  readonly json: boolean;
  readonly full: boolean;
} & Readonly<Record<string, unknown>>;
type ReplayFlags = {
  readonly strict: boolean;
  readonly record: boolean;
  readonly rename?: readonly string[];
  readonly subject?: string;
  readonly json: boolean;
  readonly full: boolean;
};
type ShrinkFlags = {
  readonly out?: string;
  readonly write: boolean;
  readonly force: boolean;
  readonly json: boolean;
};
type ExportFlags = { readonly vitest: boolean; readonly out?: string; readonly force: boolean };

const output = standardOutput("npx microloom");
/** By name: the classes come with the verbs, and a scenario file may bring a package of its own with classes of its own. */
const namedErrors = [
  ...["UsageError", "ReproError", "ExportError", "ExploreOptionsError", "ScenarioError", "FakeTimersError"],
];

const program = new Command("microloom")
  .description("Finds, shrinks and explains races in async TypeScript, deterministically")
  .version(version())
  .exitOverride()
  .configureOutput({ outputError: () => undefined })
  .addHelpText(
    "after",
    `
Examples:
  microloom explore                                the built-in campaign
  microloom explore src/agent.scenario.ts          your own scenarios
  microloom explore --level jitter --seed 7 src    every *.scenario.ts below src
  microloom explore --level free src               any job that is ready may run next
  microloom explore --agent src/my-agent.ts        your own agent, judged by the agent's contract
  microloom explore --lease src/my-scheduler.ts    your own lease scheduler, judged by its contract
  microloom replay .microloom/late-wake.json src/agent.scenario.ts
  microloom replay --record late-wake.json src/agent.scenario.ts
  microloom export --vitest late-wake.json src/agent.scenario.ts
  microloom prove agent --sends 2                  every state of the reference core

Exit: 0 held, 1 violated or a goal never reached, 2 leaked or diverged, 3 a replay no longer fits, 64 usage, 130 interrupted`,
  );

program
  .command("explore")
  .description("search the schedules of scenarios for one that breaks something")
  .argument("[files...]", "scenario files or folders; none: the built-in campaign")
  .addOption(new Option("--level <level>", "what may be reordered (default: spec)").choices(levelNames))
  .addOption(
    new Option(
      "--engine <name>",
      "whose queue the microtasks run on: Node's, or one of our own that level free needs (default: auto)",
    ).choices(engineNames),
  )
  .addOption(new Option("--strategy <name>", "how to search (default: portfolio)").choices(strategyNames))
  .option(
    "--executions <count>",
    `budget per scenario (default: ${defaultExecutions}), or of a whole check (default: ${defaultCheckExecutions})`,
    whole,
  )
  .option("--time <seconds>", "real time per scenario (default: no limit)", milliseconds)
  .addOption(
    new Option("--until <end>", "flat: stop where all goals are reached and nothing new is to be expected")
      .choices(untilNames)
      .default("spent"),
  )
  .option("--seed <text>", "seed of all random streams; the scenario's name unless given")
  .option("--allow-unreached", "a goal that was never reached is no failure", false)
  .option("--out <folder>", "where repro files go", ".microloom")
  .option("--json", "the results as JSON", false)
  .option("--full", "all lines, and every step of a failing execution", false)
  .option("--agent <file>", "judge the agent that the module's createAgent(ports) makes, by the agent's contract")
  .option(
    "--lease <file>",
    "judge the lease scheduler that the module's createLeaseScheduler(ports) makes, by its contract",
  )
  .option("--scripts <count>", `with one of these: how many scripts of commands (default: ${defaultScripts})`, whole)
  .option("--without <word>", "with one of these: what it lacks, as dispose or children; may be given again", listed)
  .action(async (files: string[], flags: ExploreFlags) => {
    const { allowUnreached, out, json, full, time, agent, lease, scripts, without, ...asked } = flags;
    const options = { ...asked, ...(time === undefined ? {} : { timeMs: time }) };
    const judged = { ...(scripts === undefined ? {} : { scripts }), ...(without === undefined ? {} : { without }) };
    if (agent !== undefined && lease !== undefined)
      throw new UsageError("Cannot judge an agent and a lease scheduler at once: do one of them");
    await lowersFor(asked);
    const file = agent ?? lease;
    if (file !== undefined) {
      const [kind, what] =
        agent === undefined ? (["lease", "a lease scheduler"] as const) : (["agent", "an agent"] as const);
      if (files.length > 0)
        throw new UsageError(`Cannot explore ${files[0]} and judge ${what} at once: do one of them`);
      const { runCheck } = await import("./check-command.ts");
      const command = {
        kind,
        file,
        options: { ...options, ...judged },
        interrupted,
        allowUnreached,
      };
      process.exitCode = await runCheck({ ...command, out, json, full }, output);
      return;
    }
    if (Object.keys(judged).length > 0)
      throw new UsageError(`Cannot use --${Object.keys(judged)[0]} without --agent <file> or --lease <file>`);
    const { runExplore } = await import("./explore-command.ts");
    process.exitCode = await runExplore({ files, options, interrupted, allowUnreached, out, json, full }, output);
  });

// Which contracts there are, and which bounds they have, is known to the models, which no other verb needs.
const provables = process.argv.includes("prove") ? (await import("../properties/proofs.ts")).provables : [];
const prove = program
  .command("prove")
  .description("visit every state that the core can reach within bounds; a counterexample is the shortest")
  .argument("[contract]", `one of ${provables.map(({ contract }) => contract).join(", ")}; none: each of them`)
  .option("--policy <choice>", "all, or some as name=value,… (default: the core's own)")
  .option("--draw <count>", "of these policies only so many, drawn by the seed", whole)
  .option("--seed <text>", "decides what is drawn", "prove")
  .option("--memory <mebibytes>", "stop an exploration before it needs more", whole, 1_024)
  .option("--threads <count>", "explore so many at a time, to the same result (default: one a core)", whole)
  .option("--checkpoint <file>", "keep what was found when it stops, and go on from there")
  .option("--out <folder>", "where the repro of a counterexample goes", ".microloom")
  .option("--json", "the results as JSON", false)
  .option("--full", "all goals, and every step of a counterexample", false);
for (const [name, contracts] of boundNames()) {
  prove.option(`--${dashed(name)} <count>`, `bound of ${contracts.join(", ")}`, boundOf(name));
}
prove.action(async (contract: string | undefined, flags: ProveFlags) => {
  const { policy, draw, seed, memory, threads, checkpoint, out, json, full, ...sizes } = flags;
  const bounds = Object.fromEntries(Object.entries(sizes).map(([name, size]) => [name, Number(size)]));
  const command = { contract: contract ?? null, policy: policy ?? null, bounds, memoryBytes: memory * 2 ** 20 };
  const onProgress = process.stderr.isTTY === true && !json ? output.warn : null;
  const { runProve } = await import("./prove-command.ts");
  process.exitCode = await runProve(
    {
      ...command,
      draw: draw === undefined ? null : { count: draw, seed },
      threads: threads ?? null,
      checkpoint: checkpoint ?? null,
      out,
      json,
      full,
      onProgress,
      interrupted,
    },
    output,
  );
});

program
  .command("replay")
  .description("replay a repro file; strictly where it carries its exact choices and still fails")
  .argument("<repro>", "the repro file")
  .argument("[files...]", "files or folders with the scenario it names, unless that is built in")
  .option(
    "--strict",
    "follow the exact choices also where the file expects to hold; refuse at the first step that differs",
    false,
  )
  .option("--subject <name>", "replay against another scenario of the same family: core, for a file about agent/…")
  .option("--record", "after a change that was meant, write the file anew: it fails as it does today, or holds", false)
  .option("--rename <old=new>", "with --record: what a delivery, or a source and label, is called now", listed)
  .option("--json", "the result as JSON", false)
  .option("--full", "all lines", false)
  .action(async (repro: string, files: string[], flags: ReplayFlags) => {
    const { strict, subject, record, rename = [], json, full } = flags;
    if (!record && rename.length > 0) throw new UsageError("Cannot rename in a plain replay: add --record");
    await lowersForRepro(repro);
    if (record) {
      const command = { repro, files, renames: rename, strict, subject: subject ?? null, json, full, interrupted };
      const { runRecord } = await import("./record-command.ts");
      process.exitCode = await runRecord(command, output);
      return;
    }
    const { runReplay } = await import("./replay-command.ts");
    process.exitCode = await runReplay({ repro, files, strict, subject: subject ?? null, json, full }, output);
  });

program
  .command("shrink")
  .description("shrink a repro again, and count what is left")
  .argument("<repro>", "the repro file")
  .argument("[files...]", "files or folders with the scenario it names, unless that is built in")
  .option("--out <file>", "write the result there")
  .option("--write", "write the result in place", false)
  .option("--force", "with --out: replace a file that is there", false)
  .option("--json", "the result as JSON", false)
  .action(async (repro: string, files: string[], { out, write, force, json }: ShrinkFlags) => {
    await lowersForRepro(repro);
    const { runShrink } = await import("./shrink-command.ts");
    process.exitCode = await runShrink({ repro, files, out: out ?? null, write, force, json, interrupted }, output);
  });

program
  .command("export")
  .description("write a repro out as a plain test that needs no microloom")
  .argument("<repro>", "the repro file")
  .argument("[files...]", "files or folders with the scenario it names")
  .option("--vitest", "as a Vitest file", false)
  .option("--out <file>", "where to write it (default: beside the scenario, named after the repro)")
  .option("--force", "replace a file that is there", false)
  .action(async (repro: string, files: string[], { vitest, out, force }: ExportFlags) => {
    await lowersForRepro(repro);
    const { runExport } = await import("./export-command.ts");
    process.exitCode = await runExport({ repro, files, vitest, out: out ?? null, force }, output);
  });

ownsProcess();
let answered = false;
// A file that ends the process as it is loaded, or never comes to its end, must not look like a pass.
process.once("exit", () => {
  if (answered) return;
  output.warn("ended before there was an answer: a file that was loaded calls process.exit(), or waits for ever");
  process.exitCode = exitCodes.usage;
});
try {
  await program.parseAsync();
} catch (error) {
  process.exitCode = report(error);
}
answered = true;
// A scenario file may hold a timer or a socket open; the answer is complete once it is written.
process.stdout.write("", () => process.exit());

/** Says one clear line for a mistake of the caller, and everything for a mistake of ours. */
function report(error: unknown): number {
  if (error instanceof CommanderError) {
    if (error.exitCode === 0) return exitCodes.held;
    // Without a verb commander has printed the help already.
    if (error.code === "commander.help") return exitCodes.usage;
    output.warn(error.message.replace(/^error: /, "").replaceAll("\n", " "));
    return exitCodes.usage;
  }
  if (error instanceof Error && namedErrors.includes(error.name)) {
    output.warn(error.message.split("\n")[0] ?? "");
    return exitCodes.usage;
  }
  output.warn(error instanceof Error ? (error.stack ?? error.message) : String(error));
  return exitCodes.untrusted;
}

/** Ctrl-C ends what is being run and reports what is known; a second one ends the process. */
function interrupted(): AbortSignal {
  const controller = new AbortController();
  process.once("SIGINT", () => controller.abort());
  return controller.signal;
}

/** The names of all bounds, with the contracts that have them. */
function boundNames(): ReadonlyMap<string, readonly string[]> {
  const names = new Map<string, string[]>();
  for (const { contract, bounds } of provables) {
    for (const [name, size] of Object.entries(bounds)) {
      names.set(name, [...(names.get(name) ?? []), `${contract} (${size})`]);
    }
  }
  return names;
}

function listed(text: string, before: readonly string[] = []): readonly string[] {
  return [...before, text];
}

function dashed(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

/** A goal has at least one round; more of anything than a thousand is no bound that a search comes to the end of. */
function boundOf(name: string): (text: string) => number {
  const least = name === "roundLimit" ? 1 : 0;
  const most = name.endsWith("Ms") ? 86_400_000 : 1_000;
  return (text) => {
    if (/^\d+$/.test(text) && Number(text) >= least && Number(text) <= most) return Number(text);
    throw new InvalidArgumentError(`Expected a whole number from ${least} to ${most}.`);
  };
}

function whole(text: string): number {
  if (!/^\d+$/.test(text) || Number(text) < 1) throw new InvalidArgumentError("Expected a whole number of at least 1.");
  return Number(text);
}

function milliseconds(text: string): number {
  const value = Number(text);
  if (!(value > 0 && value <= 86_400)) throw new InvalidArgumentError("Expected seconds between 0 and 86400.");
  return Math.ceil(value * 1_000);
}

function version(): string {
  const found: unknown = createRequire(import.meta.url)("microloom/package.json");
  return typeof found === "object" && found !== null && "version" in found ? String(found.version) : "unknown";
}
