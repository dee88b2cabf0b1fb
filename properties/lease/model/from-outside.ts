/**
 * A run of the reducer as it looks from outside, if a host can bring it about: what callers ask and are told, and what the
 * invariants that see no more than that say to it. The reducer takes inputs that no right host says, so not every run of a
 * model can be brought about; then the reason is given.
 */
import { initialState, type LeaseEffect, type LeaseInput, type LeasePolicy } from "../../../core/lease/state.ts";
import type { Invariant } from "../../invariant.ts";
import { always, atQuiescence } from "../contract.ts";
import { type LeaseHistory, LeaseRecording } from "../history.ts";
import { pathsOf } from "../seen.ts";
import { describe } from "./words.ts";
import type { LeaseReducer } from "./world.ts";

export type Outside = {
  readonly history: LeaseHistory;
  /** As they can be said: a call has an id of its own, also where the id of one that was turned away comes again. */
  readonly inputs: readonly LeaseInput[];
  /** The name of the first invariant that is broken, if any. */
  readonly broken: { readonly name: string; readonly saw: string } | null;
};
export type Unsayable = { readonly because: string };

/** After the last input time goes on, until nothing is due any more. */
const ticksAtTheEnd = 20;

export function fromOutside(
  reducer: LeaseReducer,
  policy: LeasePolicy,
  inputs: readonly LeaseInput[],
): Outside | Unsayable {
  const host = new Host(reducer, policy);
  const said: LeaseInput[] = [];
  let broken: Outside["broken"] = null;
  for (const raw of inputs) {
    const input = host.named(raw);
    const because = host.objection(input);
    if (because !== null) return { because: `input ${said.length + 1} (${inWords(input)}): ${because}` };
    host.take(input);
    said.push(input);
    broken ??= firstBroken(always, host.recording);
  }
  const { recording: history } = host;
  for (let left = ticksAtTheEnd; left > 0 && broken === null && host.sleeps(); left -= 1) {
    host.wakes();
    broken = firstBroken(always, history);
  }
  return { history, inputs: said, broken: broken ?? firstBroken(atQuiescence, history) };
}

function firstBroken(invariants: readonly Invariant<LeaseHistory>[], history: LeaseHistory): Outside["broken"] {
  for (const { name, violation } of invariants) {
    const saw = violation(history);
    if (saw !== undefined) return { name, saw };
  }
  return null;
}

function inWords(input: LeaseInput): string {
  return describe(input.type === "close" ? { ...input, owning: [] } : input);
}

/** What the host does around its reducer, and who has been told what. */
class Host {
  readonly recording: LeaseRecording;
  readonly #reducer: LeaseReducer;
  readonly #policy: LeasePolicy;
  #state = initialState();
  #nowMs = 0;
  readonly #names = new Map<string, string>();
  readonly #requested = new Map<string, LeaseInput<"request">>();
  readonly #told = new Map<string, "asked" | "runs" | "over">();
  readonly #questions = new Set<string>();
  readonly #stopped = new Set<string>();
  readonly #leases: { readonly holder: string; readonly fence: number; readonly paths: readonly string[] }[] = [];
  readonly #mayWrite = new Map<string, boolean>();
  #sleepsUntilMs: number | null | undefined;

  constructor(reducer: LeaseReducer, policy: LeasePolicy) {
    this.#reducer = reducer;
    this.#policy = policy;
    this.recording = new LeaseRecording(policy);
    this.#look();
  }

