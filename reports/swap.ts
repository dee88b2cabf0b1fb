/** The critical pair for somebody with a debugger: where each was asked for, where to break, and what differs then. */
import { quoted } from "../repro/quoted.ts";
import { deliveryPhrase } from "../repro/sentences.ts";
import {
  type AskedStack,
  namesTold,
  type StackFrame,
  type Swap,
  type SwapDifference,
  type SwapPlace,
  type SwapSide,
} from "../repro/swap.ts";
import type { Telling } from "../repro/telling.ts";
import type { Fault, SourceLocation, Violation } from "../sim/result.ts";
import { noteWords } from "./described.ts";
import { type ConsoleOptions, plain } from "./lines.ts";
import { oneLine } from "./wording.ts";

const framesShown = 2;
const namesShown = 3;
/** Deliveries of each side that are shown where nothing else differs. */
const orderShown = 6;
/** Faults, and choices of data, of which the lines are named. */
const causesShown = 3;

/** The stack of whoever asked for each of the two. */
export function askedLines(swap: Swap | null, options: ConsoleOptions): string[] {
  const stacks = (swap?.stacks ?? []).filter(({ frames }) => frames.length > 0);
  if (stacks.length === 0) return [];
  const lines = stacks.flatMap(({ delivery, frames }) => {
    const shown = options.full ? frames : frames.slice(0, framesShown);
    return [`    ${deliveryPhrase(delivery)}`, ...shown.map((frame) => `      at ${frameWords(frame)}`)];
  });
  const title = stacks.length === 1 ? "  Where it was asked for:" : "  Where the two were asked for:";
  return [title, ...lines].map((line) => plain(line, options));
}

/** The lines to break on, the most telling one first. `pair`: where the two that decide were asked for. */
export function breakLines(
  violation: Violation,
  pair: readonly AskedStack[] | null,
  telling: Telling | null,
  options: ConsoleOptions,
): string[] {
  const places: { readonly at: SourceLocation; readonly what: string }[] = [];
  const add = (at: SourceLocation | null | undefined, what: string): void => {
    if (at == null || places.some((place) => place.at.file === at.file && place.at.line === at.line)) return;
    places.push({ at, what });
  };
  const { kind, stack, waits, declaredAt } = violation;
  const scenario = declaredAt ?? null;
  for (const { asked, which } of askers(pair)) {
    const phrase = deliveryPhrase(asked.delivery);
    add(asker(asked, scenario)?.at, `where ${phrase}, the ${which} of the two, is asked for`);
  }
  for (const asked of (telling?.struck ?? []).slice(0, causesShown)) {
    const phrase = deliveryPhrase(asked.delivery);
    add(asker(asked, scenario)?.at, `where ${phrase}, ${fates[asked.kind]}, is asked for`);
  }
  const taken = (telling?.choices ?? []).filter(({ index }) => index > 0);
  for (const { label, frames } of taken.slice(0, causesShown)) {
    add(frames.find(({ at }) => !isInstalled(at.file))?.at, `where the choice ${quoted(label, 60)} is made`);
  }
  if (kind === "error") add(firstPlace(stack), "where it is thrown");
  if (kind === "livelock") add(firstPlace(stack), "where it goes on and on");
  const lines = (waits?.waits ?? []).flatMap(({ links }) => links.flatMap(({ at }) => at ?? []));
  add(
    lines.find(({ file }) => !isInstalled(file)),
    "where the wait never ends",
  );
  if (declaredAt !== undefined && !isInstalled(declaredAt.file)) add(declaredAt, "the condition that does not hold");
  if (places.length === 0) add(waits?.waits[0]?.made?.at, "where the promise of whoever waits is made");
  if (places.length === 0) return [];
  return ["  Break at:", ...places.map(({ at, what }) => plain(`    ${placeWords(at)}  ${what}`, options))];
}

/** What else was different where it held. */
export function differsLines(swap: Swap | null, options: ConsoleOptions): string[] {
  if (swap?.differs == null) return [];
  const { first, deliveries, notes } = swap.differs;
  const lines = [
    ...onlyLine("fails", deliveries?.failing?.map(deliveryPhrase) ?? [], "came", options),
    ...onlyLine("holds", deliveries?.passing?.map(deliveryPhrase) ?? [], "came", options),
    ...onlyLine("fails", notes?.failing?.map(noteWords) ?? [], "was noted", options),
    ...onlyLine("holds", notes?.passing?.map(noteWords) ?? [], "was noted", options),
  ];
  // Where something is on one side only, the first difference is that, or follows from it.
  if (lines.length === 0 && first != null) lines.push(...firstDifference(first));
  if (lines.length === 0) lines.push(...orderLines(swap, options));
  return ["  What differs:", ...lines].map((line) => plain(line, options));
}

