/**
 * An application at a lease scheduler: it does what a script says, and writes down what it sees. It keeps what the scheduler
 * has handed out, so it can give back what it has, and also what it has no more.
 */
import type { LeaseScheduler } from "../../core/lease/scheduler.ts";
import { describeReason } from "../../sim/native/reasons.ts";
import { isThenable } from "../kit/thenable.ts";
import { type Complaints, fieldOf, grantOf, isError } from "./complaints.ts";
import type { HandClock } from "./hand-clock.ts";
import type { LeaseRecording, Refusal, SpawnName } from "./history.ts";
import type { LeaseSchedulerUnderTest } from "./ports.ts";
import type { LeaseScriptStep } from "./script.ts";
import { pathsOf } from "./seen.ts";
import { SpawnsUnderWay } from "./spawns-under-way.ts";

/** A scheduler that can also be asked right before the irreversible act. */
export type Subject = Omit<LeaseSchedulerUnderTest, "acquire"> &
  Partial<Pick<LeaseScheduler, "canWrite">> & {
    acquire(...request: Parameters<LeaseSchedulerUnderTest["acquire"]>): PromiseLike<unknown>;
  };

/** Where nobody can see until when the scheduler sleeps, nothing is written down about it. */
type Clock = Pick<HandClock, "nowMs" | "pass"> & Partial<Pick<HandClock, "untilMs">>;
type Lease = { readonly holder: string; readonly fence: number | null; readonly paths: readonly string[] };
type Asked = {
  readonly owner: string;
  readonly controller: AbortController;
  answered: PromiseLike<void> | null;
  release: (() => void) | null;
  /** It is being stopped: an answer that is heard now had been given before. */
  isBeingStopped: boolean;
};
type Step<Type extends LeaseScriptStep["type"]> = Extract<LeaseScriptStep, { readonly type: Type }>;

export class Application {
  readonly complaints: Complaints = { badShapes: [], threw: [], open: new Set() };
  readonly #recording: LeaseRecording;
  readonly #clock: Clock;
  readonly #questions = new Map<string, (yes: boolean) => void>();
  readonly #asked = new Map<string, Asked>();
  readonly #spawns = new SpawnsUnderWay();
  readonly #claims: (Lease & { finish(): unknown })[] = [];
  readonly #leases: Lease[] = [];
  readonly #mayWrite = new Map<string, boolean>();
  #sleepsUntilMs: number | null | undefined;
  #scheduler: Subject | null = null;

  constructor(recording: LeaseRecording, clock: Clock) {
    this.#recording = recording;
    this.#clock = clock;
  }

  use(scheduler: Subject): void {
    this.#scheduler = scheduler;
  }

  /** The first of the complaints; undefined where the scheduler's answers are as they must be. */
  get complaint(): string | undefined {
    const { badShapes, threw } = this.complaints;
    return badShapes[0] ?? threw[0];
  }