  /** The id of a call that was turned away is free to the host; a script gives it once. */
  named(input: LeaseInput): LeaseInput {
    if (!("call" in input)) return input;
    if (input.type === "request" && this.#requested.has(input.call) && !this.#told.has(input.call)) {
      this.#names.set(input.call, `${input.call}-${this.#requested.size + 1}`);
    }
    return { ...input, call: this.#names.get(input.call) ?? input.call };
  }

  /** Why no host says this now; null where one does. */
  objection(input: LeaseInput): string | null {
    switch (input.type) {
      case "request":
        return this.#told.has(input.call) ? "the host turns away an id that was used before, and asks nobody" : null;
      case "approve":
      case "deny":
        return this.#questions.has(input.call) ? null : "the host takes an answer only where it has asked";
      case "abort": {
        const told = this.#told.get(input.call);
        if (told === "runs") return "an abort of what runs is for the tool to see; the host listens no longer";
        return told === "asked" ? null : "the host listens to nobody who is not there";
      }
      case "release":
      case "finish": {
        const id = input.type === "release" ? input.call : input.child;
        const had = this.#leases.some(({ holder, fence }) => holder === id && fence === input.fence);
        return had ? null : "the host gives back only what it has handed out, with its own fence";
      }
      case "tick":
        return this.#dueBy(input.atMs) ? null : "the host's timer is not set for then";
      case "spawn":
      case "close":
        return null;
    }
  }

  take(input: LeaseInput): void {
    if ("atMs" in input) this.#nowMs = Math.max(this.#nowMs, input.atMs);
    this.#show(input);
    this.#dispatch(input);
    this.#look();
  }

  /** True while a timer is set. */
  sleeps(): boolean {
    return this.#untilMs() !== null;
  }

  wakes(): void {
    this.take({ type: "tick", atMs: Math.max(this.#nowMs, this.#untilMs() ?? 0) });
  }

  #untilMs(): number | null {
    return this.#reducer.nextDeadlineMs(this.#policy, this.#state);
  }

  #dueBy(atMs: number): boolean {
    const untilMs = this.#untilMs();
    return untilMs !== null && untilMs <= atMs;
  }

  #show(input: LeaseInput): void {
    const atMs = this.#nowMs;
    switch (input.type) {
      case "request": {
        const { call, owner, footprint, needsApproval, aborted } = input;
        this.#requested.set(call, input);
        this.#told.set(call, "asked");
        if (aborted) this.#stopped.add(call);
        this.recording.saw({ seen: "requested", call, owner, footprint, needsApproval, aborted, atMs });
        break;
      }
      case "approve":
      case "deny":
        this.#questions.delete(input.call);
        this.recording.saw({ seen: "answered", call: input.call, yes: input.type === "approve", atMs });
        break;
      case "release":
        this.recording.saw({ seen: "released", call: input.call, fence: input.fence });
        break;
      case "abort":
        this.#stopped.add(input.call);
        this.recording.saw({ seen: "aborted", call: input.call });
        break;
      case "spawn":
        this.recording.saw({ seen: "spawning", child: input.child, owner: input.owner, paths: input.paths });
        break;
      case "finish":
        this.recording.saw({ seen: "finished", child: input.child, fence: input.fence });
        break;
      case "close":
        this.recording.saw({ seen: "closed", owner: input.owner, atMs });
        break;
      case "tick":
        this.recording.saw({ seen: "woken", atMs });
        break;
    }
  }

  /** Grants come last: they are handed over in jobs of their own, in which the host looks at each call again. */
  #dispatch(input: LeaseInput): void {
    const { state, effects } = this.#reducer.transition(this.#policy, this.#state, input);
    this.#state = state;
    for (const effect of effects) this.#perform(effect, input);
    const [first] = effects;
    // Turned away at the door, the id was never in use.
    const isTurnedAway = first?.type === "refused" || first?.type === "cancelled";
    if (input.type === "request" && isTurnedAway) this.#told.delete(input.call);
    for (const effect of effects) if (effect.type === "granted") this.#handOver(effect);
  }

  #perform(effect: LeaseEffect, input: LeaseInput): void {
    switch (effect.type) {
      case "ask-approval":
        this.#questions.add(effect.call);
        this.recording.saw({ seen: "asked", call: effect.call });
        break;
      case "cancelled":
        if (this.#ends(effect.call)) this.recording.saw({ seen: "cancelled", call: effect.call });
        break;
      case "expired": {
        const { call, path } = effect;
        if (this.#ends(call)) this.recording.saw({ seen: "expired", call, path, atMs: this.#nowMs });
        break;
      }
      case "refused":
        this.#refuse(effect);
        break;
      case "spawned":
        if (input.type === "spawn")
          this.#leases.push({ holder: effect.child, fence: effect.fence, paths: input.paths });
        this.recording.saw({ seen: "spawned", child: effect.child, fence: effect.fence });
        break;
      default:
        break;
    }
  }

  #refuse(effect: Extract<LeaseEffect, { readonly type: "refused" }>): void {
    const { input, reason, path } = effect;
    const holder = effect.holder ?? null;
    if (input.type === "spawn") {
      this.recording.saw({ seen: "spawn-refused", child: input.child, reason, path: path ?? null, holder });
    } else if ("call" in input && this.#ends(input.call)) {
      const asked = input.type === "request" ? (pathsOf(input.footprint)[0] ?? null) : null;
      this.recording.saw({ seen: "refused", call: input.call, reason, path: path ?? asked, holder });
    }
  }

  /** False where the caller has been told already, and hears no more. */
  #ends(call: string): boolean {
    if (this.#told.get(call) !== "asked") return false;
    this.#told.set(call, "over");
    return true;
  }

  #handOver({ call, fence }: Extract<LeaseEffect, { readonly type: "granted" }>): void {
    const asked = this.#requested.get(call);
    if (asked === undefined || this.#told.get(call) !== "asked") return;
    if (this.#stopped.has(call) || this.#state.closed.has(asked.owner)) {
      this.#told.set(call, "over");
      this.recording.saw({ seen: "cancelled", call });
      this.#dispatch({ type: "release", call, fence });
      return;
    }
    this.#told.set(call, "runs");
    this.#leases.push({ holder: call, fence, paths: pathsOf(asked.footprint) });
    this.recording.saw({ seen: "granted", call, fence });
  }

  #look(): void {
    const untilMs = this.#untilMs();
    const sleepsUntilMs = untilMs === null ? null : Math.max(untilMs, this.#nowMs);
    if (sleepsUntilMs !== this.#sleepsUntilMs) {
      this.recording.saw({ seen: "sleeps", untilMs: sleepsUntilMs, atMs: this.#nowMs });
    }
    this.#sleepsUntilMs = sleepsUntilMs;
    for (const { holder, fence, paths } of this.#leases) {
      for (const path of paths) {
        const may = this.#reducer.mayWrite(this.#policy, this.#state, { holder, path, fence });
        const key = JSON.stringify([holder, fence, path]);
        if (this.#mayWrite.get(key) === may) continue;
        this.#mayWrite.set(key, may);
        this.recording.saw({ seen: "may-write", holder, fence, path, may });
      }
    }
  }
}
