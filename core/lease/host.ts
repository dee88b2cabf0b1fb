/**
 * Runs the lease reducer: turns calls of the application into inputs, performs the effects, keeps one timer.
 * No rule lives here. What the host adds is what the reducer cannot know:
 *
 * - A call id is accepted once, also after its call has ended: a late yes must not approve another call.
 * - Between the grant and the moment the caller runs lies a tick of the microtask queue. The signal is looked at again
 *   at its end, and a call that died in it gives its lease back without having run.
 * - An approval that fails (throws, rejects, answers anything but true) is a no.
 */
import { assert, assertNever } from "../assert.ts";
import { callback, flag, optional, record } from "../shape.ts";
import { nextDeadlineMs } from "./deadline.ts";
import { AbortError, LeaseRefusedError, LeaseTimeoutError } from "./errors.ts";
import { makeGrant } from "./grant.ts";
import { checkArguments, id, inputShape } from "./input.ts";
import { mayWrite } from "./may-write.ts";
import { type LeasePorts, longestTimerMs, platformClock } from "./ports.ts";
import type { AcquireOptions, Claim, Grant, LeaseScheduler, SpawnOptions } from "./scheduler.ts";
import { defaultPolicy, initialState, type LeaseEffect, type LeaseInput, type LeasePolicy } from "./state.ts";
import { transition } from "./transition.ts";

const portsShape = record({
  approve: callback,
  clock: optional(record({ nowMs: callback, setTimer: callback })),
});
const signalShape = record({ aborted: flag, addEventListener: callback, removeEventListener: callback });
const optionsShape = record({ signal: signalShape });

type Pending = {
  readonly options: AcquireOptions;
  readonly resolve: (grant: Grant) => void;
  readonly reject: (error: Error) => void;
  readonly stopListening: () => void;
};

/** Makes a scheduler for one workspace. `firstFence` is above every fence that an earlier process handed out. */
export function createLeaseScheduler(
  ports: LeasePorts,
  policy: Partial<LeasePolicy> = {},
  firstFence = 1,
): LeaseScheduler {
  const rules: LeasePolicy = { ...defaultPolicy, ...policy };
  let state = initialState(firstFence);
  portsShape("ports", ports);
  checkArguments(rules, state);
  const clock = ports.clock ?? platformClock;
  const pending = new Map<string, Pending>();
  /** A short string a call, for the life of the scheduler: the price of never taking one call for another. */
  const usedCalls = new Set<string>();
  let timerDeadlineMs: number | null = null;
  let cancelTimer = () => {};

  function acquire(options: AcquireOptions): Promise<Grant> {
    // Wrong shapes reject, too: what throws in here becomes the rejection.
    return new Promise((resolve, reject) => {
      optionsShape("acquire", options);
      const { call, owner, footprint, needsApproval = false, signal } = options;
      const { aborted } = signal;
      const atMs = clock.nowMs();
      const input: LeaseInput = { type: "request", call, owner, footprint, atMs, needsApproval, aborted };
      inputShape("input", input);
      if (usedCalls.has(call)) throw new LeaseRefusedError({ type: "refused", input, reason: "duplicate-call" });

      const onAbort = () => dispatch({ type: "abort", call, atMs: clock.nowMs() });
      signal.addEventListener("abort", onAbort);
      const stopListening = () => signal.removeEventListener("abort", onAbort);
      pending.set(call, { options, resolve, reject, stopListening });
      usedCalls.add(call);
      const [first] = dispatch(input);
      // Turned away at the door, the id was never in use.
      if (first?.type === "refused" || first?.type === "cancelled") usedCalls.delete(call);
    });
  }

  function spawn(options: SpawnOptions): Claim {
    const [first] = dispatch({ ...options, type: "spawn", atMs: clock.nowMs() });
    if (first?.type === "refused") throw new LeaseRefusedError(first);
    assert(first?.type === "spawned", "A spawn is refused or claimed");
    const { child, fence } = first;
    return { holder: child, fence, finish: () => void dispatch({ type: "finish", child, fence }) };
  }

  /** The state moves before anything is performed, so a port that calls back in finds it whole. */
  function dispatch(input: LeaseInput): readonly LeaseEffect[] {
    const step = transition(rules, state, input);
    state = step.state;
    for (const effect of step.effects) perform(effect);
    setTimer();
    return step.effects;
  }

  function perform(effect: LeaseEffect): void {
    switch (effect.type) {
      case "ask-approval":
        void askApproval(effect.call);
        return;
      case "granted":
        queueMicrotask(() => handOver(effect.call, effect.fence));
        return;
      case "cancelled": {
        const { options, reject } = takePending(effect.call);
        reject(new AbortError(effect.call, options.signal.reason));
        return;
      }
      case "expired":
        takePending(effect.call).reject(new LeaseTimeoutError(effect));
        return;
      case "refused":
        // A refused spawn is told to its caller, who is still on the stack.
        if ("call" in effect.input) takePending(effect.input.call).reject(new LeaseRefusedError(effect));
        return;
      case "fenced":
      case "spawned":
      case "overlaps-child":
      case "stale":
        return;
      default:
        assertNever(effect);
    }
  }

  async function askApproval(call: string): Promise<void> {
    let approved = false;
    try {
      approved = (await ports.approve(call)) === true;
    } catch {
      // Nobody said yes. The caller learns that from the refusal; the port's own error is the port's to report.
    }
    dispatch(approved ? { type: "approve", call, atMs: clock.nowMs() } : { type: "deny", call });
  }

  /** The second look. From here on an abort is the running tool's to see, as its lease is. */
  function handOver(call: string, fence: number): void {
    const { options, resolve, reject } = takePending(call);
    const release = () => void dispatch({ type: "release", call, fence });
    if (options.signal.aborted || state.closed.has(options.owner)) {
      reject(new AbortError(call, options.signal.reason));
      release();
    } else {
      resolve(makeGrant(call, fence, release));
    }
  }

  function takePending(call: string): Pending {
    const found = pending.get(call);
    assert(found !== undefined, `Call ${call} ended and nobody waits for it`);
    pending.delete(call);
    found.stopListening();
    return found;
  }

  /** One timer, for the nearest deadline. */
  function setTimer(): void {
    const deadlineMs = nextDeadlineMs(rules, state);
    if (deadlineMs === timerDeadlineMs) return;
    cancelTimer();
    timerDeadlineMs = deadlineMs;
    if (deadlineMs === null) return;
    const nowMs = clock.nowMs();
    const delayMs = Math.min(longestTimerMs, Math.max(0, Math.ceil(deadlineMs - nowMs)));
    cancelTimer = clock.setTimer(delayMs, () => {
      timerDeadlineMs = null;
      // The timer that came is the proof that its time has; a clock that rounds otherwise must not make us tick in vain.
      dispatch({ type: "tick", atMs: Math.max(clock.nowMs(), nowMs + delayMs) });
    });
  }

  return {
    acquire,
    spawn,
    finish(child) {
      id("child", child);
      const claim = state.children.get(child);
      if (claim) dispatch({ type: "finish", child, fence: claim.fence });
    },
    close(owner) {
      dispatch({ type: "close", owner, atMs: clock.nowMs() });
    },
    canWrite: (lease, path) => mayWrite(rules, state, { ...lease, path }),
    get state() {
      return state;
    },
  };
}
