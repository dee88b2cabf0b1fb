import { callback } from "../shape.ts";
import type { AgentErrorSource, AgentPorts, AgentStatus } from "./ports.ts";
import type { AgentRecord, Message } from "./state.ts";

/**
 * Whom the host tells. An observer that throws never disturbs the agent: its error goes to `ports.onError`, or surfaces
 * as an uncaught one in a microtask of its own. Errors of ports go to `ports.onError` only, the log has them anyway.
 */
export function createObservers(ports: AgentPorts) {
  const status = createTopic<AgentStatus>(guard);
  // The port is the first to hear of it.
  status.on((now) => ports.onStatus?.(now));

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
    status,
    record: createTopic<AgentRecord>(guard),
    stop: createTopic<string>(guard),
    removed: (message: Message, outcome: "claimed" | "canceled" | "blocked") =>
      guard(() => ports.onRemoved?.(message, outcome)),
  };
}

/** What listeners subscribe to. `guard` calls one of them, and lives with its error. */
function createTopic<T>(guard: (observer: () => void) => void) {
  const listeners = new Set<(value: T) => void>();
  return {
    tell(value: T): void {
      // A copy: who subscribes while being told hears of the next event.
      for (const listener of [...listeners]) guard(() => listener(value));
    },
    on(listener: (value: T) => void): () => void {
      callback("listener", listener);
      // A wrapper of its own, so that one function may listen twice and stop once.
      const call = (value: T) => listener(value);
      listeners.add(call);
      return () => void listeners.delete(call);
    },
  };
}
