import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { parseName } from "../sim/names.ts";
import { parseRepro, type Repro, ReproError, reproLimitBytes } from "./repro.ts";
import { formatRepro, readRepro, reproFileName, writeRepro } from "./repro-file.ts";

const sample: Repro = {
  format: 1,
  scenario: "microloom:agent/parks-late-wakes",
  title: "A wake sent during convergence is forgotten",
  violates: "agent/no-dropped-wake",
  level: "spec",
  verdict: "bug",
  expect: "violation",
  script: [{ type: "send", id: "a" }, "stop"],
  faults: [{ at: "agent:model#2", kind: "late", arg: 3 }],
  data: [0, 2],
  orderings: [
    { first: "user:stop#1", then: "agent:model#1" },
    { first: "user:send b#1", then: "agent:teardown#1" },
  ],
  criticalPair: ["user:send b#1", "agent:teardown#1"],
  choices: "ml1:AAAA",
  foundBy: { strategy: "placement", seed: "lateWake", executions: 12 },
};

let folder = "";
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "repro-file-"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

test("formatRepro() writes the keys in the order of the format, one ordering on a line", () => {
  expect(formatRepro(sample)).toBe(`{
  "format": 1,
  "scenario": "microloom:agent/parks-late-wakes",
  "title": "A wake sent during convergence is forgotten",
  "violates": "agent/no-dropped-wake",
  "level": "spec",
  "verdict": "bug",
  "expect": "violation",
  "script": [
    {"type":"send","id":"a"},
    "stop"
  ],
  "faults": [
    { "at": "agent:model#2", "kind": "late", "arg": 3 }
  ],
  "data": [0,2],
  "orderings": [
    { "first": "user:stop#1", "then": "agent:model#1" },
    { "first": "user:send b#1", "then": "agent:teardown#1" }
  ],
  "criticalPair": ["user:send b#1", "agent:teardown#1"],
  "choices": "ml1:AAAA",
  "foundBy": { "strategy": "placement", "seed": "lateWake", "executions": 12 }
}
`);
});

const name = fc
  .tuple(fc.stringMatching(/^[^:#]+$/), fc.stringMatching(/^[^#]+$/), fc.integer({ min: 1, max: 99 }))
  .map(([source, label, occurrence]) => `${source}:${label}#${occurrence}`)
  .filter((made) => parseName(made) !== null);
const text = fc.string({ minLength: 1, unit: "binary" });
const repros: fc.Arbitrary<Repro> = fc.record({
  format: fc.constant(1),
  scenario: text,
  title: text,
  violates: text,
  level: fc.constantFrom("spec", "jitter", "free"),
  verdict: fc.constantFrom("bug", "fragile", "unordered"),
  expect: fc.constantFrom("violation", "held"),
  // A key that could change what it is put into is refused.
  script: fc.array(fc.jsonValue().filter((value) => !JSON.stringify(value).includes("__proto__"))),
  faults: fc.array(
    fc.record(
      { at: name, kind: fc.constantFrom("fail", "late", "hang"), arg: fc.integer({ min: 1, max: 99 }) },
      { requiredKeys: ["at", "kind"] },
    ),
  ),
  data: fc.array(fc.nat()),
  orderings: fc.array(fc.record({ first: name, then: name })),
  criticalPair: fc.option(fc.tuple(name, name)),
  choices: fc.option(text),
  foundBy: fc.record({ strategy: fc.constantFrom("pct", "dpor"), seed: fc.string(), executions: fc.nat() }),
});

test("formatRepro() and parseRepro() round-trip every repro, to the same bytes", () => {
  fc.assert(
    fc.property(repros, (repro) => {
      const written = formatRepro(repro);
      const back = parseRepro(written, "it");
      // What JSON cannot say (-0) is not part of the format.
      expect(back).toEqual(JSON.parse(JSON.stringify(repro)));
      expect(formatRepro(back)).toBe(written);
    }),
  );
});

test("writeRepro() and readRepro() round-trip, and leave nothing beside", async () => {
  const path = join(folder, "one.json");
  await writeRepro(path, { ...sample, title: "old" });
  await writeRepro(path, sample);
  expect(await readRepro(path)).toEqual(sample);
  expect(await readFile(path, "utf8")).toBe(formatRepro(sample));
  expect(await readdir(folder)).toEqual(["one.json"]);
});

test("readRepro() names a file that is missing, a folder, too large or not text", async () => {
  const missing = join(folder, "missing.json");
  await expect(readRepro(missing)).rejects.toThrow(
    new ReproError(`Cannot read ${missing}: there is no such file; check the path`),
  );
  await expect(readRepro(folder)).rejects.toThrow(/it is a folder; name the file in it$/);
  const large = join(folder, "large.json");
  await writeFile(large, " ".repeat(reproLimitBytes + 1));
  await expect(readRepro(large)).rejects.toThrow(
    /expected at most 4194304 bytes, found 4194305 bytes; name a repro file$/,
  );
  const binary = join(folder, "binary.json");
  await writeFile(binary, Buffer.from([0x7b, 0xff, 0xfe]));
  await expect(readRepro(binary)).rejects.toThrow(/expected UTF-8 text, found other bytes; name a repro file$/);
});

test("writeRepro() makes the folders on the way, and names a path that cannot be", async () => {
  const path = join(folder, "new", "deep", "one.json");
  await writeRepro(path, sample);
  expect(await readRepro(path)).toEqual(sample);
  await expect(writeRepro(join(path, "under a file.json"), sample)).rejects.toThrow(
    /^Cannot write .*under a file\.json: a part of the path is no folder; check the path$/,
  );
});

test("reproFileName() gives a name that every file system takes", () => {
  expect(reproFileName("microloom:agent/parks-late-wakes")).toBe("microloom-agent-parks-late-wakes.json");
  expect(reproFileName("../../Etc/passwd")).toBe("etc-passwd.json");
  expect(reproFileName("模型")).toMatch(/^scenario-[0-9a-f]{8}\.json$/);
  expect(reproFileName("日本")).not.toBe(reproFileName("中国"));
  expect(reproFileName("x".repeat(500))).toHaveLength(94);
});

test("writeRepro() gives up where the system lets nobody make a folder", async () => {
  await expect(writeRepro("/proc/microloom/nobody.json", sample)).rejects.toThrow(ReproError);
});
