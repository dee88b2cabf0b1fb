/**
 * The bridge from the lease reducer down to its host. What is proved of `transition` is true of a running scheduler as far
 * as the host does what the transition says, all of it, and nothing else. `followed` makes a scheduler beside which a
 * follower walks: it holds a state of its own, takes every input at the moment the host gets it, and so knows whom the
 * host must ask, whom it must tell what, and for when it must set its timer.
 *
 * What the host may do that no effect says, and is allowed here exactly so far:
 *
 * - A call id that is in use, or was, is refused without an input.
 * - Between a grant and the moment the caller runs, the host looks at the call again, grants in their order. One that was
 *   aborted, or whose owner closed, is told so and gives its lease back: an input of the host's own.
 * - An abort is an input until the host has looked or the call has been told; behind that it is the tool's to see.
 * - Everything but a yes to an approval is a no.
 */
import { isDeepStrictEqual } from "node:util";
import { nextDeadlineMs } from "../../core/lease/deadline.ts";
import { AbortError, LeaseRefusedError, LeaseTimeoutError } from "../../core/lease/errors.ts";
import { createLeaseScheduler } from "../../core/lease/host.ts";
import { mayWrite } from "../../core/lease/may-write.ts";
import type { LeaseClock } from "../../core/lease/ports.ts";
import type { AcquireOptions, Grant, LeaseScheduler } from "../../core/lease/scheduler.ts";
import {
  defaultPolicy,
  initialState,
  type LeaseEffect,
  type LeaseInput,
  type LeasePolicy,
  type LeaseRefusal,
  type LeaseState,
} from "../../core/lease/state.ts";
import { transition } from "../../core/lease/transition.ts";
import type { World } from "../../sim/scenario.ts";

type Timer = { readonly setMs: number; readonly dueMs: number };

/** How a call ends for whoever asked. */
type End =
  | { readonly type: "runs"; readonly fence: number }
  | { readonly type: "cancelled" }
  | { readonly type: "expired"; readonly path: string }
  | {
      readonly type: "refused";
      readonly reason: LeaseRefusal;
      readonly path: string | undefined;
      readonly holder: string | undefined;
    };

const usedUp: End = { type: "refused", reason: "duplicate-call", path: undefined, holder: undefined };

export type FollowOptions = {
  readonly approve: (call: string) => Promise<boolean>;
  readonly policy?: Partial<LeasePolicy>;
  readonly firstFence?: number;
  /** The host under test. */
  readonly make?: typeof createLeaseScheduler;
  /** Hears of every transition. */
  readonly onStep?: OnStep;
};

type OnStep = (input: LeaseInput, effects: readonly LeaseEffect[]) => void;

