/**
 * A repro is a failing execution in a file a person can read: the orderings, faults and data that lead to it, and
 * what must be seen. What such a file contains and how it is refused is here; nothing in it is ever run, and no part
 * of it is resolved as a path.
 */
import * as z from "zod";
import { parseName } from "../sim/names.ts";
import type { Fault, Level, Ordering, StrategyName, Verdict } from "../sim/result.ts";
import { circleIn } from "./circle.ts";
import { blemishOf } from "./plain-json.ts";
import { quoted } from "./quoted.ts";

export type FoundBy = { readonly strategy: StrategyName; readonly seed: string; readonly executions: number };

export type Repro = {
  readonly format: 1;
  /** A key into scenarios that are already loaded, or `microloom:<name>` for built-in ones. */
  readonly scenario: string;
  readonly title: string;
  /** Name of the condition that was violated. */
  readonly violates: string;
  readonly level: Level;
  readonly verdict: Verdict;
  /** `held` once the bug is fixed: the file then stays as a regression test. */
  readonly expect: "violation" | "held";
  readonly script: readonly unknown[];
  readonly faults: readonly Fault[];
  /** Indexes of `choose`, in order. */
  readonly data: readonly number[];
  readonly orderings: readonly Ordering[];
  /** Two deliveries whose swap alone flips the outcome, as they stand in the failing schedule. */
  readonly criticalPair: readonly [string, string] | null;
  /** The exact choices, for strict replay. */
  readonly choices: string | null;
  readonly foundBy: FoundBy;
};

/** A repro cannot be read, written or followed. */
export class ReproError extends Error {
  override readonly name = "ReproError";
}

/** A repro names a handful of deliveries: what is much larger was not written by microloom. */
export const reproLimitBytes = 4 * 1024 * 1024;

// Every text below completes the sentence "expected …".
const name = z
  .string("a delivery name")
  .refine((text) => parseName(text) !== null, 'a delivery name like "user:stop#1" (source:label#occurrence)');
const text = z.string("a string that is not empty").min(1, "a string that is not empty");
const count = z.int("a whole number, 0 or more").min(0, "a whole number, 0 or more");
const word = <const T extends readonly string[]>(words: T) =>
  z.enum(words, `one of ${words.map((each) => quoted(each)).join(", ")}`);
const list = <T extends z.ZodType>(item: T) => z.array(item, "an array").readonly();
const record = <T extends z.core.$ZodLooseShape>(shape: T) => z.strictObject(shape, "an object").readonly();

/** So many orderings of a circle are told. */
const circleTold = 6;

/** Beyond this many ticks no drain goes on, and a file must not be able to ask for endless ones. */
const longestLate = 10_000;
const fault = record({
  at: name,
  kind: word(["fail", "late", "hang", "partial", "crash"]),
  arg: count.exactOptional(),
}).refine(({ kind, arg }) => kind !== "late" || arg === undefined || (arg >= 1 && arg <= longestLate), {
  error: `ticks from 1 to ${longestLate}`,
  path: ["arg"],
});

const strategies = [
  ...(["portfolio", "first-come", "placement", "starve", "random", "pct", "pos", "urw", "surw"] as const),
  ...(["orderings", "delay-bounded", "depth-first", "dpor"] as const),
] as const;

const reproSchema: z.ZodType<Repro> = record({
  format: z.literal(1, "1"),
  scenario: text,
  title: text,
  violates: text,
  level: word(["spec", "jitter", "free"]),
  verdict: word(["bug", "fragile", "unordered"]),
  expect: word(["violation", "held"]),
  script: list(z.unknown()),
  faults: list(fault),
  data: list(count),
  orderings: list(record({ first: name, then: name })),
  criticalPair: z.tuple([name, name], "two delivery names, or null").readonly().nullable().default(null),
  choices: z
    .string("a string that is not empty, or null")
    .min(1, "a string that is not empty, or null")
    .nullable()
    .default(null),
  foundBy: record({ strategy: word(strategies), seed: z.string("a string"), executions: count }),
});

