/**
 * Stands between an agent and its outside and writes down what passes: `recordPorts` wraps what the agent is given,
 * `recordAgent` what it offers. An answer is written down before the agent learns of it: one tick before, no more.
 */
import type { AgentCommand, Decision, Message, Note, TurnRecord } from "../../core/agent/state.ts";
import { describeReason } from "../../sim/native/reasons.ts";
import { isThenable } from "../../sim/native/thenable.ts";
import type { Recording } from "./history.ts";
import { InsideCommands } from "./inside.ts";
import type { AgentPorts, AgentUnderTest, StepCall, StepOutcome } from "./ports.ts";

/** The ports of the outside. An answer that is not a promise is there at once: a record has landed, a step is decided. */
export type OutsidePorts = {
  append(record: TurnRecord | Note): Promise<void> | undefined;
  propose(step: StepCall): Promise<Decision> | Decision;
  runStep(step: StepCall): Promise<StepOutcome>;
};

/** `inside`: what is to be given from inside the calls. An observer hears of a record when its write is under way. */
export function recordPorts(
  recording: Recording,
  outside: OutsidePorts,
  inside: InsideCommands = new InsideCommands(recording),
): AgentPorts {
  return {
    append(record) {
      const call = recording.add({ type: "append", record });
      const answer = outside.append(record);
      if (record.type === "turn/start" || record.type === "turn/end") inside.reach(record.type);
      if (answer !== undefined) return settling(recording, call, answer);
      recording.add({ type: "settled", call, ok: true });
      return Promise.resolve();
    },
    propose(request) {
      const { turn, step, messages } = request;
      const call = recording.add({ type: "propose", turn, step, messages: [...messages] });
      const answer = outside.propose(request);
      if (isThenable(answer)) return settling(recording, call, answer, { signal: request.signal });
      recording.add({ type: "settled", call, ok: answer.kind !== "failed" });
      return Promise.resolve(answer);
    },
    runStep(request) {
      const { turn, step, messages } = request;
      const call = recording.add({ type: "run-step", turn, step, messages: [...messages] });
      return settling(recording, call, outside.runStep(request), {
        signal: request.signal,
        outcomeOf: (outcome) => outcome,
      });
    },
    onStatus(status) {
      recording.add({ type: "status", status });
      inside.reach(status);
    },
    onRemoved({ id }, outcome) {
      recording.add({ type: "removed", id, outcome });
      if (outcome !== "blocked") inside.reach(outcome);
    },
  };
}

/** The agent as the script drives it. A method that the agent has not is missing here, too. */
export type RecordedAgent = {
  send(message: Message): unknown;
  cancel(cause: string, options: { readonly keepInbox: boolean }): unknown;
  whenIdle(): Promise<unknown>;
  readonly retract: ((id: string) => unknown) | undefined;
  readonly dispose: (() => unknown) | undefined;
  readonly maintain: ((activity: string, task: (signal: AbortSignal) => Promise<void>) => unknown) | undefined;
};

export function recordAgent(recording: Recording, agent: AgentUnderTest): RecordedAgent {
  const give = (command: AgentCommand, act: () => unknown): unknown => seen(recording, command, act);
  return {
    send: (message) => give({ type: "send", message }, () => agent.send(message)),
    cancel: (cause, { keepInbox }) =>
      give({ type: "cancel", cause, keepInbox }, () => agent.cancel(cause, { keepInbox })),
    whenIdle: () => {
      const call = recording.add({ type: "when-idle" });
      const idle = agent.whenIdle();
      settling(recording, call, idle, { tellError: true }).then(undefined, () => {});
      return idle;
    },
    retract: agent.retract && ((id) => give({ type: "retract", id }, () => agent.retract?.(id))),
    dispose: agent.dispose && (() => give({ type: "dispose" }, () => agent.dispose?.())),
    maintain:
      agent.runMaintenance &&
      ((activity, task) =>
        give({ type: "maintain", activity }, () =>
          agent.runMaintenance?.((signal) =>
            settling(recording, recording.add({ type: "task", activity }), task(signal)),
          ),
        )),
  };
}

/** Writes down the call, then its answer: at once where it returns a value, else when the promise settles. */
function seen(recording: Recording, command: AgentCommand, act: () => unknown): unknown {
  const call = recording.addCommand(command);
  let answer: unknown;
  try {
    answer = act();
  } catch (error) {
    recording.add({ type: "settled", call, ok: false, error: describeReason(error) });
    throw error;
  }
  if (isThenable(answer)) settling(recording, call, answer, { tellError: true }).then(undefined, () => {});
  else recording.add({ type: "settled", call, ok: true });
  return answer;
}

type Settling<Value> = {
  readonly signal?: AbortSignal;
  readonly outcomeOf?: (value: Value) => StepOutcome;
  /** What the agent answers with; the errors of the outside are its own. */
  readonly tellError?: boolean;
};

/** Writes down how the call settles and, where it has a signal, that it was aborted before that. */
function settling<Value>(
  recording: Recording,
  call: number,
  promise: PromiseLike<Value>,
  { signal, outcomeOf, tellError = false }: Settling<Value> = {},
): Promise<Value> {
  const onAbort = () => recording.add({ type: "aborted", call });
  signal?.addEventListener("abort", onAbort);
  return Promise.resolve(promise).then(
    (value) => {
      signal?.removeEventListener("abort", onAbort);
      recording.add({ type: "settled", call, ok: true, ...(outcomeOf && { outcome: outcomeOf(value) }) });
      return value;
    },
    (error: unknown) => {
      signal?.removeEventListener("abort", onAbort);
      recording.add({ type: "settled", call, ok: false, ...(tellError && { error: describeReason(error) }) });
      throw error;
    },
  );
}
