/**
 * What the lease scheduler is made of, as values: footprints, the state, and what goes in and comes out of `transition`.
 * Nothing here does anything; the rules stand in `transition.ts`.
 */
import { check } from "../shape.ts";
import { number } from "./input.ts";

/** What a root call may write. Commands and connectors are unknown, so they take the workspace. */
export type Footprint =
  | { readonly kind: "none" }
  | { readonly kind: "file"; readonly path: string }
  | { readonly kind: "workspace" };

/** A root call; its path, if it has one, is normalised. `deadlineMs` stands until the grant, `fence` from the grant on. */
export type LeaseCall = {
  readonly owner: string;
  readonly footprint: Footprint;
  readonly stage: "approving" | "waiting" | "granted";
  readonly deadlineMs: number | null;
  readonly fence: number | null;
};

/** A subagent with the normalised paths it declared; its claim is exclusive and lasts until it finishes. */
export type LeaseChild = { readonly owner: string; readonly paths: readonly string[]; readonly fence: number };

/** An intent is not stored: it is a live file call, whatever its stage, so the two can never disagree. */
export type LeaseState = {
  /** In order of spawn. */
  readonly children: ReadonlyMap<string, LeaseChild>;
  /** In order of request. */
  readonly calls: ReadonlyMap<string, LeaseCall>;
  /** Ids of the waiting calls, in order of arrival. */
  readonly queue: readonly string[];
  readonly nextFence: number;
  /** Owner to the time it was closed at, in ms. */
  readonly closed: ReadonlyMap<string, number>;
};

export type LeasePolicy = {
  readonly waitLimitMs: number;
  /** How long the running work of a closed owner may keep its lease. */
  readonly stuckLimitMs: number;
  readonly caseSensitive: boolean;
  /** Root against root. Under `refuse` nobody waits. */
  readonly conflict: "queue" | "refuse";
  /** Whom a waiter may not overtake: `arrival`: an earlier waiter it overlaps. `per-path`: one of the same path. */
  readonly queue: "arrival" | "per-path";
};

/** The fields of each input, by its type. */
type Said = {
  request: {
    readonly call: string;
    readonly owner: string;
    readonly footprint: Footprint;
    readonly atMs: number;
    readonly needsApproval: boolean;
    readonly aborted: boolean;
  };
  approve: { readonly call: string; readonly atMs: number };
  deny: { readonly call: string };
  release: { readonly call: string; readonly fence: number };
  abort: { readonly call: string; readonly atMs: number };
  tick: { readonly atMs: number };
  spawn: { readonly child: string; readonly owner: string; readonly paths: readonly string[]; readonly atMs: number };
  finish: { readonly child: string; readonly fence: number };
  close: { readonly owner: string; readonly atMs: number };
};
export type LeaseInput<Type extends keyof Said = keyof Said> = {
  [Each in Type]: { readonly type: Each } & Said[Each];
}[Type];
export type RequestInput = LeaseInput<"request">;
export type SpawnInput = LeaseInput<"spawn">;

export type LeaseRefusal =
  | "duplicate-call"
  | "owner-closed"
  | "outside-workspace"
  | "child-writing"
  | "denied"
  | "root-busy"
  | "duplicate-child"
  | "no-paths"
  | "child-conflict"
  | "root-writing";

/** `path` is the path asked for, normalised; `holder` the first in the way, in order of request or spawn. */
export type RefusedEffect = {
  readonly type: "refused";
  readonly input: LeaseInput;
  readonly reason: LeaseRefusal;
  readonly path?: string;
  readonly holder?: string;
};
export type ExpiredEffect = {
  readonly type: "expired";
  readonly call: string;
  readonly path: string;
  readonly retryable: true;
};

export type LeaseEffect =
  | { readonly type: "ask-approval"; readonly call: string }
  | { readonly type: "granted"; readonly call: string; readonly fence: number }
  | { readonly type: "cancelled"; readonly call: string }
  | ExpiredEffect
  | { readonly type: "fenced"; readonly call: string }
  | { readonly type: "fenced"; readonly child: string }
  | { readonly type: "spawned"; readonly child: string; readonly fence: number }
  | { readonly type: "overlaps-child"; readonly call: string; readonly children: readonly string[] }
  | RefusedEffect
  | { readonly type: "stale"; readonly input: LeaseInput };

export type LeaseStep = { readonly state: LeaseState; readonly effects: readonly LeaseEffect[] };

export const defaultPolicy: LeasePolicy = {
  waitLimitMs: 600_000,
  stuckLimitMs: 60_000,
  caseSensitive: true,
  conflict: "queue",
  queue: "arrival",
};

/** Starts with nothing held. A host that survives restarts persists an upper bound of the fences and passes it here. */
export function initialState(firstFence = 1): LeaseState {
  check("firstFence", firstFence, number);
  return { children: new Map(), calls: new Map(), queue: [], nextFence: firstFence, closed: new Map() };
}
