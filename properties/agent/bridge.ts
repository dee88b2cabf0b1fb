/**
 * The bridge from the agent's reducer down to its host. What is proved of `transition` is true of a running agent as far
 * as the host does what the transition says, all of it, in order, and nothing else. `followed` makes an agent beside which
 * a follower walks: it holds a state of its own, takes every input at the moment the host gets it, and so knows what the
 * outside must see next. The first thing that the host does otherwise is its divergence.
 *
 * What a host may do that no effect says, and is allowed here exactly so far:
 *
 * - Records wait in one queue. A note that was refused is tried again before what is behind it: once more by itself, and
 *   again whenever a record comes behind it. A turn record behind a note that will not go is given up with it.
 * - A stop that is decided before a port was called bites there: the port is not called, its answer is `failed`.
 * - An observer may wake the agent on the way to `quiescent`; then nobody's wait ends there.
 * - Whoever hears of records hears that one landed before anything is done about it.
 */
import { isDeepStrictEqual } from "node:util";
import { createAgent } from "../../core/agent/host.ts";
import {
  type Agent,
  AgentBusyError,
  type AgentErrorSource,
  type AgentPorts,
  type Receipt,
  type StepRequest,
} from "../../core/agent/ports.ts";
import type {
  AgentEffect,
  AgentInput,
  AgentPolicy,
  AgentRecord,
  AgentState,
  Message,
  TurnRecord,
} from "../../core/agent/state.ts";
import { defaultPolicy, initialState, transition } from "../../core/agent/transition.ts";
import { InputError } from "../../core/shape.ts";
import type { World } from "../../sim/scenario.ts";

type Request = Extract<AgentEffect, { readonly type: "propose" | "run-step" }>;

/** What the outside sees the host do. */
type Deed =
  | Request
  | Extract<AgentEffect, { readonly type: "status" | "run-maintenance" }>
  | { readonly type: "ask to append" | "told of"; readonly record: AgentRecord }
  | { readonly type: "removed"; readonly message: Message; readonly outcome: "claimed" | "canceled" | "blocked" }
  | { readonly type: "fire signal" | "told of stop"; readonly cause: string };

/** What is to be done; some of it is seen, some leads to something that is. */
type Job = Deed | AgentEffect | { readonly type: "write" };

/** Attempts for a record, and again whenever one lands before it or comes behind it. */
const triesPerRecord = 2;

export type FollowOptions = {
  readonly ports: AgentPorts;
  readonly policy?: Partial<AgentPolicy>;
  readonly restored?: AgentState;
  /** The host under test. */
  readonly make?: typeof createAgent;
  /** Hears of every transition. */
  readonly onStep?: OnStep;
};

type OnStep = (input: AgentInput, effects: readonly AgentEffect[]) => void;

