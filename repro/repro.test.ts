import { expect, test } from "vitest";
import { checkRepro, parseRepro, ReproError, reproLimitBytes } from "./repro.ts";

const sample = {
  format: 1,
  scenario: "microloom:lease/forgets-intents",
  title: "A child claims the file its parent is writing",
  violates: "lease/parent-child-exclusive",
  level: "spec",
  verdict: "bug",
  expect: "violation",
  script: [],
  faults: [{ at: "agent:model#1", kind: "late", arg: 2 }],
  data: [1],
  orderings: [{ first: "root:write src/a.ts#1", then: "root:spawn child#1" }],
  criticalPair: ["root:write src/a.ts#1", "root:spawn child#1"],
  choices: null,
  foundBy: { strategy: "placement", seed: "s", executions: 3 },
};

function ordering(first: string, then: string) {
  return { first, then };
}

function refusal(value: unknown): string {
  try {
    checkRepro(value, "a.json");
  } catch (error) {
    if (error instanceof ReproError) return error.message;
    throw error;
  }
  return "accepted";
}

test("parseRepro() reads a repro, with and without a byte order mark", () => {
  expect(parseRepro(JSON.stringify(sample), "a.json")).toEqual(sample);
  expect(parseRepro(`\ufeff${JSON.stringify(sample)}`, "a.json")).toEqual(sample);
});

test("parseRepro() refuses broken JSON on one line", () => {
  expect(() => parseRepro('{\n"format": 1,', "a.json")).toThrow(ReproError);
  expect(() => parseRepro('{\n"format": 1,', "a.json")).toThrow(
    /^Cannot read a\.json: expected JSON, .*; restore the file$/,
  );
  expect(() => parseRepro("", "a.json")).toThrow(/^Cannot read a\.json: expected JSON/);
});

test("parseRepro() refuses by size before it parses", () => {
  expect(() => parseRepro(" ".repeat(reproLimitBytes + 1), "a.json")).toThrow(
    "Cannot read a.json: expected at most 4194304 bytes, found 4194305; name a repro file",
  );
});

const refusals: readonly (readonly [what: string, value: unknown, message: string])[] = [
  ["no object", [], "expected a repro file, found one without a format; name another file"],
  ["null", null, "expected an object, found null; correct it or record it again"],
  [
    "a newer format",
    { ...sample, format: 2 },
    "at format expected 1, found 2; use the microloom version that wrote it",
  ],
  [
    "a malformed name",
    { ...sample, orderings: [{ first: "root:write#1", then: "spawn" }] },
    'at orderings[0].then expected a delivery name like "user:stop#1" (source:label#occurrence), found "spawn"; correct it or record it again',
  ],
  [
    "a malformed name in the pair",
    { ...sample, criticalPair: ["a:b#1", "a:b#0"] },
    'at criticalPair[1] expected a delivery name like "user:stop#1" (source:label#occurrence), found "a:b#0"; correct it or record it again',
  ],
  [
    "half a pair",
    { ...sample, criticalPair: ["a:b#1"] },
    'at criticalPair expected two delivery names, or null, found ["a:b#1"]; correct it or record it again',
  ],
  [
    "a word it does not know",
    { ...sample, level: "tight" },
    'at level expected one of "spec", "jitter", "free", found "tight"; correct it or record it again',
  ],
  [
    "a wrong type",
    { ...sample, data: ["1"] },
    'at data[0] expected a whole number, 0 or more, found "1"; correct it or record it again',
  ],
  [
    "a negative number",
    { ...sample, faults: [{ at: "a:b#1", kind: "late", arg: -1 }] },
    "at faults[0].arg expected a whole number, 0 or more, found -1; correct it or record it again",
  ],
  [
    "a late arrival of no ticks",
    { ...sample, faults: [{ at: "a:b#1", kind: "late", arg: 0 }] },
    "at faults[0].arg expected ticks from 1 to 10000, found 0; correct it or record it again",
  ],
  [
    "a late arrival of endless ticks",
    { ...sample, faults: [{ at: "a:b#1", kind: "late", arg: 1e9 }] },
    "at faults[0].arg expected ticks from 1 to 10000, found 1000000000; correct it or record it again",
  ],
  [
    "a missing key",
    { ...sample, foundBy: { strategy: "pct", seed: "s" } },
    "at foundBy.executions expected a whole number, 0 or more, found nothing; correct it or record it again",
  ],
  ["an unknown key", { ...sample, ordering: [] }, 'expected no key "ordering"; remove it or correct its spelling'],
  [
    "an unknown key inside",
    { ...sample, faults: [{ at: "a:b#1", kind: "fail", ticks: 1 }] },
    'at faults[0] expected no key "ticks"; remove it or correct its spelling',
  ],
  [
    "a delivery before itself",
    { ...sample, orderings: [...sample.orderings, { first: "a:b#1", then: "a:b#1" }] },
    'at orderings[1] expected two deliveries, found "a:b#1" before itself; correct it or record it again',
  ],
  [
    "two orderings that contradict each other",
    { ...sample, orderings: [ordering("a:b#1", "c:d#1"), ...sample.orderings, ordering("c:d#1", "a:b#1")] },
    'the orderings contradict each other: expected an order that meets all, found "a:b#1" before "c:d#1" (orderings[0]), "c:d#1" before "a:b#1" (orderings[2]), which is a circle; take one of them away or record it again',
  ],
  [
    "a long circle, which is told in part",
    { ...sample, orderings: [1, 2, 3, 4, 5, 6, 7, 8].map((at) => ordering(`a:b#${at}`, `a:b#${(at % 8) + 1}`)) },
    `the orderings contradict each other: expected an order that meets all, found ${[1, 2, 3, 4, 5, 6]
      .map((at) => `"a:b#${at}" before "a:b#${at + 1}" (orderings[${at - 1}])`)
      .join(", ")}, and 2 more, which is a circle; take one of them away or record it again`,
  ],
  [
    "an empty title",
    { ...sample, title: "" },
    'at title expected a string that is not empty, found ""; correct it or record it again',
  ],
  [
    "no array",
    { ...sample, script: "rm -rf" },
    'at script expected an array, found "rm -rf"; correct it or record it again',
  ],
];

