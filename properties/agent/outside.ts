/**
 * The simulated outside of an agent, written as an application would write it: storage, a model that streams, tools, and
 * the time it takes to tear a step down. Every wait is a delivery of the world, so the scheduler decides when it is over.
 */
import type { Decision, Message, Note, TurnRecord } from "../../core/agent/state.ts";
import type { Touches, World } from "../../sim/scenario.ts";
import { type Answers, noAnswers } from "./answers.ts";
import { decidePlan, decideProposal } from "./decisions.ts";
import type { StepCall, StepOutcome } from "./ports.ts";
import type { OutsidePorts } from "./recorder.ts";

/** Names of the deliveries, with their source. */
export type Labels = {
  readonly turnStart: string;
  readonly turnEnd: string;
  readonly note: string;
  readonly propose: string;
  readonly model: string;
  readonly tool: string;
  readonly teardown: string;
  readonly maintenance: string;
};

export const plainLabels: Labels = {
  turnStart: "agent:turn/start",
  turnEnd: "agent:turn/end",
  note: "agent:note",
  propose: "agent:propose",
  model: "agent:model",
  tool: "agent:tool",
  teardown: "agent:teardown",
  maintenance: "agent:maintenance",
};

/** What the model does in one step. */
export type StepPlan = {
  readonly tools: readonly string[];
  readonly outcome: StepOutcome | "failed";
  /** The tools run one after another; all at once unless said. */
  readonly oneByOne?: boolean;
  /** It notices an abort only with the next piece that arrives. */
  readonly lingers?: boolean;
};

export type OutsideOptions = {
  readonly labels: Labels;
  /** Pieces in which the model's answer arrives. */
  readonly chunks: number;
  readonly plan: (turn: number, step: number) => StepPlan;
  /** Deliver these, too, instead of answering at once. Each one makes the space of schedules larger. */
  readonly slow: readonly ("notes" | "turn-records" | "proposals")[];
  /** Deliveries that the exploration may make fail, where they are deliveries at all. */
  readonly mayFail: readonly ("notes" | "turn-records" | "proposals" | "steps")[];
  /** What the model does in each step, and what is proposed, is a choice of the exploration, and `plan` is not asked. */
  readonly decides?: boolean;
  /** A piece of the model's answer may never arrive; then the step lives until it is aborted. */
  readonly hangs?: boolean;
};

export type Outside = OutsidePorts & { maintenance(signal: AbortSignal): Promise<void> };

/**
 * The outside has no state of its own, and what reaches the agent is written down, which is seen: nothing to declare.
 */
const touches: Touches = {};

/** `answers`: where they say how something is answered, that is one delivery, and nothing else is asked. */
export function makeOutside(
  world: World,
  { labels, chunks, plan, slow, mayFail, decides = false, hangs = false }: OutsideOptions,
  answers: Answers = noAnswers,
): Outside {
  return { append, propose, runStep, maintenance };

  function append(record: TurnRecord | Note): Promise<void> | undefined {
    const kind = record.type === "turn/start" || record.type === "turn/end" ? "turn-records" : "notes";
    const label =
      record.type === "turn/start" ? labels.turnStart : record.type === "turn/end" ? labels.turnEnd : labels.note;
    const answer = record.type === "turn/start" || record.type === "turn/end" ? answers.toRecord(record) : null;
    if (answer !== null)
      return world.io(label, () => failing(answer === "write-failed", "Storage refuses the record"), { touches });
    if (!slow.includes(kind)) return undefined;
    return world.io(label, () => undefined, { mayFail: mayFail.includes(kind), touches });
  }

  function propose({ turn, step, messages }: StepCall): Promise<Decision> | Decision {
    const answer = answers.toProposal({ turn, step });
    if (answer !== null) {
      return world.io(
        labels.propose,
        () => {
          failing(answer.kind === "failed", `The proposal ${turn}.${step} failed`);
          return answer;
        },
        { touches },
      );
    }
    const decision = decides ? decideProposal(world, messages) : enterAll(messages);
    const decided = (): Decision => {
      if (decision !== "throw") return decision;
      throw new Error(`The proposal ${turn}.${step} failed`);
    };
    if (slow.includes("proposals"))
      return world.io(labels.propose, decided, { mayFail: mayFail.includes("proposals"), touches });
    return decision === "throw" ? Promise.resolve().then(decided) : decision;
  }

  function runStep(call: StepCall): Promise<StepOutcome> {
    const answer = answers.toStep(call);
    if (answer === null) return runPlan(call);
    return world.io(
      labels.model,
      () => {
        if (answer === "failed") throw failureOf(call);
        return answer;
      },
      { touches },
    );
  }

  async function runPlan({ turn, step, signal }: StepCall): Promise<StepOutcome> {
    const { tools, outcome, oneByOne, lingers } = decides ? decidePlan(world, { step }) : plan(turn, step);
    const run = (tool: string) => unlessAborted(use(tool), signal);
    try {
      for await (const _chunk of streamModel(signal)) signal.throwIfAborted();
      if (outcome === "failed") throw failureOf({ turn, step });
      if (oneByOne) for (const tool of tools) await run(tool);
      else await Promise.all(tools.map(run));
      return outcome;
    } finally {
      if (signal.aborted && lingers) await world.io(labels.model, () => undefined, { touches });
      // Closing the connection and killing the tools' processes takes a while, and until then the step is live.
      if (signal.aborted) await world.io(labels.teardown, () => undefined, { touches });
    }
  }

  function use(tool: string): Promise<string> {
    return world.io(`${labels.tool} ${tool}`, () => tool, { touches });
  }

  async function* streamModel(signal: AbortSignal): AsyncGenerator<string> {
    for (let chunk = 1; chunk <= chunks; chunk++) {
      yield await unlessAborted(
        world.io(labels.model, () => `chunk ${chunk}`, {
          mayFail: mayFail.includes("steps"),
          mayHang: hangs,
          touches,
        }),
        signal,
      );
    }
  }

  async function maintenance(signal: AbortSignal): Promise<void> {
    if (answers.toTask() !== null) return world.io(labels.maintenance, () => undefined, { touches });
    try {
      await unlessAborted(
        world.io(labels.maintenance, () => undefined, { touches }),
        signal,
      );
    } finally {
      if (signal.aborted) await world.io(labels.teardown, () => undefined, { touches });
    }
  }
}

function enterAll(messages: readonly Message[]): Decision {
  return { kind: "enter", messages };
}

function failing(fails: boolean, how: string): void {
  if (fails) throw new Error(how);
}

function failureOf({ turn, step }: Pick<StepCall, "turn" | "step">): Error {
  return new Error(`The model failed in step ${turn}.${step}`);
}

/** Waits for the promise, or rejects as soon as the signal is aborted; the answer that comes too late is dropped. */
function unlessAborted<Value>(promise: Promise<Value>, signal: AbortSignal): Promise<Value> {
  return new Promise((resolve, reject) => {
    const onAbort = () => reject(signal.reason);
    if (signal.aborted) onAbort();
    else signal.addEventListener("abort", onAbort, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener("abort", onAbort));
  });
}
