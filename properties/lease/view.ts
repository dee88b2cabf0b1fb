/**
 * What somebody outside knows of the table, from what was asked and answered alone: who waits, who runs, who has claimed
 * what, and what the contract would refuse. It holds what the scheduler should do, so what the scheduler does can be held
 * against it. How it changes is in `take-in.ts`.
 */
import type { Footprint, LeasePolicy } from "../../core/lease/state.ts";
import { claimant } from "./at-the-door.ts";
import { nextDueMs } from "./due.ts";
import { FencedOff } from "./fenced-off.ts";
import type { LeaseSighting, SpawnName } from "./history.ts";
import { OpenSpawns } from "./open-spawns.ts";
import { overlap } from "./paths.ts";
import { inLine, meet, pumped } from "./queue-order.ts";
import { isOpen, type SeenCall, type SeenChild } from "./seen.ts";
import { type SeenSpawn, type SpawnAnswer, spawnAnswer } from "./spawns.ts";

/** `last`: the call that was asked for last before it was refused. */
type RefusedChild = { readonly paths: readonly string[]; readonly last: SeenCall | undefined };

export class LeaseView {
  readonly policy: LeasePolicy;
  /** In order of request. */
  readonly calls = new Map<string, SeenCall>();
  /** In order of spawn. */
  readonly children = new Map<string, SeenChild>();
  readonly closedAtMs = new Map<string, number>();
  /** Waiting calls in order of arrival. */
  queue: SeenCall[] = [];
  readonly fences = new Set<number>();
  /** Children that were refused for a cause; nothing of them may be left. */
  readonly refused = new Map<string, RefusedChild>();
  /** A spawn was refused that had been taken for decided otherwise: it cannot have been like that. */
  isContradicted = false;
  /** Whose deadline had come when the timer came, and who was free then because stuck work was fenced off. */
  due: ReadonlySet<SeenCall> = new Set();
  /** What is due is dealt with in the delivery in which it was woken; where its timers may come one by one, not all of it. */
  isTimerSeen = true;
  freed: ReadonlySet<SeenCall> = new Set();
  /** Not known until it has been seen. */
  sleepsUntilMs: number | null | undefined;
  nowMs = 0;
  /** Those that have no answer yet. */
  spawns = new OpenSpawns();
  /** Ended because their owner had closed and the stuck limit has passed. */
  fencedOff = new FencedOff();

  constructor(policy: LeasePolicy) {
    this.policy = policy;
  }

  /** Goes on by itself. */
  copy(): LeaseView {
    const copy = new LeaseView(this.policy);
    const copies = new Map([...this.calls.values()].map((call) => [call, { ...call }]));
    const ofAll = (calls: Iterable<SeenCall>) => [...calls].flatMap((call) => copies.get(call) ?? []);
    for (const [id, call] of copies) copy.calls.set(id.id, call);
    for (const [id, child] of this.children) copy.children.set(id, { ...child });
    for (const [owner, atMs] of this.closedAtMs) copy.closedAtMs.set(owner, atMs);
    copy.spawns = this.spawns.copy();
    for (const [id, { paths, last }] of this.refused) copy.refused.set(id, { paths, last: last && copies.get(last) });
    copy.isContradicted = this.isContradicted;
    for (const fence of this.fences) copy.fences.add(fence);
    copy.queue = ofAll(this.queue);
    copy.due = new Set(ofAll(this.due));
    copy.freed = new Set(ofAll(this.freed));
    copy.isTimerSeen = this.isTimerSeen;
    copy.fencedOff = this.fencedOff.copy(ofAll);
    copy.sleepsUntilMs = this.sleepsUntilMs;
    copy.nowMs = this.nowMs;
    return copy;
  }

  /** Equal texts for views that know the same of everything that is still going on. */
  told(): string {
    const { queue, due, freed, sleepsUntilMs, nowMs, isTimerSeen } = this;
    const ids = (calls: Iterable<SeenCall>) => [...calls].map(({ id }) => id);
    const known = [...this.calls.values(), ...this.children.values()];
    const refused = [...this.refused].map(([id, { paths, last }]) => [id, paths, last?.id]);
    const rest = [ids(queue), ids(due), ids(freed), this.fencedOff.told(), this.spawns.told(), refused];
    return JSON.stringify([known, [...this.closedAtMs], ...rest, sleepsUntilMs, nowMs, isTimerSeen]);
  }

  /** With what the contract says to it now, or nothing where it is taken for there. */
  spawn(name: SpawnName): (SeenSpawn & SpawnAnswer) | undefined {
    const spawn = this.spawns.get(name);
    if (spawn === undefined) return undefined;
    return { ...spawn, ...(spawn.accepted ? { verdict: null, verdictBefore: null } : spawnAnswer(this, spawn)) };
  }

  /**
   * Whoever has no answer yet may be refused now, which changes nothing, or accepted: returns the same in which it is, one
   * for each of them that what comes next depends on.
   */
  acceptedOtherwise(next: LeaseSighting): readonly LeaseView[] {
    const copies: LeaseView[] = [];
    for (const key of this.spawns.acceptable(this, next)) {
      const copy = this.copy();
      const child = copy.spawns.accept(key);
      if (child !== undefined) copy.children.set(child.id, child);
      copies.push(copy);
    }
    return copies;
  }

  /** No child is there, and no call but that one. */
  isAlone(who: string): boolean {
    const isOther = ({ id, stage }: SeenCall) => id !== who && stage !== "ended";
    return this.children.size === 0 && ![...this.calls.values()].some(isOther);
  }

  /** A child that was refused, or has no answer yet, wanted one of the places, or one that overlaps it. */
  wants(child: string, places: readonly string[]): boolean {
    return [...this.spawns.wantedBy(child), ...(this.refused.get(child)?.paths ?? [])].some((path) =>
      places.some((place) => overlap(this.policy, path, place)),
    );
  }

  /** In order of request. */
  running(): readonly SeenCall[] {
    return [...this.calls.values()].filter(({ stage }) => stage === "runs");
  }

  /** Whoever has no outcome yet. */
  open(): readonly SeenCall[] {
    return [...this.calls.values()].filter(isOpen);
  }

  meet(one: Footprint, other: Footprint): boolean {
    return meet(this.policy, one, other);
  }

  claimant(footprint: Footprint): SeenChild | undefined {
    return claimant(this, footprint);
  }

  inLine(earlier: SeenCall, call: SeenCall): boolean {
    return inLine(this.policy, earlier, call);
  }

  /** A call of the same files was fenced off. */
  takesOver({ footprint }: SeenCall): boolean {
    return [...this.calls.values()].some(
      (other) => this.fencedOff.has(other.id, other.fence) && this.meet(footprint, other.footprint),
    );
  }

  /** A fenced-off call that would be in the way, had it not been fenced off. */
  stuckInTheWay({ footprint }: SeenCall): SeenCall | undefined {
    return this.fencedOff.stuck.find((call) => this.meet(footprint, call.footprint));
  }

  /** Who of the queue would run now. */
  pumped(): ReadonlySet<SeenCall> {
    return pumped(this.policy, this.running(), this.queue);
  }

  /** When something is due, or null. */
  nextDueMs(): number | null {
    return nextDueMs(this);
  }

  /** The highest that was seen. */
  get lastFence(): number {
    return Math.max(0, ...this.fences);
  }
}