  /** The port: resolves when the script says yes or no. */
  approve(call: string): Promise<boolean> {
    this.#recording.saw({ seen: "asked", call });
    return new Promise((resolve) => this.#questions.set(call, resolve));
  }

  /** A step about what is not there (an answer that nobody waits for, a lease that nobody has) does nothing. */
  give(step: LeaseScriptStep): PromiseLike<void> | undefined {
    switch (step.type) {
      case "request":
        this.#request(step);
        return undefined;
      case "approve":
      case "deny":
        this.#answer(step.call, step.type === "approve");
        return undefined;
      case "release":
        this.#release(step);
        return undefined;
      case "abort":
        this.#abort(step.call);
        return undefined;
      case "spawn":
        this.#spawn(step);
        return undefined;
      case "finish":
        this.#finish(step);
        return undefined;
      case "close":
        this.#recording.saw({ seen: "closed", owner: step.owner, atMs: this.#clock.nowMs() });
        for (const asked of this.#asked.values()) if (asked.owner === step.owner) stops(asked);
        this.#subject().close?.(step.owner);
        return undefined;
      case "wait":
        this.#clock.pass(step.ms);
        return undefined;
      case "await":
        return this.#asked.get(step.name)?.answered ?? undefined;
    }
  }

  /** After each delivery: looks at what can be seen without a question to anybody who waits; writes down what has changed. */
  look(): void {
    this.#recording.drained();
    const untilMs = this.#clock.untilMs?.();
    const atMs = this.#clock.nowMs();
    if (untilMs !== undefined && untilMs !== this.#sleepsUntilMs)
      this.#recording.saw({ seen: "sleeps", untilMs, atMs });
    this.#sleepsUntilMs = untilMs;
    const scheduler = this.#subject();
    for (const { holder, fence, paths } of this.#leases) {
      if (fence === null) continue;
      for (const path of paths) {
        const may = scheduler.canWrite?.({ holder, fence }, path);
        const key = JSON.stringify([holder, fence, path]);
        if (may === undefined || this.#mayWrite.get(key) === may) continue;
        this.#mayWrite.set(key, may);
        this.#recording.saw({ seen: "may-write", holder, fence, path, may });
      }
    }
  }

  #request({ call, owner, footprint, needsApproval, aborted }: Step<"request">): void {
    const controller = new AbortController();
    if (aborted) controller.abort();
    const atMs = this.#clock.nowMs();
    this.#recording.saw({ seen: "requested", call, owner, footprint, needsApproval, aborted, atMs });
    const { signal } = controller;
    const asked: Asked = { owner, controller, isBeingStopped: false, release: null, answered: null };
    const granted = (grant: unknown) => {
      const { release, fence = null } = grantOf(grant, call, this.complaints);
      asked.release = () => {
        this.#recording.saw({ seen: "released", call, fence });
        release();
      };
      this.#leases.push({ holder: call, fence, paths: pathsOf(footprint) });
      const onItsWay = asked.isBeingStopped ? { onItsWay: true } : {};
      this.#recording.saw({ seen: "granted", call, fence, ...onItsWay });
    };
    const ended = (error: unknown) => this.#ended(call, error);
    asked.answered = hear(this.#subject().acquire({ call, owner, footprint, needsApproval, signal }), granted, ended);
    this.#asked.set(call, asked);
  }

  #ended(call: string, error: unknown): void {
    if (isError(error) && fieldOf(error, "name") === "AbortError") this.#recording.saw({ seen: "cancelled", call });
    else if (fieldOf(error, "retryable") === true) {
      const path = textOf(error, "path");
      this.#recording.saw({ seen: "expired", call, path, atMs: this.#clock.nowMs() });
    } else this.#recording.saw({ seen: "refused", call, ...refusalOf(error) });
  }

  #answer(call: string, yes: boolean): void {
    const answer = this.#questions.get(call);
    if (answer === undefined) return;
    this.#questions.delete(call);
    this.#recording.saw({ seen: "answered", call, yes, atMs: this.#clock.nowMs() });
    answer(yes);
  }

  #release({ call, fence }: Step<"release">): void {
    if (fence !== undefined && !this.#leases.some((lease) => lease.holder === call && lease.fence === fence)) return;
    this.#asked.get(call)?.release?.();
  }

  #abort(call: string): void {
    const asked = this.#asked.get(call);
    if (asked === undefined || asked.controller.signal.aborted) return;
    this.#recording.saw({ seen: "aborted", call });
    stops(asked);
    asked.controller.abort();
  }

  #spawn({ child, owner, paths }: Step<"spawn">): void {
    const name = this.#spawns.begin(child);
    this.#recording.saw({ seen: "spawning", ...name, owner, paths });
    const spawned = (claim: unknown) => {
      this.#spawns.end(name);
      this.#spawned(name, paths, claim);
    };
    const refused = (error: unknown) => {
      this.#spawns.end(name);
      this.#recording.saw({ seen: "spawn-refused", ...name, ...refusalOf(error) });
    };
    let claim: unknown;
    try {
      claim = this.#subject().spawn({ child, owner, paths });
    } catch (error) {
      refused(error);
      return;
    }
    if (isThenable(claim)) claim.then(spawned, refused);
    else spawned(claim);
  }

  #spawned(name: SpawnName, paths: readonly string[], claim: unknown): void {
    const { child } = name;
    const own = fieldOf(claim, "finish");
    const fence = numberOf(claim, "fence");
    const finish = () => {
      // By name it is the claim of that name that ends, whichever that is now.
      this.#recording.saw({ seen: "finished", child, fence: typeof own === "function" ? fence : null });
      if (typeof own === "function") own.call(claim);
      else this.#subject().finish(child);
    };
    const lease = { holder: child, fence, paths, finish };
    this.#claims.push(lease);
    this.#leases.push(lease);
    this.#recording.saw({ seen: "spawned", ...name, fence });
  }

  #finish({ child, fence }: Step<"finish">): void {
    const claim = this.#claims.findLast(
      ({ holder, fence: own }) => holder === child && (fence === undefined || own === fence),
    );
    claim?.finish();
  }

  #subject(): Subject {
    if (this.#scheduler === null) throw new Error("The application has no scheduler yet");
    return this.#scheduler;
  }
}

/** Somebody else's promise may answer at once, or twice, or throw when it is asked: to `await` it would hide that, too. */
function hear(
  answer: PromiseLike<unknown>,
  granted: (grant: unknown) => void,
  ended: (error: unknown) => void,
): PromiseLike<void> {
  let isHeard = false;
  const once = (hears: (what: unknown) => void) => (what: unknown) => {
    if (isHeard) return;
    isHeard = true;
    hears(what);
  };
  try {
    return answer.then(once(granted), once(ended));
  } catch (error) {
    once(ended)(error);
    return Promise.resolve();
  }
}

/** Until the job that is queued here: whoever hears of a promise that has settled by now is queued before it. */
function stops(asked: Asked): void {
  asked.isBeingStopped = true;
  queueMicrotask(() => {
    asked.isBeingStopped = false;
  });
}

function refusalOf(error: unknown): Refusal {
  const [path, holder] = [textOf(error, "path"), textOf(error, "holder")];
  const reason = textOf(error, "reason");
  if (reason !== null) return { reason, path, holder };
  return { reason: describeReason(error), path, holder, inOwnWords: true };
}

function textOf(value: unknown, key: string): string | null {
  const found = fieldOf(value, key);
  return typeof found === "string" ? found : null;
}

function numberOf(value: unknown, key: string): number | null {
  const found = fieldOf(value, key);
  return typeof found === "number" ? found : null;
}