/** Reads the text of a repro. Throws ReproError naming `where`, the place in the file, what was expected and found. */
export function parseRepro(source: string, where: string): Repro {
  if (source.length > reproLimitBytes) {
    throw new ReproError(
      `Cannot read ${where}: expected at most ${reproLimitBytes} bytes, found ${source.length}; name a repro file`,
    );
  }
  let json: unknown;
  try {
    json = JSON.parse(source.charCodeAt(0) === 0xfeff ? source.slice(1) : source);
  } catch (error) {
    const said = error instanceof Error ? quoted(error.message, 200) : "an error";
    throw new ReproError(`Cannot read ${where}: expected JSON, but the parser says ${said}; restore the file`);
  }
  return checkRepro(json, where);
}

/** Returns the value as a repro. Throws ReproError naming `where`, the place in the value, what was expected and found. */
export function checkRepro(value: unknown, where: string): Repro {
  const format = at(value, ["format"]);
  if (typeof value === "object" && value !== null && format === undefined) {
    throw new ReproError(`Cannot read ${where}: expected a repro file, found one without a format; name another file`);
  }
  if (typeof value === "object" && value !== null && format !== 1) {
    throw new ReproError(
      `Cannot read ${where}: at format expected 1, found ${quoted(format)}; use the microloom version that wrote it`,
    );
  }
  const checked = reproSchema.safeParse(value);
  if (checked.success) {
    const { script, orderings } = checked.data;
    const blemish = blemishOf(script);
    if (blemish !== null) {
      const place = quoted(describePath(["script", ...blemish.path])).slice(1, -1);
      throw new ReproError(`Cannot read ${where}: at ${place} ${blemish.what}; correct it or record it again`);
    }
    const circle = circleIn(orderings);
    if (circle === null) return checked.data;
    throw new ReproError(`Cannot read ${where}: ${describeCircle(orderings, circle)}`);
  }
  const [issue] = checked.error.issues;
  const said = issue === undefined ? "expected a repro" : describeIssue(issue, value);
  throw new ReproError(`Cannot read ${where}: ${said}`);
}

/** Left to the replay, these would be called a change of the code. */
function describeCircle(orderings: readonly Ordering[], circle: readonly number[]): string {
  const said = (at: number | undefined): string => {
    const { first, then } = orderings[at ?? 0] ?? { first: "", then: "" };
    return `${quoted(first, 60)} before ${first === then ? "itself" : quoted(then, 60)}`;
  };
  if (circle.length === 1) {
    return `at orderings[${circle[0]}] expected two deliveries, found ${said(circle[0])}; correct it or record it again`;
  }
  const told = circle.slice(0, circleTold).map((at) => `${said(at)} (orderings[${at}])`);
  if (circle.length > circleTold) told.push(`and ${circle.length - circleTold} more`);
  return `the orderings contradict each other: expected an order that meets all, found ${told.join(", ")}, which is a circle; take one of them away or record it again`;
}

function describeIssue(issue: z.core.$ZodIssue, value: unknown): string {
  const path = describePath(issue.path);
  if (issue.code === "unrecognized_keys") {
    const keys = issue.keys.slice(0, 3).map((key) => quoted(key, 60));
    return `${path === "" ? "" : `at ${path} `}expected no key ${keys.join(" or ")}; remove it or correct its spelling`;
  }
  const found = quoted(at(value, issue.path));
  return `${path === "" ? "" : `at ${path} `}expected ${issue.message}, found ${found}; correct it or record it again`;
}

function describePath(path: readonly PropertyKey[]): string {
  return path
    .map((key, index) => (typeof key === "number" ? `[${key}]` : `${index > 0 ? "." : ""}${String(key)}`))
    .join("");
}

function at(value: unknown, path: readonly PropertyKey[]): unknown {
  let found = value;
  for (const key of path) {
    if (typeof found !== "object" || found === null || !Object.hasOwn(found, key)) return undefined;
    found = Reflect.get(found, key);
  }
  return found;
}
