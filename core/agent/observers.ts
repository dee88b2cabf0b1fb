import { checkType } from "./input.ts";
import type { AgentErrorSource, AgentPorts, AgentStatus } from "./ports.ts";
import type { AgentRecord, Message } from "./state.ts";

/**
 * Whom the host tells. An observer that throws never disturbs the agent: its error goes to `ports.onError`, or surfaces
 * as an uncaught one in a microtask of its own. Errors of ports go to `ports.onError` only, the log has them anyway.
 */
export function createObservers(ports: AgentPorts) {
  const status = createTopic<AgentStatus>();
  const record = createTopic<AgentRecord>();
  const stop = createTopic<string>();

  function tell<T>(topic: Topic<T>, value: T): void {
    // A copy: who subscribes while being told hears of the next event.
    for (const listener of [...topic]) guard(() => listener(value));
  }

  function guard(observer: () => void): void {
    try {
      observer();
    } catch (error) {
      report(error, "observer");
    }
  }

  function report(error: unknown, source: AgentErrorSource): void {
    try {
      if (ports.onError !== undefined) ports.onError(error, source);
      else if (source === "observer") throw error;
    } catch (uncaught) {
      queueMicrotask(() => {
        throw uncaught;
      });
    }
  }

  return {
    report,
    status(now: AgentStatus) {
      guard(() => ports.onStatus?.(now));
      tell(status, now);
    },
    record: (written: AgentRecord) => tell(record, written),
    stop: (cause: string) => tell(stop, cause),
    removed: (message: Message, outcome: "claimed" | "canceled" | "blocked") =>
      guard(() => ports.onRemoved?.(message, outcome)),
    onStatus: (listener: (status: AgentStatus) => void) => subscribe(status, listener),
    onRecord: (listener: (record: AgentRecord) => void) => subscribe(record, listener),
    onStop: (listener: (cause: string) => void) => subscribe(stop, listener),
  };
}

type Topic<T> = Set<(value: T) => void>;

function createTopic<T>(): Topic<T> {
  return new Set();
}

function subscribe<T>(topic: Topic<T>, listener: (value: T) => void): () => void {
  checkType("listener", listener, "function");
  // A wrapper of its own, so that one function may listen twice and stop once.
  const call = (value: T) => listener(value);
  topic.add(call);
  return () => void topic.delete(call);
}
