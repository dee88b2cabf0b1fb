/**
 * Runs the lease reducer: turns calls of the application into inputs, performs the effects, keeps one timer.
 * No rule lives here. What the host adds is what the reducer cannot know:
 *
 * - A call id is accepted once, also after its call has ended: a late yes must not approve another call.
 * - Between the grant and the moment the caller runs lies a tick of the microtask queue. The signal is looked at again
 *   at its end, and a call that died in it gives its lease back without having run.
 * - An approval that fails (throws, rejects, answers anything but true) is a no.
 */
import { callback, check } from "../shape.ts";
import { nextDeadlineMs } from "./deadline.ts";
import { AbortError, LeaseRefusedError, LeaseTimeoutError } from "./errors.ts";
import { checkArguments, inputShape } from "./input.ts";
import { mayWrite } from "./may-write.ts";
import { type LeasePorts, longestTimerMs, platformClock } from "./ports.ts";
import type { AcquireOptions, Claim, Grant, LeaseScheduler, SpawnOptions } from "./scheduler.ts";
import { defaultPolicy, initialState, type LeaseEffect, type LeaseInput, type LeasePolicy } from "./state.ts";
import { refused, transition } from "./transition.ts";

/** Whoever waits for a call: it may run, or it fails; without an error it was cancelled. */
type Caller = { run(fence: number): void; fail(error?: Error): void };

/** Makes a scheduler for one workspace. `firstFence` is above every fence that an earlier process handed out. */
export function createLeaseScheduler(
  ports: LeasePorts,
  policy?: Partial<LeasePolicy>,
  firstFence?: number,
): LeaseScheduler {
  const rules: LeasePolicy = { ...defaultPolicy, ...policy };
  let state = initialState(firstFence);
  check("ports", ports, { approve: callback });
  const { clock = platformClock } = ports;
  check("ports.clock", clock, { nowMs: callback, setTimer: callback });
  checkArguments(rules, state);
  /** By call. One that has been told keeps its key, for the life of the scheduler: so no call is taken for another. */
  const callers = new Map<string, Caller | undefined>();
  let cancelTimer: (() => void) | undefined;

  function acquire(options: AcquireOptions): Promise<Grant> {
    // Wrong shapes reject, too: what throws in here becomes the rejection.
    return new Promise((resolve, reject) => {
      check("acquire", options, {
        signal: { aborted: false, addEventListener: callback, removeEventListener: callback },
      });
      const { call, owner, footprint, needsApproval = false, signal } = options;
      const input: LeaseInput = {
        type: "request",
        call,
        owner,
        footprint,
        atMs: clock.nowMs(),
        needsApproval,
        aborted: signal.aborted,
      };
      check("input", input, inputShape);
      if (callers.has(call)) throw new LeaseRefusedError(refused(input, "duplicate-call"));

      const onAbort = () => dispatch({ type: "abort", call, atMs: clock.nowMs() });
      const leave = () => {
        callers.set(call, undefined);
        signal.removeEventListener("abort", onAbort);
      };
      const fail = (error: Error = new AbortError(call, signal.reason)) => {
        leave();
        reject(error);
      };
      const run = (fence: number) => {
        const release = () => void dispatch({ type: "release", call, fence });
        // The second look. From here on an abort is the running tool's to see, as its lease is.
        if (signal.aborted || state.closed.has(owner)) {
          fail();
          release();
        } else {
          leave();
          // Only where the platform has the symbols; a missing one would make a property called "undefined".
          const disposers = Symbol.dispose && {
            [Symbol.dispose]: release,
            [Symbol.asyncDispose]: async () => release(),
          };
          resolve({ holder: call, fence, release, ...disposers });
        }
      };
      signal.addEventListener("abort", onAbort);
      callers.set(call, { run, fail });
      const [first] = dispatch(input);
      // Turned away at the door, the id was never in use.
      if (first?.type === "refused" || first?.type === "cancelled") callers.delete(call);
    });
  }

  function spawn(options: SpawnOptions): Claim {
    const { nextFence: fence } = state;
    dispatch({ ...options, type: "spawn", atMs: clock.nowMs() });
    // Refused, it has thrown; claimed, it has the fence that was the next.
    const { child } = options;
    return { holder: child, fence, finish: () => void dispatch({ type: "finish", child, fence }) };
  }

  /** The state moves before anything is performed, so a port that calls back in finds it whole. */
  function dispatch(input: LeaseInput): readonly LeaseEffect[] {
    const step = transition(rules, state, input);
    state = step.state;
    step.effects.forEach(perform);
    setTimer();
    return step.effects;
  }

  function perform(effect: LeaseEffect): void {
    switch (effect.type) {
      case "ask-approval":
        void askApproval(effect.call);
        break;
      case "granted":
        queueMicrotask(() => callers.get(effect.call)?.run(effect.fence));
        break;
      case "cancelled":
        callers.get(effect.call)?.fail();
        break;
      case "expired":
        callers.get(effect.call)?.fail(new LeaseTimeoutError(effect));
        break;
      case "refused":
        // A refused spawn is told to its caller, who is still on the stack.
        if ("call" in effect.input) callers.get(effect.input.call)?.fail(new LeaseRefusedError(effect));
        else throw new LeaseRefusedError(effect);
      // The other effects are news for displays: there is nothing to do.
    }
  }

  async function askApproval(call: string): Promise<void> {
    let type: "approve" | "deny" = "deny";
    try {
      if ((await ports.approve(call)) === true) type = "approve";
    } catch {
      // Nobody said yes. The caller learns that from the refusal; the port's own error is the port's to report.
    }
    dispatch({ type, call, atMs: clock.nowMs() });
  }

  /** One timer, for the nearest deadline. */
  function setTimer(): void {
    cancelTimer?.();
    const deadlineMs = nextDeadlineMs(rules, state);
    if (deadlineMs === null) return;
    const nowMs = clock.nowMs();
    const dueMs = Math.max(nowMs, Math.min(deadlineMs, nowMs + longestTimerMs));
    cancelTimer = clock.setTimer(Math.ceil(dueMs - nowMs), () => {
      // The timer that came is the proof that its time has; a clock that rounds otherwise must not make us tick in vain.
      dispatch({ type: "tick", atMs: Math.max(clock.nowMs(), dueMs) });
    });
  }

  return {
    acquire,
    spawn,
    finish: (child) => void dispatch({ type: "finish", child, fence: state.children.get(child)?.fence ?? 0 }),
    close: (owner) => void dispatch({ type: "close", owner, atMs: clock.nowMs() }),
    canWrite: (lease, path) => mayWrite(rules, state, { ...lease, path }),
    get state() {
      return state;
    },
  };
}