/** Makes an agent and its follower. Commands and observers that go through the agent returned are followed. */
export function followed(world: World, options: FollowOptions): Agent {
  const { ports, policy = {}, restored = initialState, make = createAgent, onStep = () => {} } = options;
  const follower = new Follower({ ...defaultPolicy, ...policy }, restored, onStep);

  /** A call of the host. Its answer is taken in the job right before the host's own: both wait for the same promise. */
  function call<T>(seen: Deed, act: () => Promise<T>, answered: (value: T) => void, failed: (error: unknown) => void) {
    follower.sees(seen);
    return follower.inside(() => {
      try {
        const answer = Promise.resolve(act());
        answer.then(answered, failed);
        return answer;
      } catch (error) {
        failed(error);
        throw error;
      }
    });
  }

  function request<T>(
    type: Request["type"],
    { turn, step, messages, signal }: StepRequest,
    act: () => Promise<T>,
    input: (answer: T) => AgentInput,
  ): Promise<T> {
    const seen = { type, turn, step, messages };
    follower.isGiven(signal);
    return call(
      seen,
      act,
      (answer) => follower.answered(seen, input(answer)),
      () => follower.failed(seen),
    );
  }

  const agent = make(
    {
      append: (record) =>
        call({ type: "ask to append", record }, () => ports.append(record), follower.landed, follower.refused),
      propose: (step) =>
        request(
          "propose",
          step,
          () => ports.propose(step),
          (decision) => ({ type: "proposed", turn: step.turn, step: step.step, decision }),
        ),
      runStep: (step) =>
        request(
          "run-step",
          step,
          () => ports.runStep(step),
          (outcome) => ({ type: "stepped", turn: step.turn, step: step.step, outcome }),
        ),
      onStatus(status) {
        follower.sees({ type: "status", status });
        follower.inside(() => ports.onStatus?.(status));
      },
      onRemoved(message, outcome) {
        follower.sees({ type: "removed", message, outcome });
        follower.inside(() => ports.onRemoved?.(message, outcome));
      },
      onError(error, source) {
        follower.hears(source);
        follower.inside(() => ports.onError?.(error, source));
      },
    },
    policy,
    restored,
  );
  agent.onRecord((record) => follower.sees({ type: "told of", record }));
  agent.onStop((cause) => follower.sees({ type: "told of stop", cause }));
  world.always("the host follows its reducer", () => follower.divergence(agent) ?? true);
  world.atQuiescence("nothing is left to be done", () => follower.leftover() ?? true);

  let activities = 0;
  const given = (input: AgentInput, act: () => Receipt): Receipt => {
    const expected = follower.given(input);
    const receipt = act();
    follower.agree("its answer", receipt, expected);
    return receipt;
  };
  const observing =
    <T>(on: (listener: (value: T) => void) => () => void) =>
    (listener: (value: T) => void) =>
      on((value) => follower.inside(() => listener(value)));
  const send = (message: Message) => given({ type: "send", message }, () => agent.send(message));
  const sender = (lane: Message["lane"], wake: boolean) => (id: string, body?: unknown) =>
    send(body === undefined ? { id, lane, wake } : { id, lane, wake, body });

  return {
    send,
    followUp: sender("next-turn", true),
    steer: sender("next-step", true),
    inject: sender("next-step", false),
    queue: sender("next-turn", false),
    retract: (id) => given({ type: "retract", id }, () => agent.retract(id)),
    cancel(cause, { keepInbox }) {
      follower.given({ type: "cancel", cause, keepInbox });
      agent.cancel(cause, { keepInbox });
    },
    dispose() {
      follower.given({ type: "dispose" });
      agent.dispose();
    },
    runMaintenance(task) {
      activities += 1;
      const activity = `maintenance ${activities}`;
      const expected = follower.given({ type: "maintain", activity });
      const over = () => follower.maintained(activity);
      const done = agent.runMaintenance((signal) => {
        follower.isGiven(signal, "anew");
        return call({ type: "run-maintenance", activity }, () => task(signal), over, over);
      });
      done.catch((error: unknown) => {
        const reason = error instanceof AgentBusyError ? error.reason : null;
        follower.agree("its refusal", reason, expected.outcome === "refused" ? expected.reason : null);
      });
      return done;
    },
    whenIdle() {
      const idle = agent.whenIdle();
      follower.waits(idle);
      return idle;
    },
    get status() {
      return agent.status;
    },
    get pending() {
      return agent.pending;
    },
    get state() {
      return agent.state;
    },
    onStatus: observing(agent.onStatus),
    onRecord: observing(agent.onRecord),
    onStop: observing(agent.onStop),
  };
}

/** Walks beside a host. What is wrong is kept as the divergence and never thrown, for that would change what the host does. */
class Follower {
  readonly #policy: AgentPolicy;
  readonly #onStep: OnStep;
  #state: AgentState;
  #status: "idle" | "running" = "idle";
  #diverged: string | undefined;
  /** Decided and not done. */
  readonly #jobs: Job[] = [];
  /** To be done once `#jobs` is: an answer first makes its own effects happen, then lets the next record go. */
  readonly #afterwards: Job[] = [];
  /** Calls of the host that have not returned: what is given in there takes effect after them. */
  #depth = 0;
  /** Calls of ports and tasks without an answer. */
  #open = 0;
  #journal: readonly AgentRecord[] = [];
  #writing = false;
  #tries = 0;
  /** The signal of this turn or task, once somebody has it. */
  #signal: AbortSignal | null = null;
  /** The signal that comes with the call that is about to be seen. */
  #shown: { readonly signal: AbortSignal; readonly anew: boolean } | null = null;
  readonly #signals = new Set<AbortSignal>();
  readonly #waits: { isDue: boolean; isOver: boolean }[] = [];
  readonly #errors: { readonly due: AgentErrorSource[]; readonly heard: AgentErrorSource[] } = { due: [], heard: [] };

  constructor(policy: AgentPolicy, restored: AgentState, onStep: OnStep) {
    this.#policy = policy;
    this.#state = restored;
    this.#onStep = onStep;
  }

