/** The promises of the lease table, each spelled out over what went in and came out, and none with the reducer's words. */
import type { LeaseEffect, LeaseInput, LeasePolicy, LeaseState } from "../state.ts";
import { meet, type Segments, type Step, segmentsOf } from "./world.ts";

/** What the test itself knows of a call; kept from inputs and effects alone. */
type Known = {
  readonly request: Extract<LeaseInput, { type: "request" }>;
  stage: "approving" | "waiting" | "granted" | "ended";
  deadlineMs: number;
  arrival: number;
};

/** Follows a run step by step and throws at the first broken promise. */
export class Observer {
  readonly policy: LeasePolicy;
  readonly calls = new Map<string, Known>();
  readonly goals = new Set<string>();
  readonly #closedAtMs = new Map<string, number>();
  #lastFence = 0;
  #arrivals = 0;

  constructor(policy: LeasePolicy) {
    this.policy = policy;
  }

  observe(step: Step): void {
    const { input, before, state, effects } = step;
    this.#follow(step);
    this.#checkOutcomes(state);
    this.#checkLeases(state);
    this.#checkWaiters(state);
    this.#checkTime(input, state);
    const [first] = effects;
    if (first?.type === "refused" && first.reason !== "denied" && input.type !== "approve") {
      hold("lease/spawn-all-or-nothing", show(before) === show(state), "a refusal changed the state");
    }
    if (first?.type === "stale") hold("lease/fence-grows", before === state, "a stale input changed the state");
  }