/** Makes a scheduler and its follower. Leases taken from the scheduler returned are followed to their end. */
export function followed(world: World, options: FollowOptions): LeaseScheduler {
  const { approve, policy = {}, firstFence, make = createLeaseScheduler, onStep = () => {} } = options;
  const follower = new Follower({ ...defaultPolicy, ...policy }, initialState(firstFence), onStep);

  const clock: LeaseClock = {
    nowMs: () => world.nowMs,
    setTimer(ms, callback) {
      const timer = { setMs: world.nowMs, dueMs: world.nowMs + ms };
      follower.setsTimer(timer);
      const delivery = setTimeout(() => {
        follower.isRidOf(timer);
        follower.take({ type: "tick", atMs: Math.max(world.nowMs, timer.dueMs) });
        callback();
      }, ms);
      return () => {
        follower.isRidOf(timer);
        clearTimeout(delivery);
      };
    },
  };

  const scheduler = make(
    {
      clock,
      /** Both wait for the same promise, so an answer is taken in the job right before the host's own. */
      approve(call) {
        follower.asks(call);
        const hear = (said: boolean) =>
          follower.take(said === true ? { type: "approve", call, atMs: world.nowMs } : { type: "deny", call });
        try {
          const answer = Promise.resolve(approve(call));
          answer.then(hear, () => hear(false));
          return answer;
        } catch (error) {
          hear(false);
          throw error;
        }
      },
    },
    policy,
    firstFence,
  );
  world.always("the host follows its reducer", () => follower.divergence(scheduler) ?? true);

  async function acquire(asked: AcquireOptions): Promise<Grant> {
    const { call, owner, footprint, needsApproval = false, signal } = asked;
    const caller: Caller = { owner, signal, hasReturned: false };
    const isNew = follower.isNew(call);
    if (isNew) {
      // Ahead of the host's own listener.
      signal.addEventListener("abort", () => follower.aborted(call, caller, world.nowMs));
      follower.requested(
        { type: "request", call, owner, footprint, atMs: world.nowMs, needsApproval, aborted: signal.aborted },
        caller,
      );
    }
    const looked = () => {
      if (isNew && caller.hasReturned) follower.looks(call, caller);
    };
    const answer = scheduler.acquire({ ...asked, signal: watched(signal, looked) });
    caller.hasReturned = true;
    const settled = (end: End | undefined) => {
      if (isNew) follower.ended(caller, end);
      else follower.agree("a call with a used id", end, usedUp);
    };
    answer.then(
      ({ fence }) => settled({ type: "runs", fence }),
      (error) => settled(endOf(error)),
    );
    const grant = await answer;
    const release = () => {
      follower.take({ type: "release", call, fence: grant.fence });
      grant.release();
    };
    return { ...grant, release, [Symbol.dispose]: release, [Symbol.asyncDispose]: async () => release() };
  }

  return {
    acquire,
    spawn(asked) {
      const { child } = asked;
      const [first] = follower.take({ ...asked, type: "spawn", atMs: world.nowMs });
      try {
        const claim = scheduler.spawn(asked);
        const { holder, fence } = claim;
        follower.agree("a claim", { type: "spawned", child: holder, fence }, first);
        return {
          holder,
          fence,
          finish() {
            follower.take({ type: "finish", child, fence });
            claim.finish();
          },
        };
      } catch (error) {
        follower.agree("a refused claim", endOf(error), first && endAfter(first));
        throw error;
      }
    },
    finish(child) {
      follower.take({ type: "finish", child, fence: follower.fenceOf(child) });
      scheduler.finish(child);
    },
    close(owner) {
      follower.take({ type: "close", owner, atMs: world.nowMs });
      scheduler.close(owner);
    },
    canWrite(lease, path) {
      const may = scheduler.canWrite(lease, path);
      follower.agree("a right to write", may, follower.mayWrite(lease, path));
      return may;
    },
    get state() {
      return scheduler.state;
    },
  };
}

/** Whoever waits for a call. */
type Caller = {
  readonly owner: string;
  readonly signal: AbortSignal;
  /** Until the host's own `acquire` has returned, to look at the signal is part of the request. */
  hasReturned: boolean;
  due?: End;
  end?: End;
};

/** Walks beside a host. What is wrong is kept as the divergence and never thrown, for that would change what the host does. */
class Follower {
  readonly #policy: LeasePolicy;
  readonly #onStep: OnStep;
  #state: LeaseState;
  #diverged: string | undefined;
  /** Approvals that were decided and not asked for. */
  readonly #approvals: string[] = [];
  /** Grants that the host has not looked at again, in their order. */
  readonly #grants: Extract<LeaseEffect, { readonly type: "granted" }>[] = [];
  /** Ids in use or used up. */
  readonly #used = new Set<string>();
  /** Calls that were neither told nor looked at: theirs are the aborts that the host hears. */
  readonly #callers = new Map<string, Caller>();
  readonly #all: Caller[] = [];
  #timer: Timer | null = null;

  constructor(policy: LeasePolicy, state: LeaseState, onStep: OnStep) {
    this.#policy = policy;
    this.#state = state;
    this.#onStep = onStep;
  }

