import { chmod, mkdir, mkdtemp, readdir, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { refuseUnwritable, writeWhole } from "./whole-file.ts";

let folder = "";

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "microloom-whole-"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

test("refuseUnwritable() refuses in the words of writeWhole(), and leaves nothing behind", async () => {
  const file = join(folder, "file");
  await writeFile(file, "precious");
  await symlink(join(folder, "round"), join(folder, "round"));
  const closed = await mkdtemp(join(folder, "closed-"));
  await chmod(closed, 0o555);
  const taken = join(folder, "taken");
  await mkdir(taken);
  const before = await readdir(folder, { recursive: true });
  const paths = [
    taken,
    join(file, "under.json"),
    join(file, "far", "under.json"),
    join(folder, "round", "under.json"),
    join(folder, `${"n".repeat(300)}.json`),
    join(closed, "one.json"),
    join(closed, "far", "away", "one.json"),
    "/proc/microloom/nobody.json",
  ];
  const superuser = process.geteuid?.() === 0;
  // The superuser may write anywhere, so it is nobody for a moment; the folder is then somebody else's to close.
  await chmod(folder, 0o777);
  if (superuser) process.seteuid?.(65_534);
  try {
    for (const path of paths) {
      const refused = await refuseUnwritable(path).then(String, String);
      expect(refused).toMatch(/^ReproError: Cannot write /);
      expect(await readdir(folder, { recursive: true })).toEqual(before);
      expect(refused).toBe(await writeWhole(path, "text").then(String, String));
    }
  } finally {
    if (superuser) process.seteuid?.(0);
    await chmod(closed, 0o755);
  }
});

test("refuseUnwritable() takes what writeWhole() takes, and makes neither file nor folder", async () => {
  const open = await mkdtemp(join(folder, "open-"));
  await writeFile(join(open, "old"), "old");
  for (const path of [join(open, "new"), join(open, "old"), join(open, "far", "away", "new")]) {
    await refuseUnwritable(path);
    expect(await readdir(open)).toEqual(["old"]);
  }
});
