/**
 * A program of the search bench: real async code over a small outside. It runs unchanged under microloom (`microloom.ts`)
 * and under fast-check's scheduler (`fast-check.ts`), so that what is compared is how a search finds its defect.
 *
 * A program touches its state only in the drain of a step, and declares there all that it touches.
 */
import type { Touches } from "../../sim/scenario.ts";

/** Waits for a delivery. What runs until the next wait belongs to it, waiters that it wakes included. */
export type Step = (label: string, touches: Touches) => Promise<void>;

export type Outside = {
  /** Starts a flow that must come to its end. It must not touch anything before its first step. */
  actor(name: string, body: (step: Step) => Promise<void>): void;
  /** Steps in the name of somebody who is no flow: a server, a sink. */
  port(name: string): Step;
  /** Waits in virtual time. */
  sleep(ms: number): Promise<void>;
  /** Virtual milliseconds since the start. */
  nowMs(): number;
  /** Reports that something has gone wrong for good. */
  violated(what: string): void;
  /** Checked when every flow has come to its end and nothing is left to deliver. */
  atEnd(name: string, holds: () => boolean | string): void;
};

export type Program = {
  readonly name: string;
  /** Starts the program; the answer tells its state, as far as it decides what comes later. */
  start(outside: Outside): () => unknown;
};

/** Runs a flow of steps that touch nothing of anybody else's: the traffic that every real program has beside its defect. */
export async function traffic(step: Step, own: string, count: number, label = own): Promise<void> {
  for (let nth = 0; nth < count; nth++) await step(label, { reads: [own], writes: [own] });
}
