/**
 * What somebody outside knows of the table, from what was asked and answered alone: who waits, who runs, who has claimed
 * what, and what the contract would refuse. It holds what the scheduler should do, so what the scheduler does can be held
 * against it.
 */
import type { Footprint, LeasePolicy, LeaseRefusal } from "../../core/lease/state.ts";
import type { LeaseSighting, Refusal, SpawnName } from "./history.ts";
import { normalPath, overlap } from "./paths.ts";
import { matters, refusable, type SeenSpawn, type SpawnAnswer, seenSpawn, spawnKey, spawnVerdict } from "./spawns.ts";

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
export type Verdict = { readonly reason: LeaseRefusal | "cancelled"; readonly path?: string; readonly holder?: string };
type SeenLease = SeenCall | SeenChild;
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
  /** Those that have no answer yet, by their key; and which of them are not taken for there. */
  readonly #spawns = new Map<string, SeenSpawn>();
  readonly #undecided = new Set<string>();
  /** Children that were refused for a cause; nothing of them may be left. */
  readonly refused = new Map<string, RefusedChild>();
  /** A spawn was refused that had been taken for decided otherwise: it cannot have been like that. */
  isContradicted = false;
  /** Whose deadline had come when the timer came, and who was free then because stuck work was fenced off. */
  due: ReadonlySet<SeenCall> = new Set();
  /** What is due is dealt with in the delivery in which it was woken; where its timers may come one by one, not all of it. */
  isTimerSeen = true;
  freed: ReadonlySet<SeenCall> = new Set();
  /** Ended because their owner had closed and the stuck limit has passed. */
  #fencedOff = new Set<string>();
  /**
   * Of these, the calls that have not released, and whose limit was over before time was seen to move. Where the timer
   * itself is seen it has come, and what it does or does not do is judged by what becomes of whom.
   */
  #stuck = new Set<SeenCall>();
  /** Not known until it has been seen. */
  sleepsUntilMs: number | null | undefined;
  nowMs = 0;

  constructor(policy: LeasePolicy) {
    this.policy = policy;
  }

  take(sighting: LeaseSighting): void {
    if ("atMs" in sighting) this.nowMs = Math.max(this.nowMs, sighting.atMs);
    switch (sighting.seen) {
      case "requested":
        this.#request(sighting);
        break;
      case "answered":
        this.#answer(sighting);
        break;
      case "granted":
        this.#grant(sighting);
        break;
      case "cancelled":
      case "expired":
      case "refused":
        this.#end(sighting.call);
        break;
      case "released": {
        const call = this.calls.get(sighting.call);
        if (call === undefined) break;
        this.#stuck.delete(call);
        if (call.stage === "runs") this.#end(sighting.call);
        break;
      }
      case "aborted": {
        const call = this.calls.get(sighting.call);
        if (call !== undefined && isOpen(call)) call.died = true;
        break;
      }
      case "closed":
        if (this.closedAtMs.has(sighting.owner)) break;
        this.closedAtMs.set(sighting.owner, sighting.atMs);
        for (const call of this.calls.values()) if (call.owner === sighting.owner && isOpen(call)) call.died = true;
        break;
      case "spawning":
        this.#spawns.set(spawnKey(sighting), seenSpawn(sighting, this.#lastFence(), this.isAlone(sighting.child)));
        this.#undecided.add(spawnKey(sighting));
        break;
      case "spawned": {
        const spawn = this.spawn(sighting);
        if (spawn === undefined) break;
        this.#answered(sighting);
        this.refused.delete(sighting.child);
        if (sighting.fence !== null) this.fences.add(sighting.fence);
        // Where it was decided before, its claim may have ended since.
        const isThere = !spawn.accepted || this.children.has(sighting.child);
        if (isThere) this.children.set(sighting.child, { ...spawn.child, fence: sighting.fence });
        break;
      }
      case "spawn-refused": {
        const spawn = this.spawn(sighting);
        if (spawn === undefined) break;
        this.#answered(sighting);
        if (spawn.accepted) {
          this.isContradicted = true;
          this.children.delete(sighting.child);
        } else if (spawn.verdictBefore !== null || spawn.verdict !== null || spawn.refusals.length > 0) {
          this.refused.set(sighting.child, { paths: spawn.child.paths, last: [...this.calls.values()].at(-1) });
        }
        break;
      }
      case "finished": {
        const { child, fence } = sighting;
        if (fence === null || this.children.get(child)?.fence === fence) this.children.delete(child);
        break;
      }
      case "woken":
        this.#wake(sighting.atMs, sighting.overMs);
        break;
      case "sleeps":
        this.sleepsUntilMs = sighting.untilMs;
        break;
      case "asked":
      case "may-write":
      case "drained":
        break;
    }
  }

  /** Goes on by itself. */
  copy(): LeaseView {
    const copy = new LeaseView(this.policy);
    const copies = new Map([...this.calls.values()].map((call) => [call, { ...call }]));
    const ofAll = (calls: Iterable<SeenCall>) => [...calls].flatMap((call) => copies.get(call) ?? []);
    for (const [id, call] of copies) copy.calls.set(id.id, call);
    for (const [id, child] of this.children) copy.children.set(id, { ...child });
    for (const [owner, atMs] of this.closedAtMs) copy.closedAtMs.set(owner, atMs);
    for (const [key, spawn] of this.#spawns) copy.#spawns.set(key, spawn);
    for (const key of this.#undecided) copy.#undecided.add(key);
    for (const [id, { paths, last }] of this.refused) copy.refused.set(id, { paths, last: last && copies.get(last) });
    copy.isContradicted = this.isContradicted;
    for (const fence of this.fences) copy.fences.add(fence);
    copy.queue = ofAll(this.queue);
    copy.due = new Set(ofAll(this.due));
    copy.freed = new Set(ofAll(this.freed));
    copy.isTimerSeen = this.isTimerSeen;
    copy.#fencedOff = new Set(this.#fencedOff);
    copy.#stuck = new Set(ofAll(this.#stuck));
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
    const rest = [ids(queue), ids(due), ids(freed), ids(this.#stuck), [...this.#fencedOff], [...this.#spawns], refused];
    return JSON.stringify([known, [...this.closedAtMs], ...rest, sleepsUntilMs, nowMs, isTimerSeen]);
  }

  /** With what the contract says to it now, or nothing where it is taken for there. */
  spawn(name: SpawnName): (SeenSpawn & SpawnAnswer) | undefined {
    const spawn = this.#spawns.get(spawnKey(name));
    if (spawn === undefined) return undefined;
    return { ...spawn, ...(spawn.accepted ? { verdict: null, verdictBefore: null } : this.#answerTo(spawn)) };
  }

  /**
   * Whoever has no answer yet may be refused now, which changes nothing, or accepted: returns the same in which it is, one
   * for each of them that what comes next depends on.
   */
  acceptedOtherwise(next: LeaseSighting): readonly LeaseView[] {
    if (this.#undecided.size === 0) return [];
    const answered = next.seen === "spawned" || next.seen === "spawn-refused" ? spawnKey(next) : null;
    const other = answered === null ? undefined : this.#spawns.get(answered)?.child;
    return [...this.#undecided].flatMap((key): readonly LeaseView[] => {
      const spawn = this.#spawns.get(key);
      if (key === answered || spawn === undefined) return [];
      const answer = this.#answerTo(spawn);
      this.#spawns.set(key, refusable(spawn, answer));
      if (answer.verdict !== null || !matters(this.policy, spawn.child, next, other)) return [];
      const copy = this.copy();
      copy.#spawns.set(key, { ...spawn, accepted: true });
      copy.#undecided.delete(key);
      copy.children.set(spawn.child.id, spawn.child);
      return [copy];
    });
  }

  /** No child is there, and no call but that one. */
  isAlone(who: string): boolean {
    const isOther = ({ id, stage }: SeenCall) => id !== who && stage !== "ended";
    return this.children.size === 0 && ![...this.calls.values()].some(isOther);
  }

  /** A child that was refused, or has no answer yet, wanted one of the places, or one that overlaps it. */
  wants(child: string, places: readonly string[]): boolean {
    const wanted = [...this.#spawns.values()].flatMap((spawn) => (spawn.child.id === child ? spawn.child.paths : []));
    return [...wanted, ...(this.refused.get(child)?.paths ?? [])].some((path) =>
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
    return pathsOf(one).some((path) => pathsOf(other).some((held) => overlap(this.policy, path, held)));
  }

  /** The child whose claim a file call is in, the first in order of spawn. A command and a child do not exclude each other. */
  claimant(footprint: Footprint): SeenChild | undefined {
    if (footprint.kind !== "file") return undefined;
    return [...this.children.values()].find(({ paths }) =>
      paths.some((path) => overlap(this.policy, path, footprint.path)),
    );
  }

  /** True when nobody may be granted beside `call` who comes later: they stand in one line. */
  inLine(earlier: SeenCall, call: SeenCall): boolean {
    if (this.policy.queue === "arrival") return this.meet(earlier.footprint, call.footprint);
    const [one, other] = [earlier.footprint, call.footprint];
    if (one.kind === "none" || other.kind === "none") return false;
    if (one.kind === "workspace" || other.kind === "workspace") return one.kind === other.kind;
    const fold = (path: string) => (this.policy.caseSensitive ? path : path.toLowerCase());
    return fold(one.path) === fold(other.path);
  }

  /** By its fence: the name of a child may come again. */
  isFencedOff(holder: string, fence: number | null): boolean {
    return this.#fencedOff.has(keyOf(holder, fence));
  }

  /** A call of the same files was fenced off. */
  takesOver({ footprint }: SeenCall): boolean {
    return [...this.calls.values()].some(
      (other) => this.isFencedOff(other.id, other.fence) && this.meet(footprint, other.footprint),
    );
  }

  /** A fenced-off call that would be in the way, had it not been fenced off. */
  stuckInTheWay({ footprint }: SeenCall): SeenCall | undefined {
    return [...this.#stuck].find((call) => this.meet(footprint, call.footprint));
  }

  /** Who of the queue would run now. */
  pumped(): ReadonlySet<SeenCall> {
    const holders: SeenCall[] = [...this.running()];
    const waiting: SeenCall[] = [];
    const granted = new Set<SeenCall>();
    for (const call of this.queue) {
      const isHeld = holders.some(({ footprint }) => this.meet(footprint, call.footprint));
      const isBehind = isHeld || waiting.some((earlier) => this.inLine(earlier, call));
      if (!isBehind) granted.add(call);
      if (!isTurnedAway(call)) (isBehind ? waiting : holders).push(call);
    }
    return granted;
  }

  /** When something is due, or null. */
  nextDueMs(): number | null {
    const times = this.open().map(({ deadlineMs }) => deadlineMs);
    const running: readonly SeenLease[] = [...this.running(), ...this.children.values()];
    for (const { owner } of running) times.push((this.closedAtMs.get(owner) ?? Infinity) + this.policy.stuckLimitMs);
    const earliestMs = Math.min(...times);
    return earliestMs === Infinity ? null : earliestMs;
  }

  #request(asked: Extract<LeaseSighting, { readonly seen: "requested" }>): void {
    const { call: id, owner, needsApproval, atMs } = asked;
    const path = asked.footprint.kind === "file" ? normalPath(asked.footprint.path) : null;
    const footprint: Footprint = path === null ? asked.footprint : { kind: "file", path };
    const call: SeenCall = {
      id,
      owner,
      footprint,
      asked: asked.footprint.kind === "file" ? asked.footprint.path : null,
      needsApproval,
      stage: needsApproval ? "approving" : "waiting",
      deadlineMs: atMs + this.policy.waitLimitMs,
      fence: null,
      atTheDoor: this.#doorVerdict(asked, footprint, path),
      busy: null,
      answer: null,
      died: asked.aborted,
      fencesThen: this.#lastFence(),
      waited: false,
      alone: false,
    };
    this.calls.set(id, call);
    if (!needsApproval) this.#enqueue(call);
  }

  #doorVerdict(
    { call, owner, aborted }: Extract<LeaseSighting, { readonly seen: "requested" }>,
    footprint: Footprint,
    path: string | null,
  ): Verdict | null {
    if (this.children.has(call)) return { reason: "duplicate-call" };
    if (aborted) return { reason: "cancelled" };
    if (this.closedAtMs.has(owner)) return { reason: "owner-closed" };
    if (footprint.kind !== "file") return null;
    if (path === null) return { reason: "outside-workspace", path: footprint.path };
    const child = this.claimant(footprint);
    return child === undefined ? null : { reason: "child-writing", path, holder: child.id };
  }

  #answered(name: SpawnName): void {
    this.#spawns.delete(spawnKey(name));
    this.#undecided.delete(spawnKey(name));
  }

  #answerTo(spawn: SeenSpawn): SpawnAnswer {
    const live = [...this.calls.values()].filter((call) => call.stage !== "ended" && !isTurnedAway(call));
    const staying = live.filter((call) => !isLeaving(call));
    return { verdict: spawnVerdict(this, spawn, staying), verdictBefore: spawnVerdict(this, spawn, live) };
  }

  #answer({ call: id, yes, atMs }: Extract<LeaseSighting, { readonly seen: "answered" }>): void {
    const call = this.calls.get(id);
    if (call?.stage !== "approving") return;
    call.answer = yes ? "yes" : "no";
    call.fencesThen = this.#lastFence();
    if (!yes) return;
    call.stage = "waiting";
    call.deadlineMs = atMs + this.policy.waitLimitMs;
    this.#enqueue(call);
  }

  #enqueue(call: SeenCall): void {
    call.busy = this.#busyFor(call);
    call.alone = this.isAlone(call.id);
    this.queue.push(call);
    call.waited = !this.pumped().has(call);
  }

  /**
   * The first call that is in the way, in order of request, under conflict `refuse`: one that runs or, as nobody waits
   * there, one that has been let go and has not heard of it.
   */
  #busyFor(call: SeenCall): Verdict | null {
    if (this.policy.conflict === "queue") return null;
    const [path = "."] = pathsOf(call.footprint);
    const holder = [...this.calls.values()].find((other) => {
      const isLetGo = this.queue.includes(other) && other.atTheDoor === null && other.busy === null;
      return (isLetGo || other.stage === "runs") && this.meet(other.footprint, call.footprint);
    });
    return holder === undefined ? null : { reason: "root-busy", path, holder: holder.id };
  }

  #grant({ call: id, fence }: Extract<LeaseSighting, { readonly seen: "granted" }>): void {
    if (fence !== null) this.fences.add(fence);
    const call = this.calls.get(id);
    if (call === undefined) return;
    call.stage = "runs";
    call.fence = fence;
    this.queue = this.queue.filter((other) => other !== call);
  }

  #end(id: string): void {
    const call = this.calls.get(id);
    if (call === undefined) return;
    call.stage = "ended";
    this.queue = this.queue.filter((other) => other !== call);
  }

  #wake(atMs: number, overMs: number | undefined): void {
    this.due = new Set(this.open().filter(({ deadlineMs }) => deadlineMs <= atMs));
    this.isTimerSeen = overMs === undefined;
    const isStuck = ({ owner }: SeenLease) =>
      (this.closedAtMs.get(owner) ?? Infinity) + this.policy.stuckLimitMs <= atMs;
    for (const call of this.running().filter(isStuck)) {
      this.#fencedOff.add(keyOf(call.id, call.fence));
      if (this.#isOver(call, overMs)) this.#stuck.add(call);
      this.#end(call.id);
    }
    for (const child of [...this.children.values()].filter(isStuck)) {
      this.#fencedOff.add(keyOf(child.id, child.fence));
      this.children.delete(child.id);
    }
    this.freed = this.pumped();
  }

  #isOver({ owner }: SeenCall, overMs: number | undefined): boolean {
    return overMs !== undefined && (this.closedAtMs.get(owner) ?? Infinity) + this.policy.stuckLimitMs <= overMs;
  }

  #lastFence(): number {
    return Math.max(0, ...this.fences);
  }
}

function keyOf(holder: string, fence: number | null): string {
  return `${fence} of ${holder}`;
}

export function isOpen({ stage }: SeenCall): boolean {
  return stage === "approving" || stage === "waiting";
}

/** It was never in line, although it may not have heard so yet. */
export function isTurnedAway(call: SeenCall): boolean {
  return isOpen(call) && call.atTheDoor !== null;
}

function isLeaving(call: SeenCall): boolean {
  return isOpen(call) && (call.died || call.answer === "no");
}

export function pathsOf(footprint: Footprint): readonly string[] {
  return footprint.kind === "file" ? [footprint.path] : footprint.kind === "none" ? [] : ["."];
}

/** True when the scheduler tells the same, as far as it tells anything but its own words. */
export function agrees(verdict: Verdict, told: Refusal): boolean {
  if (told.inOwnWords === true) return true;
  if (verdict.reason !== told.reason) return false;
  const path = verdict.path ?? null;
  return (told.path === null || path === null || path === told.path) && (verdict.holder ?? null) === told.holder;
}