  #follow({ before, input, effects }: Step): void {
    const [first] = effects;
    const accepted = first?.type !== "refused" && first?.type !== "stale" && first?.type !== "cancelled";
    if (input.type === "request" && accepted) {
      const deadlineMs = input.atMs + this.policy.waitLimitMs;
      const stage = input.needsApproval ? "approving" : "waiting";
      this.calls.set(input.call, { request: input, stage, deadlineMs, arrival: this.#arrivals++ });
    }
    if (input.type === "approve" && first?.type !== "stale") {
      const call = this.#known(input.call);
      hold("lease/one-outcome", call.stage === "approving", `${input.call} was approved while ${call.stage}`);
      call.stage = "waiting";
      call.arrival = this.#arrivals++;
      call.deadlineMs = input.atMs + this.policy.waitLimitMs;
    }
    if (input.type === "release" && first?.type !== "stale") {
      hold("lease/fence-grows", before.calls.get(input.call)?.fence === input.fence, "a stale fence released");
      this.#known(input.call).stage = "ended";
    }
    if (input.type === "close" && !this.#closedAtMs.has(input.owner)) this.#closedAtMs.set(input.owner, input.atMs);
    for (const effect of effects) this.#followEffect(input, effect);
    if ((input.type === "request" && !input.needsApproval && accepted) || (input.type === "approve" && accepted)) {
      const call = this.#known(input.call);
      const passed = call.request.footprint.kind !== "none" || call.stage === "granted";
      hold("lease/control-calls-pass", passed, `${input.call} writes nothing and waits`);
    }
  }

  #followEffect(input: LeaseInput, effect: LeaseEffect): void {
    if (effect.type === "granted") {
      const call = this.#known(effect.call);
      hold("lease/no-grant-to-the-dead", call.stage === "waiting", `${effect.call} was granted while ${call.stage}`);
      hold(
        "lease/no-grant-to-the-dead",
        !this.#closedAtMs.has(call.request.owner),
        `${effect.call} is of a closed owner`,
      );
      for (const [id, other] of this.calls) {
        if (other.stage !== "waiting" || other.arrival >= call.arrival) continue;
        hold("lease/arrival-order", !this.#standsBefore(other, call), `${effect.call} overtook ${id}`);
        this.goals.add("a waiter passed a blocked one");
      }
      call.stage = "granted";
    }
    if (effect.type === "granted" || effect.type === "spawned") {
      hold("lease/fence-grows", effect.fence > this.#lastFence, `fence ${effect.fence} after ${this.#lastFence}`);
      this.#lastFence = effect.fence;
    }
    if (effect.type === "refused" && effect.reason === "root-busy") {
      hold("lease/sibling-calls-queue", this.policy.conflict === "refuse", "a sibling was refused");
    }
    const ended =
      effect.type === "cancelled" || effect.type === "expired" || (effect.type === "fenced" && "call" in effect)
        ? effect.call
        : effect.type === "refused" && (input.type === "deny" || input.type === "approve")
          ? input.call
          : undefined;
    const call = ended === undefined || (input.type === "request" && input.aborted) ? undefined : this.#known(ended);
    if (call === undefined) return;
    const running = effect.type === "fenced";
    hold("lease/one-outcome", (call.stage === "granted") === running && call.stage !== "ended", `${ended} ended twice`);
    call.stage = "ended";
  }

  #checkOutcomes(state: LeaseState): void {
    const live = [...this.calls]
      .filter(([, { stage }]) => stage !== "ended")
      .map(([id, { stage }]) => `${id} ${stage}`);
    const held = [...state.calls].map(([id, { stage }]) => `${id} ${stage}`);
    hold("lease/one-outcome", live.join() === held.join(), `live are ${live}, the table has ${held}`);
  }

  /** Single writer, and parent and child apart. */
  #checkLeases(state: LeaseState): void {
    const live = [...this.calls].filter(
      ([, { stage, request }]) => stage !== "ended" && request.footprint.kind !== "none",
    );
    for (const [id, call] of live) {
      for (const [otherId, other] of live) {
        if (id === otherId || call.stage !== "granted" || other.stage !== "granted") continue;
        hold("lease/single-writer", !meet(this.#at(call), this.#at(other)), `${id} and ${otherId} both run`);
      }
      for (const [child, { paths }] of state.children) {
        if (call.request.footprint.kind === "workspace") continue;
        const apart = paths.every((path) => !meet(this.#at(call), segmentsOf(this.policy, path)));
        hold("lease/parent-child-exclusive", apart, `${id} and child ${child} are on one path`);
      }
    }
    const claims = [...state.children].flatMap(([id, { paths }]) =>
      paths.map((path) => ({ id, at: segmentsOf(this.policy, path) })),
    );
    const clash = claims.find((one) => claims.some((other) => one.id !== other.id && meet(one.at, other.at)));
    hold("lease/single-writer", clash === undefined, `child ${clash?.id} shares a path`);
  }

  #checkWaiters(state: LeaseState): void {
    const waiting = [...this.calls].filter(([, { stage }]) => stage === "waiting");
    waiting.sort(([, one], [, other]) => one.arrival - other.arrival);
    hold("lease/arrival-order", waiting.map(([id]) => id).join() === state.queue.join(), `queue is ${state.queue}`);
    const running = [...this.calls.values()].filter(({ stage }) => stage === "granted");
    for (const [position, [id, call]] of waiting.entries()) {
      const earlier = waiting.slice(0, position);
      const blocked =
        running.some((other) => writes(other) && meet(this.#at(other), this.#at(call))) ||
        earlier.some(([, other]) => this.#standsBefore(other, call));
      hold("lease/no-idle-waiter", writes(call) && blocked, `nothing is in the way of ${id}`);
    }
    if (waiting.length >= 3) this.goals.add("a queue of three");
  }

  #checkTime(input: LeaseInput, state: LeaseState): void {
    for (const [owner] of this.#closedAtMs) {
      const left = [...this.calls.values()].some(
        ({ stage, request }) => request.owner === owner && (stage === "approving" || stage === "waiting"),
      );
      hold("lease/close-leaves-nothing", !left, `a call of ${owner} still waits`);
    }
    if (input.type !== "tick") return;
    for (const [id, { stage, deadlineMs }] of this.calls) {
      const late = (stage === "approving" || stage === "waiting") && deadlineMs <= input.atMs;
      hold("lease/bounded-wait", !late, `${id} outlived its deadline`);
    }
    for (const [owner, closedAtMs] of this.#closedAtMs) {
      if (closedAtMs + this.policy.stuckLimitMs > input.atMs) continue;
      const leases = [...state.calls.values(), ...state.children.values()];
      hold("lease/close-leaves-nothing", !leases.some((lease) => lease.owner === owner), `${owner} still holds`);
    }
  }

  #known(id: string): Known {
    const call = this.calls.get(id);
    if (call === undefined) throw new Error(`Nobody requested ${id}`);
    return call;
  }

  #at({ request: { footprint } }: Known): Segments {
    return footprint.kind === "file" ? segmentsOf(this.policy, footprint.path) : [];
  }

  #standsBefore(earlier: Known, later: Known): boolean {
    if (!writes(earlier) || !writes(later)) return false;
    const [one, other] = [this.#at(earlier), this.#at(later)];
    return this.policy.queue === "arrival" ? meet(one, other) : one.join("/") === other.join("/");
  }
}

function writes({ request }: Known): boolean {
  return request.footprint.kind !== "none";
}

function hold(invariant: string, holds: boolean, seen: string): void {
  if (!holds) throw new Error(`${invariant}: ${seen}`);
}

export function show({ calls, children, queue, nextFence, closed }: LeaseState): string {
  return JSON.stringify([[...calls], [...children], queue, nextFence, [...closed]]);
}