  /** Takes an input, right before the host does. */
  take(input: LeaseInput): readonly LeaseEffect[] {
    const { state, effects } = transition(this.#policy, this.#state, input);
    this.#state = state;
    this.#onStep(input, effects);
    for (const effect of effects) this.#expect(effect);
    return effects;
  }

  isNew(call: string): boolean {
    return !this.#used.has(call);
  }

  requested(input: LeaseInput<"request">, caller: Caller): void {
    this.#used.add(input.call);
    this.#callers.set(input.call, caller);
    this.#all.push(caller);
    const [first] = this.take(input);
    // Turned away at the door, the id was never in use.
    if (first?.type === "refused" || first?.type === "cancelled") this.#used.delete(input.call);
  }

  aborted(call: string, caller: Caller, atMs: number): void {
    if (this.#callers.get(call) === caller) this.take({ type: "abort", call, atMs });
  }

  /** The second look. */
  looks(call: string, caller: Caller): void {
    if (this.#callers.get(call) !== caller) return;
    const grant = this.#grants.shift();
    this.agree("the grant it looks at", call, grant?.call);
    if (!grant) return;
    this.#callers.delete(call);
    const isDead = caller.signal.aborted || this.#state.closed.has(caller.owner);
    caller.due = isDead ? { type: "cancelled" } : { type: "runs", fence: grant.fence };
    if (isDead) this.take({ type: "release", call, fence: grant.fence });
  }

  asks(call: string): void {
    this.agree("what it asks approval for", call, this.#approvals.shift());
  }

  ended(caller: Caller, end: End | undefined): void {
    this.agree("the end of a call", end, caller.due);
    if (end) caller.end = end;
  }

  setsTimer(timer: Timer): void {
    if (this.#timer) this.#diverge("it sets a second timer");
    this.#timer = timer;
  }

  /** The timer came, or is taken back; which does nothing once it came. */
  isRidOf(timer: Timer): void {
    if (this.#timer === timer) this.#timer = null;
  }

  fenceOf(child: string): number {
    return this.#state.children.get(child)?.fence ?? 0;
  }

  mayWrite(lease: Pick<Grant, "holder" | "fence">, path: string): boolean {
    return mayWrite(this.#policy, this.#state, { ...lease, path });
  }

  agree(what: string, host: unknown, reducer: unknown): void {
    if (host !== reducer && this.#diverged === undefined && !isDeepStrictEqual(host, reducer)) {
      this.#diverge(`${what}: ${JSON.stringify(host)}; the reducer says ${JSON.stringify(reducer)}`);
    }
  }

  /** Says what the host has done otherwise. Asked between two deliveries, when nothing is under way. */
  divergence(scheduler: LeaseScheduler): string | undefined {
    this.agree("its state", scheduler.state, this.#state);
    const deadlineMs = nextDeadlineMs(this.#policy, this.#state);
    const dueMs = deadlineMs === null ? null : Math.max(deadlineMs, this.#timer?.setMs ?? 0);
    this.agree("the time of its timer", this.#timer?.dueMs ?? null, dueMs);
    this.agree("approvals that are not asked for", [], this.#approvals);
    this.agree("grants that nobody has looked at again", [], this.#grants);
    for (const { due, end } of this.#all) this.agree("the end of a call", end, due);
    return this.#diverged;
  }

  #expect(effect: LeaseEffect): void {
    if (effect.type === "ask-approval") this.#approvals.push(effect.call);
    if (effect.type === "granted") this.#grants.push(effect);
    const end = endAfter(effect);
    const call = callOf(effect);
    const caller = call === undefined ? undefined : this.#callers.get(call);
    if (!end || !caller) return;
    caller.due = end;
    if (call !== undefined) this.#callers.delete(call);
  }

  #diverge(how: string): void {
    this.#diverged ??= how;
  }
}

function callOf(effect: LeaseEffect): string | undefined {
  const about = effect.type === "refused" ? effect.input : effect;
  return "call" in about ? about.call : undefined;
}

/** How a call or claim ends with the effect, if it does. */
function endAfter(effect: LeaseEffect): End | undefined {
  const { type } = effect;
  if (type === "cancelled") return { type };
  if (type === "expired") return { type, path: effect.path };
  if (type === "refused") return { type, reason: effect.reason, path: effect.path, holder: effect.holder };
  return undefined;
}

/** What the error tells; an error that tells nothing is as good as no end. */
function endOf(error: unknown): End | undefined {
  if (error instanceof AbortError) return { type: "cancelled" };
  return error instanceof LeaseTimeoutError || error instanceof LeaseRefusedError ? endAfter(error.effect) : undefined;
}

/** The same signal, and `looked` hears whenever somebody asks whether it is aborted. */
function watched(signal: AbortSignal, looked: () => void): AbortSignal {
  return new Proxy(signal, {
    get(target, key) {
      if (key === "aborted") looked();
      const value: unknown = Reflect.get(target, key, target);
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
}
