import { mkdtemp, readFile, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { microloom } from "./testing/command.ts";

const tuesday = resolve("examples/tuesday-agent.ts");
const locks = resolve("examples/locks/mutex-scheduler.ts");
const lacks = ["--without", "next-step", "--without", "write-faults"];
let folder = "";

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "microloom-check-"));
});

async function moduleOf(name: string, text: string): Promise<string> {
  const path = join(folder, name);
  await writeFile(path, text);
  return path;
}

describe("microloom explore --agent", () => {
  test("judges a stranger's agent, keeps a repro of each breach, and each replays and shrinks", async () => {
    const out = join(folder, "broken");
    const ran = await microloom(["explore", "--agent", tuesday, ...lacks, "--executions", "600", "--out", out]);
    expect(ran).toMatchObject({ code: 1, err: "" });
    expect(ran.out).toContain("✗ agent in tuesday-agent.ts");
    expect(ran.out).toContain("broken       agent/no-dropped-wake  bug, 2 orderings");
    expect(ran.out).toContain('late-steer-queues, context-never-wakes ("next-step" is left out)');
    expect(ran.out.split("\n").length).toBeLessThanOrEqual(41);
    const repro = join(out, "agent-in-tuesday-agent-ts-agent-no-dropped-wake.json");
    expect(JSON.parse(await readFile(repro, "utf8"))).toMatchObject({ scenario: "agent in tuesday-agent.ts" });
    const replayed = await microloom(["replay", repro, tuesday]);
    expect(replayed.code).toBe(1);
    expect(replayed.out).toContain("It fails as recorded.");
    expect((await microloom(["shrink", repro, tuesday])).out).toContain("orderings 2 → 2");
  });

  test("holds where every promise is kept and every goal reached; JSON says it in full", async () => {
    const core = await moduleOf(
      "core.mjs",
      `import { createAgent as core } from ${JSON.stringify(resolve("dist/core/index.js"))};
       export const checkOptions = { executions: 1_200 };
       export const createAgent = async (ports) => core(ports);`,
    );
    const ran = await microloom(["explore", "--agent", core, "--json", "--out", join(folder, "held")]);
    expect(ran.code).toBe(0);
    const { format, subject, report } = JSON.parse(ran.out);
    expect({ format, subject }).toEqual({ format: 1, subject: "agent in core.mjs" });
    expect(report).toMatchObject({ broken: [], skipped: [], notReached: [], problems: [], executions: 1_200 });
  });

  test("takes a default export, prints nothing of it into the JSON, and refuses to export a repro of it", async () => {
    const idle = await moduleOf(
      "idle.mjs",
      `console.log("loaded");
       export default () => ({ send() { console.log("sent"); }, cancel() {}, whenIdle: async () => {} });`,
    );
    const out = join(folder, "idle");
    const ran = await microloom([
      "explore",
      "--agent",
      idle,
      "--json",
      "--executions",
      "60",
      "--scripts",
      "4",
      "--out",
      out,
    ]);
    expect(ran.code).toBe(1);
    expect(JSON.parse(ran.out).report.broken.length).toBeGreaterThan(0);
    const repro = join(out, "agent-in-idle-mjs-agent-no-dropped-wake.json");
    const replayed = await microloom(["replay", repro, idle]);
    expect(replayed.out).toContain("It fails as recorded.");
    const exported = await microloom(["export", "--vitest", repro, idle]);
    expect(exported).toMatchObject({ code: 64 });
    expect(exported.err).toContain("it is a repro of a check");
  });

  test("tells a problem for what it is", async () => {
    const shape = await moduleOf("shape.mjs", "export default () => ({ cancel() {}, whenIdle() {} });");
    const ran = await microloom(["explore", "--agent", shape]);
    expect(ran.code).toBe(1);
    expect(ran.out).toContain("expected send to be a method of the agent, found undefined");
  });

  test("judges a stranger's lease scheduler in the same way, and its repros replay", async () => {
    const out = join(folder, "leases");
    const ran = await microloom(["explore", "--lease", locks, "--executions", "60", "--scripts", "4", "--out", out]);
    expect(ran).toMatchObject({ code: 1, err: "" });
    expect(ran.out).toContain("✗ lease in mutex-scheduler.ts");
    expect(ran.out).toContain("broken       lease/told-at-once  bug");
    expect(ran.out).toContain('approved-first ("approvals" is left out)');
    const repro = join(out, "lease-in-mutex-scheduler-ts-lease-told-at-once.json");
    expect(JSON.parse(await readFile(repro, "utf8"))).toMatchObject({ scenario: "lease in mutex-scheduler.ts" });
    const replayed = await microloom(["replay", repro, locks]);
    expect(replayed.code).toBe(1);
    expect(replayed.out).toContain("It fails as recorded.");
  });

  const mistakes: readonly (readonly [readonly string[], string])[] = [
    [["--agent", "nowhere.ts"], "Cannot load"],
    [["--agent", resolve("README.md")], "expected a .ts or .js module that exports a factory"],
    [
      ["--agent", resolve("examples/late-wake.scenario.ts")],
      "expected it to export a function createAgent(ports), found lateWake",
    ],
    [["--agent", tuesday, "--without", "dispos"], "expected every word of without to be one of"],
    [["--agent", tuesday, "some.scenario.ts"], "judge an agent at once"],
    [["--agent", tuesday, "--lease", tuesday], "Cannot judge an agent and a lease scheduler at once"],
    [["--lease", locks, "some.scenario.ts"], "judge a lease scheduler at once"],
    [["--lease", tuesday], "expected it to export a function createLeaseScheduler(ports), found createAgent"],
    [["--scripts", "3"], "Cannot use --scripts without --agent <file> or --lease <file>"],
    [[tuesday], "it makes an agent; judge that with --agent"],
    [[locks], "it makes a lease scheduler; judge that with --lease"],
  ];
  test.each(mistakes)("%j is a mistake of the caller", async (args, text) => {
    const ran = await microloom(["explore", ...args]);
    expect(ran).toMatchObject({ code: 64, out: "" });
    expect(ran.err).toContain(text);
    expect(ran.err.trim().split("\n")).toHaveLength(1);
  });
});
