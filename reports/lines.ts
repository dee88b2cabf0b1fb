/**
 * How much a report may say. It is made of sections, and each says how many of its lines can be spared: where the limit
 * is too low for all, the least important lines go first, and what the reader needs in any case stays.
 */
import type { Execution } from "../sim/execution.ts";
import { counted, oneLine } from "./wording.ts";

export type ConsoleOptions = {
  /** Colours on; the caller knows whether a person is reading. */
  readonly color: boolean;
  /** All lines instead of at most `lineLimit`. */
  readonly full: boolean;
  /** What to add to `replay` to see it again; null when no repro was written. */
  readonly replayArguments: string | null;
  /** How the reader calls the command. */
  readonly command: string;
  /** At most so many lines, in place of `lineLimit`. */
  readonly lines?: number;
  /** The failing execution; `full` tells its steps with what was noted in them. */
  readonly execution?: Execution | null;
  /** Where a repro lies that the command cannot replay, because its scenario is inside a test. */
  readonly keptAt?: KeptAt | null;
};

/** A repro's file, and how the reader makes a test of it. */
export type KeptAt = { readonly path: string; readonly keep: string };

export const lineLimit = 40;
/** Columns of a line; what is longer is cut in the middle. */
export const lineWidth = 240;
const fullWidth = 2_000;

export type Section = {
  readonly lines: readonly string[];
  /** So many of its lines stay in any case. */
  readonly least: number;
  /** Where lines have to go, those of a lower rank go first. */
  readonly rank: number;
  /** A part of it alone says nothing. */
  readonly whole?: boolean;
};

/** Stays whatever else goes. */
export function always(lines: readonly string[]): Section {
  return { lines, least: lines.length, rank: 9 };
}

/** One line of plain text, safe for a terminal and of bounded width. */
export function plain(text: string, options: Pick<ConsoleOptions, "full">): string {
  return oneLine(text, widthOf(options));
}

export function widthOf({ full }: Pick<ConsoleOptions, "full">): number {
  return full ? fullWidth : lineWidth;
}

/** Puts the sections one after the other, and leaves out what is beyond the limit. */
export function fitted(sections: readonly Section[], options: ConsoleOptions): string[] {
  const limit = options.lines ?? lineLimit;
  const all = sections.reduce((sum, { lines }) => sum + lines.length, 0);
  if (options.full || all <= limit) return sections.flatMap(({ lines }) => lines);
  // The line that says how many are missing takes a place of its own.
  let over = all - (limit - 1);
  const kept = new Map<Section, number>();
  for (const section of sections.toSorted((a, b) => a.rank - b.rank)) {
    const { length } = section.lines;
    const gone = Math.min(over, Math.max(0, length - section.least));
    // Nor does a title.
    const useless = section.whole === true ? gone > 0 : length - gone === 1 && section.least === 0;
    const left = useless ? 0 : length - gone;
    kept.set(section, left);
    over = Math.max(0, over - (length - left));
  }
  const lines = sections.flatMap((section) => section.lines.slice(0, kept.get(section)));
  return bounded([...lines, more(all - lines.length)], options);
}

/** Leaves out what is beyond the limit, and says so. */
export function bounded(lines: readonly string[], options: ConsoleOptions): string[] {
  const limit = options.lines ?? lineLimit;
  if (options.full || lines.length <= limit) return [...lines];
  return [...lines.slice(0, limit - 1), more(lines.length - limit + 1)];
}

function more(hidden: number): string {
  return `  … ${counted(hidden, "more line")}; --full shows all`;
}