test.each(refusals)("checkRepro() refuses %s and names the place", (_what, value, message) => {
  expect(refusal(value)).toBe(`Cannot read a.json: ${message}`);
});

test("checkRepro() keeps its message on one bounded line whatever it found", () => {
  const message = refusal({
    ...sample,
    title: [`a\nb\u001b[2J${"x".repeat(100_000)}`],
    [`k\n${"y".repeat(5_000)}`]: 1,
  });
  expect(message).not.toMatch(/\p{Cc}/u);
  expect(message.length).toBeLessThan(400);
});

test("checkRepro() refuses a polluting key and pollutes nothing", () => {
  const message = refusal(JSON.parse(`${JSON.stringify(sample).slice(0, -1)},"__proto__":{"polluted":1}}`));
  expect(message).toBe('Cannot read a.json: expected no key "__proto__"; remove it or correct its spelling');
  expect(Reflect.get({}, "polluted")).toBeUndefined();
});

test("checkRepro() refuses a script that cannot be passed on as JSON, and names the place", () => {
  let deep: unknown = 1;
  for (let level = 0; level < 200; level++) deep = { in: deep };
  expect(refusal({ ...sample, script: ["fine", deep] })).toBe(
    "Cannot read a.json: at script[1].in.in expected at most 100 levels, found more; correct it or record it again",
  );
  const circle: unknown[] = [];
  circle.push({ again: circle });
  expect(refusal({ ...sample, script: circle })).toContain(
    "at script[0].again[0] expected JSON, found a value that contains itself",
  );
  expect(refusal({ ...sample, script: [{ id: 1n }] })).toContain("at script[0].id expected JSON, found a bigint");
  const polluting: unknown = JSON.parse('[{"a":[{"__proto__":1}]}]');
  expect(refusal({ ...sample, script: polluting })).toContain('at script[0].a[0] expected no key "__proto__"');
});

test("checkRepro() takes a script that uses one value many times", () => {
  let wide: unknown = 1;
  for (let level = 0; level < 60; level++) wide = [wide, wide];
  expect(refusal({ ...sample, script: [wide] })).toBe("accepted");
});
