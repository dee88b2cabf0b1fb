import { describeReason } from "../../sim/native/reasons.ts";
import { describeValue } from "../../sim/words.ts";
import { isThenable } from "../kit/thenable.ts";
import type { AgentUnderTest } from "./ports.ts";

/**
 * An agent whose `whenIdle()` returns a promise in any case: somebody else's may return nothing, or throw. What is wrong
 * goes to `complain`. All other methods are the agent's own, called on the agent itself.
 */
export function tamed(agent: AgentUnderTest, complain: (what: string) => void): AgentUnderTest {
  const { retract, dispose, runMaintenance } = agent;
  return {
    // A copy: what the agent writes into a message of its own must not change the script.
    send: (message) => agent.send({ ...message }),
    cancel: (cause, options) => agent.cancel(cause, options),
    whenIdle() {
      let answer: unknown;
      try {
        answer = agent.whenIdle();
      } catch (error) {
        complain(`expected whenIdle() to return a promise, and it threw: ${describeReason(error)}`);
        return Promise.resolve();
      }
      if (isThenable(answer)) return Promise.resolve(answer);
      complain(`expected whenIdle() to return a promise, found ${describeValue(answer)}`);
      return Promise.resolve();
    },
    ...(retract !== undefined && { retract: (id: string) => agent.retract?.(id) }),
    ...(dispose !== undefined && { dispose: () => agent.dispose?.() }),
    ...(runMaintenance !== undefined && {
      runMaintenance: (task: (signal: AbortSignal) => Promise<void>) => agent.runMaintenance?.(task),
    }),
  };
}
