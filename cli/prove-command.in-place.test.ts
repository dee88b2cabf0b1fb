import { mkdtemp, readdir } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { smallBounds } from "../properties/agent/model/bounds.ts";
import { mutantNamed } from "../properties/agent/model/testing/refute.ts";
import { inPlace } from "../properties/agent/mutants/testing/in-place.ts";
import { exitCodes } from "./exit-codes.ts";
import type { Output } from "./output.ts";
import { type ProveCommand, runProve } from "./prove-command.ts";
import { prove, type ThreadTask } from "./prove-worker.ts";
import { runReplay } from "./replay-command.ts";

vi.mock(import("../core/agent/transition.ts"), async (original) => {
  const { delegating } = await import("../properties/agent/mutants/testing/in-place.ts");
  return delegating(await original());
});

function kept(): { readonly output: Output; readonly lines: string[]; readonly json: unknown[] } {
  const lines: string[] = [];
  const json: unknown[] = [];
  const output: Output = {
    style: { color: false, command: "npx microloom" },
    lines: (more) => void lines.push(...more),
    json: (value) => void json.push(value),
    warn: (line) => void lines.push(`warning: ${line}`),
  };
  return { output, lines, json };
}

function proving(out: string, changes: Partial<ProveCommand> = {}): ProveCommand {
  return {
    contract: "agent",
    policy: null,
    draw: null,
    bounds: smallBounds,
    memoryBytes: 2 ** 28,
    threads: null,
    checkpoint: null,
    out,
    json: false,
    full: false,
    onProgress: null,
    interrupted: () => new AbortController().signal,
    ...changes,
  };
}

const replaying = { files: [], strict: false, subject: null, json: false, full: false };

test("runProve() writes the repro of a counterexample, and replay breaks the same in the host", async () => {
  const out = await mkdtemp(join(tmpdir(), "microloom-"));
  const mutant = mutantNamed("parks late wakes");
  const { output, lines } = kept();
  expect(await inPlace(mutant, () => runProve(proving(out), output))).toBe(exitCodes.violated);
  const [file = ""] = await readdir(out);
  const repro = join(out, file);
  expect(file).toBe("prove-agent-parking-unlatched-afterfailure-park-claim-one.json");
  expect(lines).toContain(`  Replay it in the host: npx microloom replay ${repro}`);
  expect(await inPlace(mutant, () => runReplay({ repro, ...replaying }, output))).toBe(exitCodes.violated);
  expect([exitCodes.held, exitCodes.noLongerFits]).toContain(await runReplay({ repro, ...replaying }, output));
});

test("runProve() finds the scenario of another policy again, and tells the path as JSON", async () => {
  const out = await mkdtemp(join(tmpdir(), "microloom-"));
  const mutant = mutantNamed("parks under drain");
  const { output, json } = kept();
  const policy = "parking=all,afterFailure=drain,claim=all";
  expect(await inPlace(mutant, () => runProve(proving(out, { policy, json: true }), output))).toBe(exitCodes.violated);
  const repro = join(out, "prove-agent-parking-all-afterfailure-drain-claim-all.json");
  expect(json).toMatchObject([{ format: 1, results: [{ contract: "agent", repro, noRepro: null }] }]);
  expect(await inPlace(mutant, () => runReplay({ repro, ...replaying }, output))).toBe(exitCodes.violated);
});

test("runProve() says why a counterexample is no repro, and writes none", async () => {
  const out = await mkdtemp(join(tmpdir(), "microloom-"));
  const { output, lines } = kept();
  const mutant = mutantNamed("takes reports of other tasks");
  expect(await inPlace(mutant, () => runProve(proving(out), output))).toBe(exitCodes.violated);
  expect(lines).toContain(
    "  No repro for the host: late: maintained task 0: the host reports each answer once, and no other",
  );
  expect(await readdir(out)).toEqual([]);
});

function inThread(stopped: boolean): ThreadTask {
  const policy = { parking: "unlatched", afterFailure: "park", claim: "one" };
  const task = { contract: "agent", policy, bounds: smallBounds, memoryBytes: 2 ** 28, number: 0, told: false };
  return { ...task, stop: Int32Array.of(stopped ? 1 : 0) };
}

test("prove() leaves a violation to the thread of the command, and begins nothing after an interrupt", async () => {
  const ask = (stopped: boolean) => inPlace(mutantNamed("parks late wakes"), () => prove(inThread(stopped)));
  expect([await ask(false), await ask(true)]).toEqual(["again", "not-begun"]);
});

test("prove() answers nothing that is lost between threads", async () => {
  const proved = await prove(inThread(false));
  expect(proved).toMatchObject({ safety: { outcome: "proved" }, liveness: { outcome: "proved" } });
  expect(structuredClone(proved)).toEqual(proved);
});
