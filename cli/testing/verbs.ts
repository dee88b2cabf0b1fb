/** The verbs that take a repro, run in this process, and an ordinary project for them. */
import { copyFile, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { readRepro } from "../../repro/repro-file.ts";
import { type ExportCommand, runExport } from "../export-command.ts";
import type { Output } from "../output.ts";
import { type RecordCommand, runRecord } from "../record-command.ts";
import { runReplay } from "../replay-command.ts";
import { runShrink, type ShrinkCommand } from "../shrink-command.ts";

export const exampleRepro = resolve("examples/late-wake.json");

export type Said = { readonly code: number; readonly out: string };

/** Runs one verb in this process. */
export async function said(verb: (output: Output) => Promise<number>): Promise<Said> {
  const lines: string[] = [];
  const output: Output = {
    style: { color: false, command: "microloom" },
    lines: (more) => lines.push(...more),
    json: (value) => lines.push(JSON.stringify(value)),
    warn: (line) => lines.push(line),
  };
  return { code: await verb(output), out: lines.join("\n") };
}

const never = (): AbortSignal => new AbortController().signal;

export const replayed = (repro: string, ...files: readonly string[]): Promise<Said> =>
  said((output) => runReplay({ repro, files, strict: false, subject: null, json: false, full: false }, output));
export const recorded = (repro: string, files: readonly string[], more: Partial<RecordCommand> = {}): Promise<Said> =>
  said((output) => {
    return runRecord(
      {
        repro,
        files,
        renames: [],
        strict: false,
        subject: null,
        json: false,
        full: false,
        interrupted: never,
        ...more,
      },
      output,
    );
  });
export const shrunk = (repro: string, files: readonly string[], more: Partial<ShrinkCommand> = {}): Promise<Said> =>
  said((output) =>
    runShrink(
      { repro, files, out: null, write: false, force: false, json: false, interrupted: never, ...more },
      output,
    ),
  );
export const exported = (repro: string, files: readonly string[], more: Partial<ExportCommand> = {}): Promise<Said> =>
  said((output) => runExport({ repro, files, vitest: true, out: null, force: false, ...more }, output));

export const agent = `import { scenario } from "microloom";
class Agent {
  inbox = [];
  driving = false;
  abort = new AbortController();
  constructor(outside) { this.outside = outside; }
  send(message) { this.inbox.push(message); if (!this.driving) void this.drive(); }
  stop() { this.abort.abort(); }
  async drive() {
    this.driving = true;
    const { signal } = (this.abort = new AbortController());
    while (!signal.aborted && this.inbox.length > 0) {
      this.inbox.shift();
      await this.outside.model();
    }
    if (signal.aborted) await this.outside.teardown();
    this.driving = false;
  }
}
export const wake = scenario("NAME", (world) => {
  const agent = new Agent({ model: () => world.io("agent:model", () => 1), teardown: () => world.delay("agent:teardown") });
  world.events("user", [["send a", () => agent.send("a")], ["stop", () => agent.stop()], ["send b", () => agent.send("b")]]);
  world.atQuiescence("no message lies in the inbox", () => agent.inbox.length === 0);
});
`;
export const renameModel = (text: string): string => text.replace('"agent:model"', '"agent:llm"');
export const addCall = (text: string): string =>
  text
    .replace("model: () =>", 'model: () => world.io("agent:tools", () => 1).then(() =>')
    .replace("1), teardown", "1)), teardown");
export const fix = (text: string): string =>
  text.replace(
    "this.driving = false;\n  }\n}",
    "this.driving = false;\n    if (this.inbox.length > 0) void this.drive();\n  }\n}",
  );

/** A project with the agent, its text changed, and the repro that was found before. */
export async function agentProject(
  folder: string,
  name: string,
  change: (text: string) => string = unchanged,
): Promise<[repro: string, scenario: string]> {
  const [repro, scenario] = [join(folder, `${name}.json`), join(folder, `${name}.scenario.mjs`)];
  const kept = await readRepro(exampleRepro);
  const text = agent.replace("NAME", kept.scenario);
  if (change !== unchanged && change(text) === text) throw new Error(`the edit of ${name} changes nothing`);
  await writeFile(scenario, change(text));
  await copyFile(exampleRepro, repro);
  return [repro, scenario];
}
export const unchanged = (text: string): string => text;
