/** Level free by the command: it lowers what it loads by itself, for every verb. */
import { copyFile, mkdir, mkdtemp, readdir, readFile, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { microloom, type Ran } from "./testing/command.ts";

const timeout = 120_000;
let folder = "";

/** Right only as long as a job more is a job later. */
const counts = `
import { scenario } from "microloom";
export const counts = scenario("counts ticks", (world) => {
  const log: string[] = [];
  async function short(): Promise<void> { await null; log.push("short"); }
  async function long(): Promise<void> { await null; await null; log.push("long"); }
  world.actor("main", () => { void long(); void short(); });
  world.atQuiescence("the short one comes first", () => log[0] === "short");
});`;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "microloom-free-"));
  await mkdir(join(folder, "node_modules"));
  await symlink(resolve("."), join(folder, "node_modules/microloom"));
  await writeFile(join(folder, "package.json"), "{}");
  await writeFile(join(folder, "counts.scenario.ts"), counts);
  await copyFile(resolve("examples/tuesday-agent.ts"), join(folder, "tuesday-agent.ts"));
});

const command = (...args: readonly string[]): Promise<Ran> => microloom(args, { cwd: folder });

describe("microloom --level free", () => {
  test("finds an order that nobody promised, and replays and shrinks it", { timeout }, async () => {
    const found = await command("explore", "--level", "free", "--executions", "50", "counts.scenario.ts");
    expect(found).toMatchObject({ code: 1, err: "", out: expect.stringContaining("counts ticks  unordered") });
    const repro = ".microloom/counts-ticks.json";
    expect(JSON.parse(await readFile(join(folder, repro), "utf8"))).toMatchObject({
      level: "free",
      verdict: "unordered",
    });
    const [replayed, shrunk, exported] = await Promise.all(
      [["replay", "--strict"], ["shrink"], ["export", "--vitest"]].map((verb) =>
        command(...verb, repro, "counts.scenario.ts"),
      ),
    );
    expect(replayed).toMatchObject({ code: 1, err: "", out: expect.stringContaining("It fails as recorded.") });
    expect(shrunk).toMatchObject({ code: 0, err: "", out: expect.stringContaining("orderings 1 → 1") });
    expect(exported).toMatchObject({ code: 64, err: expect.stringContaining("expected a repro of level spec") });
  });

  test("is refused on Node's own queue", { timeout }, async () => {
    const ran = await command("explore", "--level", "free", "--engine", "native", "counts.scenario.ts");
    expect(ran).toMatchObject({ code: 64, out: "", err: expect.stringContaining('at level "free"') });
  });

  test("judges an agent", { timeout }, async () => {
    const bounds = ["--executions", "100", "--scripts", "2"];
    const ran = await command("explore", "--level", "free", ...bounds, "--agent", "tuesday-agent.ts");
    expect(ran).toMatchObject({ code: 1, err: "", out: expect.stringContaining("broken       agent/no-dropped-wake") });
  });

  test("has the built-in campaign", { timeout }, async () => {
    const ran = await command("explore", "--level", "free", "--executions", "4", "--allow-unreached", "--json");
    const { results } = JSON.parse(ran.out);
    const outcomes = new Set<string>(results.map(({ result }: { result: { outcome: string } }) => result.outcome));
    expect([...outcomes].sort()).toEqual(["held", "violated"]);
  });
});

test("microloom --engine microtask finds at level spec what Node's queue does", { timeout }, async () => {
  const args = ["explore", "--executions", "50", resolve("examples/late-wake.scenario.ts"), "--out"];
  const [native, ours] = await Promise.all([
    command(...args, "native"),
    command(...args, "ours", "--engine", "microtask"),
  ]);
  expect(native).toMatchObject({ code: 1, err: "" });
  expect(ours).toMatchObject({ code: 1, err: "" });
  const [repro = ""] = await readdir(join(folder, "native"));
  expect(await readFile(join(folder, "ours", repro), "utf8")).toBe(
    await readFile(join(folder, "native", repro), "utf8"),
  );
});
