/** Calls and children as somebody outside knows of them. */
import type { Footprint, LeasePolicy } from "../../core/lease/state.ts";
import type { Verdict } from "./verdict.ts";

export type SeenCall = {
  readonly id: string;
  readonly owner: string;
  /** Its path is normal, if it has one that is inside. */
  readonly footprint: Footprint;
  /** The path as it was written. */
  readonly asked: string | null;
  readonly needsApproval: boolean;
  stage: "approving" | "waiting" | "runs" | "ended";
  deadlineMs: number;
  fence: number | null;
  /** What the contract says to it at the door, if not yes. */
  readonly atTheDoor: Verdict | null;
  /** What the contract says when it would be put into the queue, if not yes. */
  busy: Verdict | null;
  answer: "yes" | "no" | null;
  /** It was aborted, or its owner closed, while it had no outcome. */
  died: boolean;
  /** Fences seen when it was last asked for. */
  fencesThen: number;
  /** It could not run at once. */
  waited: boolean;
  /** Nobody else was there when it was last asked for. */
  alone: boolean;
};

export type SeenChild = {
  readonly id: string;
  readonly owner: string;
  readonly paths: readonly string[];
  fence: number | null;
};

export type SeenLease = SeenCall | SeenChild;

/** What is held against each other. */
export type SeenTable = {
  readonly policy: LeasePolicy;
  /** In order of request. */
  readonly calls: ReadonlyMap<string, SeenCall>;
  /** In order of spawn. */
  readonly children: ReadonlyMap<string, SeenChild>;
  readonly closedAtMs: ReadonlyMap<string, number>;
};

export function isOpen({ stage }: SeenCall): boolean {
  return stage === "approving" || stage === "waiting";
}

/** It was never in line, although it may not have heard so yet. */
export function isTurnedAway(call: SeenCall): boolean {
  return isOpen(call) && call.atTheDoor !== null;
}

/** It was stopped, or told no, and may not have heard so yet. */
export function isLeaving(call: SeenCall): boolean {
  return isOpen(call) && (call.died || call.answer === "no");
}

export function pathsOf(footprint: Footprint): readonly string[] {
  return footprint.kind === "file" ? [footprint.path] : footprint.kind === "none" ? [] : ["."];
}