  /** Takes an input, right before the host does. */
  given(input: AgentInput): Receipt {
    if (this.#depth === 0) this.#mustBeDone();
    return this.#take(input);
  }

  readonly landed = (): void => {
    const record = this.#settle();
    if (!record) return;
    this.#journal = this.#journal.slice(1);
    this.#tries = triesPerRecord;
    this.#jobs.push({ type: "told of", record });
    if (isTurnRecord(record)) this.#take({ type: "written", record });
    this.#later({ type: "write" });
  };

  readonly refused = (): void => {
    const head = this.#settle();
    if (!head) return;
    const givenUp = isTurnRecord(head) ? head : this.#tries === 0 ? this.#journal.find(isTurnRecord) : undefined;
    this.#journal = this.#journal.filter((record) => record !== givenUp);
    if (givenUp === head) this.#tries = triesPerRecord;
    if (givenUp) this.#take({ type: "write-failed", record: givenUp });
    this.#errors.due.push("append");
    this.#later({ type: "write" });
  };

  /** An answer that has not the shape of one is a failure. */
  answered(request: Request, input: AgentInput): void {
    try {
      this.given(input);
      this.#open -= 1;
    } catch (error) {
      if (!(error instanceof InputError)) throw error;
      this.failed(request);
    }
  }

  maintained(activity: string): void {
    this.given({ type: "maintained", activity });
    this.#open -= 1;
  }

  failed(request: Request): void {
    this.#open -= 1;
    if (this.#depth === 0) this.#mustBeDone();
    // To reject is how a stopped port is expected to settle.
    if (!isStopped(this.#state)) this.#errors.due.push(request.type);
    this.#take(failureOf(request));
  }

  /** Runs what the host calls. */
  inside<T>(act: () => T): T {
    this.#depth += 1;
    try {
      return act();
    } finally {
      this.#depth -= 1;
    }
  }

  /** The host does something: it must be the next thing to be done. */
  sees(deed: Deed): void {
    this.agree("what it does", deed, this.#next());
    if (deed.type === "ask to append" || isRequest(deed) || deed.type === "run-maintenance") this.#open += 1;
    if (isRequest(deed) || deed.type === "run-maintenance") this.#takeSignal();
    // A listener of the signal is inside as well; the observers of stops are told right behind them.
    if (deed.type === "fire signal") this.#depth += 1;
    if (deed.type === "told of stop" && this.#signal) {
      this.#depth -= 1;
      if (!this.#signal.aborted) this.#diverge(`the stop "${deed.cause}" has not reached the signal`);
    }
  }

  isGiven(signal: AbortSignal, anew?: "anew"): void {
    this.#shown = { signal, anew: anew !== undefined };
  }

  hears(source: AgentErrorSource): void {
    this.#errors.heard.push(source);
  }

  waits(idle: Promise<void>): void {
    const wait = { isDue: this.#state.phase.kind === "idle", isOver: false };
    this.#waits.push(wait);
    idle.then(() => {
      wait.isOver = true;
    });
  }

  agree(what: string, host: unknown, reducer: unknown): void {
    if (host !== reducer && this.#diverged === undefined && !isDeepStrictEqual(host, reducer)) {
      this.#diverge(`${what}: ${JSON.stringify(host)}; the reducer says ${JSON.stringify(reducer)}`);
    }
  }

  /** Says what the host has done otherwise. Asked between two deliveries, when nothing is under way. */
  divergence(agent: Agent): string | undefined {
    this.#mustBeDone();
    this.agree("its state", agent.state, this.#state);
    this.agree("its status", agent.status, this.#status);
    if (this.#waits.some(({ isDue, isOver }) => isDue !== isOver)) this.#diverge("somebody waits for an idle agent");
    this.agree("errors", this.#errors.heard.toSorted(), this.#errors.due.toSorted());
    return this.#diverged;
  }

  leftover(): string | undefined {
    if (this.#open > 0) return undefined;
    if (this.#state.phase.kind !== "idle") return `every port has answered, and it is ${this.#state.phase.kind}`;
    return this.#journal.some(isTurnRecord) ? "a turn record waits for nothing" : undefined;
  }

  #take(input: AgentInput): Receipt {
    const before = this.#state;
    const { state, effects } = transition(this.#policy, before, input);
    this.#state = state;
    this.#onStep(input, effects);
    for (const effect of effects) {
      this.#jobs.push(...jobsOf(effect, before));
      if (effect.type === "stale") this.#diverge("it reports what was not asked for");
    }
    const [first] = effects;
    if (first?.type === "refused") return { outcome: "refused", reason: first.reason };
    return { outcome: input.type === "send" && state.disposed ? "parked" : "accepted" };
  }

  /** Does what nobody sees, up to the next thing that somebody must see. */
  #next(): Deed | undefined {
    for (;;) {
      const job = this.#jobs.shift() ?? this.#afterwards.shift();
      if (!job) return undefined;
      const deed = this.#do(job);
      if (deed) return deed;
    }
  }

  #do(job: Job): Deed | undefined {
    switch (job.type) {
      case "status":
        this.#status = job.status;
        this.#signal = null;
        return job;
      case "append":
        this.#journal = [...this.#journal, job.record];
        this.#tries = triesPerRecord;
        // A turn has a signal of its own.
        if (job.record.type === "turn/start") this.#signal = null;
        return this.#write();
      case "write":
        return this.#write();
      case "propose":
      case "run-step":
        if (!isStopped(this.#state)) return job;
        this.#take(failureOf(job));
        return undefined;
      case "fire signal":
        return this.#signal ? job : undefined;
      case "quiescent":
        if (this.#state.phase.kind === "idle") for (const wait of this.#waits) wait.isDue = true;
        return undefined;
      case "refused":
        // Every other refusal is told to its sender.
        if (job.reason === "still-pending") this.#errors.due.push("propose");
        return undefined;
      case "removed":
      case "told of":
      case "told of stop":
      case "run-maintenance":
      case "ask to append":
        return job;
      case "abort":
      case "disposed":
      case "fault":
      case "stale":
        return undefined;
    }
  }

  /** The oldest record goes to storage, unless one is on its way. */
  #write(): Deed | undefined {
    const [record] = this.#journal;
    if (this.#writing || this.#tries === 0 || !record) return undefined;
    this.#writing = true;
    this.#tries -= 1;
    return { type: "ask to append", record };
  }

  /** Storage has answered for the oldest record. */
  #settle(): AgentRecord | undefined {
    if (this.#depth === 0) this.#mustBeDone();
    this.#writing = false;
    this.#open -= 1;
    return this.#journal[0];
  }

  #later(job: Job): void {
    // An answer from inside the call comes while effects are being performed, and queues up with them.
    if (this.#depth > 0) this.#jobs.push(job);
    else this.#afterwards.push(job);
  }

  #mustBeDone(): void {
    const left = this.#next();
    if (left) this.#diverge(`it does not do ${JSON.stringify(left)}`);
  }

  /** The first request of a turn makes its signal, later ones come with the same; a task has one of its own. */
  #takeSignal(): void {
    if (!this.#shown) return;
    const { signal, anew } = this.#shown;
    if (anew || !this.#signal) {
      if (this.#signals.has(signal)) this.#diverge("a new turn or task has an old signal");
      if (signal.aborted) this.#diverge("a signal has fired before there was a stop");
      this.#signals.add(signal);
      signal.addEventListener("abort", () => {
        this.sees({ type: "fire signal", cause: signal.reason.message });
      });
      this.#signal = signal;
    } else if (signal !== this.#signal) {
      this.#diverge("a turn has two signals");
    }
  }

  #diverge(how: string): void {
    this.#diverged ??= how;
  }
}

function jobsOf(effect: AgentEffect, before: AgentState): readonly Job[] {
  if (effect.type === "abort") {
    const { cause } = effect;
    return [
      { type: "fire signal", cause },
      { type: "told of stop", cause },
    ];
  }
  if (effect.type !== "append" || effect.record.type !== "inbox/removed") return [effect];
  const { id, outcome } = effect.record;
  const batch = before.phase.kind === "running" ? before.phase.batch : [];
  const message = [...batch, ...before.nextStep, ...before.nextTurn].find((one) => one.id === id);
  return message ? [effect, { type: "removed", message, outcome }] : [effect];
}

function failureOf({ type, turn, step }: Request): AgentInput {
  if (type === "propose") return { type: "proposed", turn, step, decision: { kind: "failed" } };
  return { type: "stepped", turn, step, outcome: "failed" };
}

// Spelled out instead of asking the core: of it nothing is used here but the transition.
function isStopped({ phase }: AgentState): boolean {
  return phase.kind !== "idle" && phase.stop !== null;
}

function isTurnRecord(record: AgentRecord): record is TurnRecord {
  return record.type === "turn/start" || record.type === "turn/end";
}

function isRequest(job: Job): job is Request {
  return job.type === "propose" || job.type === "run-step";
}
