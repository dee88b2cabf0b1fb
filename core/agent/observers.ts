import { callback, check } from "../shape.ts";
import { attempt } from "./ask.ts";
import type { AgentErrorSource, AgentPorts } from "./ports.ts";

/**
 * Whom the host tells. An observer that throws never disturbs the agent: its error goes to `ports.onError`, or surfaces
 * as an uncaught one in a microtask of its own. Errors of ports go to `ports.onError` only, the log has them anyway.
 */

/** Tells what went wrong in a port or an observer. Never throws. */
export type Report = (error: unknown, source: AgentErrorSource) => void;

export function createReport(ports: AgentPorts): Report {
  return (error, source) =>
    attempt(
      () => {
        if (ports.onError) ports.onError(error, source);
        else if (source === "observer") throw error;
      },
      (uncaught) =>
        queueMicrotask(() => {
          throw uncaught;
        }),
    );
}

/** What listeners subscribe to; `report` hears of the errors they throw. */
export function createTopic<T>(report: Report) {
  // Replaced, never changed: who subscribes while being told hears of the next event.
  let listeners: readonly ((value: T) => void)[] = [];
  return {
    tell(value: T): void {
      for (const listener of listeners) {
        attempt(
          () => listener(value),
          (error) => report(error, "observer"),
        );
      }
    },
    on(listener: (value: T) => void): () => void {
      check("listener", listener, callback);
      // A wrapper of its own, so that one function may listen twice and stop once.
      const call = (value: T) => listener(value);
      listeners = [...listeners, call];
      return () => {
        listeners = listeners.filter((other) => other !== call);
      };
    },
  };
}
