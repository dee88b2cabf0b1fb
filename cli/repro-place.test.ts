import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, beforeEach, expect, test } from "vitest";
import type { Repro } from "../repro/repro.ts";
import { formatRepro, readRepro } from "../repro/repro-file.ts";
import { runExplore } from "./explore-command.ts";
import { keepRepro } from "./repro-place.ts";
import { agentProject, said } from "./testing/verbs.ts";

const folders: string[] = [];
let folder = "";
let repro: Repro;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "microloom-place-"));
  folders.push(folder);
  repro = await readRepro(resolve("examples/late-wake.json"));
});
afterAll(() => Promise.all(folders.map((each) => rm(each, { recursive: true, force: true }))));

const held = (): Repro => ({ ...repro, expect: "held", choices: null });

/** Keeps the repro where these files lie already; tells where it went and what was said. */
async function kept(there: Readonly<Record<string, string>>): Promise<readonly [path: string | null, said: string]> {
  for (const [file, text] of Object.entries(there)) await writeFile(join(folder, file), text);
  let path: string | null = null;
  const { out } = await said(async (output) => {
    path = await keepRepro(repro, join(folder, "x.json"), output);
    return 0;
  });
  for (const [file, text] of Object.entries(there)) {
    if (path !== join(folder, file)) expect(await readFile(join(folder, file), "utf8")).toBe(text);
  }
  return [path, out];
}

test("keepRepro() replaces the failure that an earlier run left, and says nothing", async () => {
  const path = join(folder, "x.json");
  expect(await kept({ "x.json": formatRepro({ ...repro, title: "An earlier one" }) })).toEqual([path, ""]);
  expect(await readRepro(path)).toEqual(repro);
});

test("keepRepro() leaves a regression test as it is, and says where the new repro goes", async () => {
  const [path, out] = await kept({ "x.json": formatRepro(held()) });
  expect(path).toBe(join(folder, "x-2.json"));
  expect(out).toBe(
    `${join(folder, "x.json")} expects to hold (a regression test), so it stays as it is; the new repro goes to ${path}`,
  );
  expect(await readRepro(path ?? "")).toEqual(repro);
  // The next run replaces its own file, and makes no third.
  expect(await kept({})).toEqual([path, out]);
  expect(await readdir(folder)).toEqual(["x-2.json", "x.json"]);
});

test("keepRepro() replaces nothing that is no repro of the scenario", async () => {
  for (const text of [formatRepro({ ...repro, scenario: "another one" }), "precious", '{ "format": 2 }']) {
    const [path, out] = await kept({ "x.json": text });
    expect(path).toBe(join(folder, "x-2.json"));
    expect(out).toMatch(
      /x\.json is no repro of this scenario, so it stays as it is; the new repro goes to .*x-2\.json$/,
    );
  }
  expect((await kept({ "x.json": formatRepro(held()), "x-2.json": formatRepro(held()) }))[0]).toMatch(/x-3\.json$/);
});

/** Explores the faulty agent, and tells what is known by its first run. */
async function explored(out: string): Promise<{ readonly code: number; readonly out: string; readonly early: string }> {
  const [, scenario] = await agentProject(resolve(".microloom"), `place-${folders.length}`);
  try {
    const lines: string[] = [];
    let early = "nothing was run";
    const ran = await said((output) =>
      runExplore(
        {
          files: [scenario],
          options: {},
          json: false,
          full: false,
          allowUnreached: false,
          interrupted: () => {
            early = lines.join("\n");
            return new AbortController().signal;
          },
          out,
        },
        { ...output, warn: (line) => lines.push(line) },
      ),
    );
    return { ...ran, early };
  } finally {
    for (const file of [scenario, scenario.replace(/scenario\.mjs$/, "json")]) await rm(file, { force: true });
  }
}

test("runExplore() leaves a regression test as it is, and names the file that it wrote", async () => {
  const name = `${repro.scenario.replaceAll(" ", "-")}.json`;
  await writeFile(join(folder, name), formatRepro(held()));
  const { code, out } = await explored(folder);
  expect(code).toBe(1);
  expect(out).toContain(name.replace(/\.json$/, "-2.json"));
  expect(await readRepro(join(folder, name))).toEqual(held());
});

test("runExplore() says before its first run that repros cannot be kept, and still tells what it finds", async () => {
  const file = join(folder, "file");
  await writeFile(file, "");
  const { code, out, early } = await explored(join(file, "under"));
  expect(early).toMatch(/^Cannot write .*: a part of the path is no folder; check the path; no repro will be kept$/);
  expect(code).toBe(1);
  expect(out).toContain("The swap that decides:");
  expect(await readdir(folder)).toEqual(["file"]);
});
