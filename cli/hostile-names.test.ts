/** A scenario's name, a delivery's and a file's come from anywhere: no verb hands them to a terminal as they are. */
import { mkdir, mkdtemp, rename, rm, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { invisible } from "../repro/quoted.ts";
import { formatRepro, readRepro } from "../repro/repro-file.ts";
import { runExplore } from "./explore-command.ts";
import { microloom } from "./testing/command.ts";
import { agentProject, exported, recorded, replayed, type Said, said, shrunk } from "./testing/verbs.ts";

/** Clears the screen, turns the text round, and begins a line of its own. */
const hostile = "\u001b[2J\u202egnp\nheld \u0007";
let folder = "";

beforeAll(async () => {
  await mkdir(".microloom", { recursive: true });
  folder = await mkdtemp(resolve(".microloom/hostile-"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

async function project(): Promise<readonly [repro: string, scenario: string]> {
  const [plain, scenario] = await agentProject(folder, "plain", (text) => {
    return text
      .replace(/scenario\("[^"]*"/, `scenario(${JSON.stringify(hostile)}`)
      .replaceAll("no message lies", JSON.stringify(`${hostile} no message lies`).slice(1, -1));
  });
  const kept = await readRepro(plain);
  const violates = kept.violates.replace("no message lies", `${hostile} no message lies`);
  await writeFile(plain, formatRepro({ ...kept, scenario: hostile, title: hostile, violates }));
  const repro = join(folder, "hostile\u001b[2J\u202e.json");
  await rename(plain, repro);
  return [repro, scenario];
}

test("no verb prints a control character that stands in a name", async () => {
  const verbs: readonly ((repro: string, files: readonly string[]) => Promise<Said>)[] = [
    (repro, files) => shrunk(repro, files),
    (repro, files) => shrunk(repro, files, { out: join(folder, "out\u001b[2J.json") }),
    (repro, files) => replayed(repro, ...files),
    (repro, files) => exported(repro, files, { out: join(folder, "out\u001b[2J.ts") }),
    (repro, files) => recorded(repro, files),
    (_, files) =>
      said((output) =>
        runExplore(
          {
            files,
            options: {},
            json: false,
            full: false,
            allowUnreached: false,
            interrupted: () => new AbortController().signal,
            out: folder,
          },
          output,
        ),
      ),
  ];
  for (const verb of verbs) {
    const [repro, scenario] = await project();
    const { out } = await verb(repro, [scenario]);
    expect(out).toContain("\\u001b[2J");
    expect(out.split("\n").flatMap((line) => line.match(invisible) ?? [])).toEqual([]);
    expect(out).not.toMatch(/^held/m);
  }
});

test("no warning and no error does, either", async () => {
  const file = join(folder, "bad.scenario.mjs");
  await writeFile(
    file,
    `import { scenario } from "microloom";
     export const bad = scenario(${JSON.stringify(hostile)}, (world) => { world.events("a:b", []); });`,
  );
  const path = `nowhere${hostile}.json`;
  for (const args of [
    ["explore", file, "--out", folder],
    ["replay", path],
    ["explore", "--strategy", hostile],
  ]) {
    const { out, err, code } = await microloom(args);
    // In full, so that a failure says what the command has said.
    expect({ code, out, err }).toMatchObject({ code: 64 });
    expect(err).toContain("\\u001b[2J");
    expect(err.trimEnd().match(invisible) ?? []).toEqual([]);
  }
});
