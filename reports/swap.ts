/** The critical pair for somebody with a debugger: where each was asked for, where to break, and what differs then. */
import { deliveryPhrase } from "../repro/sentences.ts";
import {
  type AskedStack,
  namesTold,
  type StackFrame,
  type Swap,
  type SwapDifference,
  type SwapPlace,
} from "../repro/swap.ts";
import type { SourceLocation, Violation } from "../sim/result.ts";
import { noteWords } from "./described.ts";
import { type ConsoleOptions, plain } from "./lines.ts";
import { oneLine } from "./wording.ts";

const framesShown = 2;
const namesShown = 3;

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

/** The lines to break on, the most telling one first. */
export function breakLines(violation: Violation, swap: Swap | null, options: ConsoleOptions): string[] {
  const places: { readonly at: SourceLocation; readonly what: string }[] = [];
  const add = (at: SourceLocation | null | undefined, what: string): void => {
    if (at == null || places.some((place) => place.at.file === at.file && place.at.line === at.line)) return;
    places.push({ at, what });
  };
  const { kind, stack, waits, declaredAt } = violation;
  for (const { asked, which } of askers(swap)) {
    const phrase = deliveryPhrase(asked.delivery);
    add(asker(asked, declaredAt ?? null)?.at, `where ${phrase}, the ${which} of the two, is asked for`);
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
  if (lines.length === 0)
    lines.push("    nothing but the failure itself: no other delivery came, and nothing else was noted");
  return ["  What differs:", ...lines].map((line) => plain(line, options));
}

/**
 * The later of the two is what comes too late. But where that is a step of the scenario itself, nobody asks for it when it
 * comes; then whoever asked for the other one is in the middle of it all.
 */
function askers(swap: Swap | null): readonly { readonly asked: AskedStack; readonly which: "first" | "later" }[] {
  const [first, then] = swap?.stacks ?? [];
  if (first === undefined || then === undefined) return [];
  const later = { asked: then, which: "later" } as const;
  if (then.frames.length > 1 || first.frames.length < 2) return [later];
  return [{ asked: first, which: "first" }, later];
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
 * The line of the code under test that asked. What the scenario hands out (a port that calls the world) stands between
 * it and the world, so that is passed over: it is in the file of the scenario, or calls the world at once.
 */
function asker({ frames }: AskedStack, scenario: SourceLocation | null): StackFrame | undefined {
  const own = frames.filter(({ at }) => !isInstalled(at.file));
  const [port, caller] = own;
  const elsewhere = scenario === null ? undefined : own.find(({ at }) => at.file !== scenario.file);
  return elsewhere ?? (caller?.async === false ? caller : port);
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
