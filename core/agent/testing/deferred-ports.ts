import type { AgentPorts, StepRequest } from "../ports.ts";
import type { AgentRecord, Decision, StepOutcome } from "../state.ts";

/** Ports whose answers the test gives by hand, and a diary of everything the host did to the outside. */
export type Call<Request, Answer> = {
  readonly request: Request;
  resolve(answer: Answer): Promise<void>;
  reject(error: unknown): Promise<void>;
};
export type DeferredPorts = {
  readonly ports: AgentPorts;
  /** Calls without an answer, oldest first. */
  readonly proposals: Call<StepRequest, Decision>[];
  readonly steps: Call<StepRequest, StepOutcome>[];
  readonly writes: Call<AgentRecord, void>[];
  /** Records that storage took. */
  readonly log: AgentRecord[];
  readonly diary: string[];
  readonly errors: unknown[];
  /** Of every request so far. */
  readonly signals: AbortSignal[];
};

/** `storage`: `instant` takes every record at once; `manual` leaves that to the test. */
export function deferredPorts(storage: "instant" | "manual" = "instant"): DeferredPorts {
  const proposals: Call<StepRequest, Decision>[] = [];
  const steps: Call<StepRequest, StepOutcome>[] = [];
  const writes: Call<AgentRecord, void>[] = [];
  const log: AgentRecord[] = [];
  const diary: string[] = [];
  const errors: unknown[] = [];
  const signals: AbortSignal[] = [];
  const ports: AgentPorts = {
    append(record) {
      diary.push(nameOf(record));
      if (storage === "manual") return defer(record, writes).then(() => void log.push(record));
      log.push(record);
      return Promise.resolve();
    },
    propose(request) {
      signals.push(request.signal);
      diary.push(`propose ${request.turn}.${request.step} [${request.messages.map(({ id }) => id)}]`);
      return defer(request, proposals);
    },
    runStep(request) {
      signals.push(request.signal);
      diary.push(`step ${request.turn}.${request.step} [${request.messages.map(({ id }) => id)}]`);
      return defer(request, steps);
    },
    onStatus: (status) => void diary.push(status),
    onError: (error) => void errors.push(error),
  };
  return { ports, proposals, steps, writes, log, diary, errors, signals };
}

/** Lets everything happen that is ready to happen. Longer than any chain of the host, and no clock in it. */
export async function drain(): Promise<void> {
  for (let left = 50; left > 0; left -= 1) await null;
}

/** Says whether a promise has settled by now. */
export async function isSettled(promise: Promise<unknown>): Promise<boolean> {
  let settled = false;
  promise.then(
    () => {
      settled = true;
    },
    () => {
      settled = true;
    },
  );
  await drain();
  return settled;
}

function defer<Request, Answer>(request: Request, calls: Call<Request, Answer>[]): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const leave = () => {
      const at = calls.indexOf(call);
      if (at >= 0) calls.splice(at, 1);
      return drain();
    };
    const call: Call<Request, Answer> = {
      request,
      resolve(answer) {
        resolve(answer);
        return leave();
      },
      reject(error) {
        reject(error);
        return leave();
      },
    };
    calls.push(call);
  });
}

function nameOf(record: AgentRecord): string {
  switch (record.type) {
    case "turn/start":
      return `start ${record.turn}`;
    case "turn/end":
      return `end ${record.turn} ${record.reason.kind}`;
    case "inbox/inserted":
      return `inserted ${record.message.id}`;
    case "inbox/removed":
      return `${record.outcome} ${record.id}`;
    case "inbox/restored":
      return `restored ${record.messages.map(({ id }) => id)}`;
    case "user/message":
      return `entered ${record.message.id}`;
  }
}
