/** No verb replaces a file that it was not told to replace, and none lets the reader wait for what it cannot write. */
import { link, mkdir, mkdtemp, readdir, readFile, readlink, rename, rm, symlink, writeFile } from "node:fs/promises";
import { join, relative, resolve } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { microloom } from "./testing/command.ts";
import { agentProject, exported, type Said, shrunk } from "./testing/verbs.ts";

const counter = Symbol.for("microloom.test.target-file");
let folder = "";

beforeAll(async () => {
  await mkdir(".microloom", { recursive: true });
  folder = await mkdtemp(resolve(".microloom/targets-"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

type Project = { readonly home: string; readonly repro: string; readonly scenario: string };

/** A project in a folder of its own, whose scenario counts how often it is run. */
async function project(): Promise<Project> {
  const home = await mkdtemp(join(folder, "project-"));
  const [repro, written] = await agentProject(home, "wake", (text) => {
    return text.replace("(world) => {", "(world) => { globalThis[Symbol.for('microloom.test.target-file')]++;");
  });
  // An exported test has to end in .ts, and is to be named like the scenario's file.
  const scenario = written.replace(/mjs$/, "ts");
  await rename(written, scenario);
  Reflect.set(globalThis, counter, 0);
  return { home, repro, scenario };
}

const verbs: readonly (readonly [
  name: string,
  verb: (project: Project, out: string, force: boolean) => Promise<Said>,
])[] = [
  ["shrink", ({ repro, scenario }, out, force) => shrunk(repro, [scenario], { out, force })],
  ["export", ({ repro, scenario }, out, force) => exported(repro, [scenario], { out, force })],
];

describe.each(verbs)("microloom %s --out", (_, verb) => {
  test("replaces no file without --force, and with it that one alone", async () => {
    const given = await project();
    const out = join(given.home, "precious.ts");
    await writeFile(out, "precious");
    await expect(verb(given, out, false)).rejects.toThrow(
      /^Cannot write .*: there is a file already; name another with --out, or pass --force$/,
    );
    expect(await readFile(out, "utf8")).toBe("precious");
    expect(Reflect.get(globalThis, counter)).toBe(0);
    expect((await verb(given, out, true)).code).toBe(0);
    expect(await readFile(out, "utf8")).not.toBe("precious");
  });

  test("takes a link that leads nowhere for a file", async () => {
    const given = await project();
    const out = join(given.home, "link.ts");
    await symlink("nowhere.ts", out);
    await expect(verb(given, out, false)).rejects.toThrow(/there is a file already/);
    expect(await readlink(out)).toBe("nowhere.ts");
  });

  test.each(["as it is", "relative", "through a link", "through a linked folder", "under another name"])(
    "never replaces the scenario's own file, named %s",
    async (how) => {
      const given = await project();
      const { home, scenario } = given;
      const spellings: Readonly<Record<string, () => Promise<string>>> = {
        "as it is": async () => scenario,
        relative: async () => `${relative(process.cwd(), home)}/./../${home.slice(folder.length + 1)}/wake.scenario.ts`,
        "through a link": async () => symlink(scenario, join(home, "link.ts")).then(() => join(home, "link.ts")),
        "through a linked folder": async () => symlink(home, `${home}-too`).then(() => `${home}-too/wake.scenario.ts`),
        "under another name": async () => link(scenario, join(home, "hard.ts")).then(() => join(home, "hard.ts")),
      };
      const out = (await spellings[how]?.()) ?? "no spelling";
      const text = await readFile(scenario, "utf8");
      for (const force of [true, false]) {
        await expect(verb(given, out, force)).rejects.toThrow(
          /^Cannot write .*: the result is made from that file; name another with --out$/,
        );
      }
      expect(await readFile(scenario, "utf8")).toBe(text);
      expect(Reflect.get(globalThis, counter)).toBe(0);
    },
  );

  test("notices before anything is run that it cannot write, and leaves nothing behind", async () => {
    const given = await project();
    await writeFile(join(given.home, "file"), "");
    await mkdir(join(given.home, "folder.ts"));
    const before = await readdir(given.home);
    const refused: readonly (readonly [string, RegExp])[] = [
      [join(given.home, "file", "under.ts"), /a part of the path is no folder/],
      [join(given.home, "folder.ts"), /it is a folder; name the file in it/],
      ["/proc/microloom/under.ts", /there is no such file/],
    ];
    for (const [out, message] of refused) {
      await expect(verb(given, out, true)).rejects.toThrow(message);
    }
    expect(await readdir(given.home)).toEqual(before);
    expect(Reflect.get(globalThis, counter)).toBe(0);
  });
});

test("microloom export never replaces the repro, and shrink only when told to", async () => {
  const given = await project();
  const out = join(given.home, "repro.ts");
  await symlink(given.repro, out);
  const text = await readFile(given.repro, "utf8");
  await expect(exported(given.repro, [given.scenario], { out, force: true })).rejects.toThrow(/made from that file/);
  await expect(shrunk(given.repro, [given.scenario], { out })).rejects.toThrow(
    /it is the repro itself; pass --write instead of --out to shrink it in place$/,
  );
  expect(await readFile(given.repro, "utf8")).toBe(text);
});

test("the command takes --force for shrink, and exits 64 without it", async () => {
  const { home, repro, scenario } = await project();
  const out = join(home, "precious.json");
  await writeFile(out, "precious");
  // Its scenario counts in this process alone.
  await writeFile(scenario, (await readFile(scenario, "utf8")).replace(/ globalThis\[.*?\]\+\+;/, ""));
  const refused = await microloom(["shrink", repro, scenario, "--out", out]);
  expect(refused).toMatchObject({ code: 64, out: "", err: expect.stringMatching(/or pass --force\n$/) });
  expect(await microloom(["shrink", repro, scenario, "--out", out, "--force"])).toMatchObject({ code: 0, err: "" });
});
