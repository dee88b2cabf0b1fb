/**
 * Runs a text as it is, lowered, and lowered inside an execution, each beside a metronome of promises: the logs must be
 * equal, ticks included.
 */
import { setImmediate } from "node:timers/promises";
import { runtime } from "../../microtask/runtime.ts";
import { lower } from "../lower.ts";

export type Logs = {
  readonly native: readonly string[];
  readonly lowered: readonly string[];
  /** On our own promises. */
  readonly live: readonly string[];
};

const beats = 24;
const metronome = `{ let beat = 0; const next = () => { if (beat < ${beats}) { log("." + ++beat); Promise.resolve().then(next) } }; Promise.resolve().then(next) }`;

export async function bothWays(source: string): Promise<Logs> {
  const text = `${directive(source)}${metronome}\n${source}`;
  const { code, map } = lower(text, { file: "both-ways.js", sourceType: "script" });
  if (map === null) throw new Error(`Cannot compare: nothing was lowered in ${source}`);
  return { native: await logOf(text), lowered: await logOf(code), live: liveLogOf(code) };
}

async function logOf(code: string): Promise<string[]> {
  const log: string[] = [];
  run(code, log, Promise);
  await setImmediate();
  await setImmediate();
  return log;
}

function liveLogOf(code: string): string[] {
  const log: string[] = [];
  const { microtasks } = runtime;
  const nothing = () => {};
  const told = (what: string) => (error: unknown) => log.push(`${what} ${error}`);
  microtasks.begin({
    ran: nothing,
    enqueued: nothing,
    unhandled: told("unhandled"),
    uncaught: told("uncaught"),
    foreign: () => log.push("a foreign promise"),
    importing: nothing,
  });
  try {
    run(code, log, microtasks.Promise);
    microtasks.drain();
  } finally {
    microtasks.end();
  }
  return log;
}

function run(code: string, log: string[], promises: object): void {
  new Function("log", "Promise", code)((...what: unknown[]) => log.push(what.map(String).join(" ")), promises);
}

/** A directive counts only where it is first. */
function directive(source: string): string {
  return source.startsWith('"use strict"') ? '"use strict";' : "";
}

/** Everything that was logged beside the metronome. */
export function said(log: readonly string[]): string[] {
  return log.filter((line) => !line.startsWith("."));
}