/**
 * The later of the two is what comes too late. But where that is a step of the scenario itself, nobody asks for it when it
 * comes; then whoever asked for the other one is in the middle of it all.
 */
function askers(
  pair: readonly AskedStack[] | null,
): readonly { readonly asked: AskedStack; readonly which: "first" | "later" }[] {
  const [first, then] = pair ?? [];
  if (first === undefined || then === undefined) return [];
  const later = { asked: then, which: "later" } as const;
  if (then.step !== true || first.step === true || first.frames.length === 0) return [later];
  return [{ asked: first, which: "first" }, later];
}

const fates: Readonly<Record<Fault["kind"], string>> = {
  fail: "which failed",
  hang: "which never settled",
  late: "which came late",
  partial: "which was done in part",
  crash: "at which the process crashed",
};

/** The same deliveries came and noted the same, so it is their order that led somewhere else. */
function orderLines({ failing, passing }: Swap, options: ConsoleOptions): string[] {
  const nothing = "    nothing but the failure itself: no other delivery came, and nothing else was noted";
  if (failing.steps.length === 0 || passing.steps.length === 0) return [nothing];
  return [
    "    the order alone: no other delivery came, and nothing else was noted",
    `    when it fails: ${orderWords(failing, options)}`,
    `    when it holds: ${orderWords(passing, options)}`,
  ];
}

function orderWords({ from, steps, more }: SwapSide, { full }: ConsoleOptions): string {
  const shown = full ? steps : steps.slice(0, orderShown);
  const words = shown.map(({ name, tick }) => {
    return `${oneLine(deliveryPhrase(name), 60)}${tick > 0 ? ` at tick ${tick}` : ""}`;
  });
  const rest = steps.length - shown.length + more;
  return `${from > 1 ? "… " : ""}${words.join(", ")}${rest > 0 ? ` and ${rest} more` : ""}`;
}

function onlyLine(side: "fails" | "holds", names: readonly string[], did: string, options: ConsoleOptions): string[] {
  if (names.length === 0) return [];
  const shown = options.full ? names : names.slice(0, namesShown);
  const rest = names.length - shown.length;
  const words = shown.map((name) => oneLine(name, 80)).join(", ");
  // Of a long list only the beginning is known.
  const more = rest <= 0 ? "" : names.length < namesTold ? ` and ${rest} more` : " and more";
  return [`    only when it ${side}, ${words}${more} ${did}`];
}

function firstDifference({ kind, failing, passing }: NonNullable<SwapDifference["first"]>): string[] {
  const sides = [
    ["fails", failing],
    ["holds", passing],
  ] as const;
  return sides.map(([side, place]) => `    when it ${side}, ${placeDiffers(kind, place)}`);
}

function placeDiffers(kind: "note" | "possible" | "step", { step, name, note, possible }: SwapPlace): string {
  if (name === null) return `nothing comes after step ${step - 1}`;
  const what = deliveryPhrase(name);
  switch (kind) {
    case "note":
      return `${what} notes ${note === null ? "nothing more" : noteWords(note)}`;
    case "possible":
      return `step ${step} could be ${possible.slice(0, namesShown).map(deliveryPhrase).join(", ") || "nothing"}`;
    case "step":
      return `step ${step} is ${what}`;
  }
}

/**
 * The line of the code under test that waits for the delivery, or has asked for it. What the scenario hands out stands
 * between it and the world: that is in the file of the scenario, or only hands on to its caller what the world gave it.
 */
function asker({ frames }: AskedStack, scenario: SourceLocation | null): StackFrame | undefined {
  const own = frames.filter(({ at }) => !isInstalled(at.file));
  const elsewhere = scenario === null ? -1 : own.findIndex(({ at }) => at.file !== scenario.file);
  let at = Math.max(0, elsewhere);
  while (own[at]?.handsOn === true && own[at + 1]?.async === false) at++;
  return own[at];
}

function firstPlace(stack: string | undefined): SourceLocation | null {
  const [line = ""] = (stack ?? "").slice(0, 2_000).split("\n", 1);
  const place = /(?:\(|^at (?:async )?)([^()]{1,1000}):(\d{1,9}):(\d{1,9})\)?$/.exec(line);
  if (place === null) return null;
  const [, file = "", row, column] = place;
  return { file, line: Number(row), column: Number(column) };
}

function isInstalled(file: string): boolean {
  return file.startsWith("node_modules/");
}

function frameWords({ name, at, async }: StackFrame): string {
  const waits = async ? "async " : "";
  // A method of no class in particular.
  const shown = name?.replace(/^Object\./, "");
  return shown === undefined ? `${waits}${placeWords(at)}` : `${waits}${oneLine(shown, 80)} (${placeWords(at)})`;
}

function placeWords({ file, line, column }: SourceLocation): string {
  return `${oneLine(file, 160)}:${line}:${column}`;
}
