/** What the kit has to know of a kind of subject: its promises and goals, scripts for it, and how one is put into a world. */
import type { Scenario } from "../../sim/scenario.ts";
import type { Word } from "./check-options.ts";

/** A part of a contract that some subjects lack: a word, or an optional method that has none. */
export type Need = Word | "close";

export type Judged = { readonly name: string; readonly needs: readonly Need[] };

/** `onlyAfter`: something that the subject may never do; where it does not, nobody asks for the goal. */
export type JudgedGoal = Judged & { readonly onlyAfter?: string };

export type Script = readonly unknown[];

export type Draw = { readonly seed: string; readonly count: number; readonly without: readonly Need[] };

export type Judging = {
  readonly without: readonly Need[];
  /** Invariants that are not judged, because enough is known of their breaches. */
  readonly muted: ReadonlySet<string>;
  /** Write what is seen of the subject into the trace, for whoever replays a repro. */
  readonly noted?: boolean;
  /** Told what was made, in every execution. */
  readonly onShape?: (shape: Shape) => void;
};

/** What a look at the subject has told. */
export type Shape = {
  /** One sentence for each thing that a subject must have and this one has not. */
  readonly wrong: readonly string[];
  /** Optional methods that it has not, and what goes with each. */
  readonly absent: readonly { readonly method: string; readonly need: Need }[];
};

export type Family = {
  /** In the order in which a report names them. */
  readonly invariants: readonly Judged[];
  readonly goals: readonly JudgedGoal[];
  /** The kept scripts first, then drawn ones; never two equal ones. At most `count`. */
  scripts(draw: Draw): Promise<readonly Script[]>;
  /** Names the delivery of a script that is to be put at every place of its run first; null where there is none. */
  sweptIn(script: Script): string | null;
  /** The types of the commands: scripts of one shape tell one story. */
  shapeOf(script: Script): string;
  /** Judges what `judging` leaves, and has every goal as a `sometimes`. Where it has to, it says `kit/<kind>` of a problem. */
  scenario(judging: Judging): Scenario;
};
