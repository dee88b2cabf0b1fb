/**
 * What the model checker remembers, and what may happen next. The state is the table of the reducer that ships, a clock, and
 * what each caller was told; everything else that the contract speaks of can be read off these.
 */
import type { LeaseEffect, LeaseInput, LeasePolicy, LeaseState, LeaseStep } from "../../../core/lease/state.ts";
import type { Step } from "../../../sim/model/model.ts";

/** `asked`: it has no outcome yet. `runs`: it was granted. `ended`: nothing may be said about it any more. */
export type Told = "asked" | "runs" | "ended";

export type LeaseWorld = {
  readonly lease: LeaseState;
  /** By effects and releases alone, never read off the table: what the table has must agree with it. */
  readonly told: ReadonlyMap<string, Told>;
  readonly nowMs: number;
};

/**
 * `owning`: the calls and children that turn out to be of the owner that closes. Until an owner closes, the reducer treats
 * all alike, so the model decides as late as it can who belongs to whom; `script.ts` writes the owners into the requests.
 */
export type CloseDeed = LeaseInput<"close"> & { readonly owning: readonly string[] };
/** Time goes by and nobody ticks: the timer is late. */
export type PassDeed = { readonly type: "pass" };
export type Deed = Exclude<LeaseInput, { readonly type: "close" }> | CloseDeed | PassDeed;

/** What is judged: the three functions of the core, or a mutant of them. */
export type LeaseReducer = {
  transition(policy: LeasePolicy, state: LeaseState, input: LeaseInput): LeaseStep;
  nextDeadlineMs(policy: LeasePolicy, state: LeaseState): number | null;
  mayWrite(
    policy: LeasePolicy,
    state: LeaseState,
    use: { readonly holder: string; readonly path: string; readonly fence: number },
  ): boolean;
};

/** Whoever has not closed is this one. */
export const openOwner = "run";

export function stepOf({ transition }: LeaseReducer, policy: LeasePolicy) {
  return (before: LeaseWorld, deed: Deed): Step<LeaseWorld, LeaseEffect> => {
    if (deed.type === "pass") return { state: { ...before, nowMs: before.nowMs + 1 }, effects: [] };
    const lease = deed.type === "close" ? owned(before.lease, deed) : before.lease;
    const { state, effects } = transition(policy, lease, inputOf(deed));
    const told = hear(before.told, deed, effects);
    // A late tick: time went by before it came.
    const nowMs = deed.type === "tick" ? Math.max(before.nowMs, deed.atMs) : before.nowMs;
    // The same object tells the explorer that there is nothing new.
    const isSame = state === before.lease && told === before.told && nowMs === before.nowMs;
    return { state: isSame ? before : { lease: state, told, nowMs }, effects };
  };
}

/** The input as the reducer gets it. */
export function inputOf(deed: Exclude<Deed, PassDeed>): LeaseInput {
  if (deed.type !== "close") return deed;
  const { type, owner, atMs } = deed;
  return { type, owner, atMs };
}

function owned(lease: LeaseState, { owner, owning }: CloseDeed): LeaseState {
  if (owning.length === 0) return lease;
  const calls = new Map(lease.calls);
  const children = new Map(lease.children);
  for (const id of owning) {
    const call = calls.get(id);
    const child = children.get(id);
    if (call) calls.set(id, { ...call, owner });
    if (child) children.set(id, { ...child, owner });
  }
  return { ...lease, calls, children };
}

/** A request that was refused or cancelled at once was never accepted, and nothing is remembered of it. */
function hear(told: ReadonlyMap<string, Told>, deed: Deed, effects: readonly LeaseEffect[]): ReadonlyMap<string, Told> {
  if (effects.length === 0 && deed.type !== "request" && deed.type !== "release") return told;
  const next = new Map(told);
  let news = false;
  const tell = (call: string, what: Told) => {
    next.set(call, what);
    news = true;
  };
  if (deed.type === "request" && !effects.some((effect) => turnsAway(effect, deed.call))) tell(deed.call, "asked");
  if (deed.type === "release" && !effects.some(({ type }) => type === "stale")) tell(deed.call, "ended");
  for (const effect of effects) {
    const ended = endedBy(effect, deed);
    if (effect.type === "granted") tell(effect.call, "runs");
    else if (ended !== null && next.has(ended)) tell(ended, "ended");
  }
  return news ? next : told;
}

export function turnsAway(effect: LeaseEffect, call: string): boolean {
  return effect.type === "refused" || (effect.type === "cancelled" && effect.call === call);
}

/** The call whose caller learns from this effect that it is over. */
export function endedBy(effect: LeaseEffect, deed: Deed): string | null {
  switch (effect.type) {
    case "cancelled":
    case "expired":
      return effect.call;
    case "fenced":
      return "call" in effect ? effect.call : null;
    case "refused":
      return deed.type === "approve" || deed.type === "deny" ? deed.call : null;
    default:
      return null;
  }
}
