import { callback, check } from "../shape.ts";
import { ask } from "./ask.ts";
import { AgentBusyError, type Receipt } from "./ports.ts";
import type { AgentInput } from "./state.ts";

export type MaintenanceTask = (signal: AbortSignal) => Promise<void>;

/**
 * Makes the way to run tasks that have the agent for themselves. `take` hands an input to the reducer. Between the claim
 * and the effect an observer may do anything, so a task waits in `tasks`; it is the only one there, because whoever
 * comes in between is refused and leaves at once.
 */
export function createMaintenance(take: (input: AgentInput) => Receipt, tasks: ((signal: AbortSignal) => void)[]) {
  let activities = 0;

  return (task: MaintenanceTask): Promise<void> => {
    const done = new Promise<void>((resolve, reject) => {
      check("task", task, callback);
      activities += 1;
      const activity = `maintenance ${activities}`;
      const over = () => take({ type: "maintained", activity });
      tasks.push((signal) =>
        ask(
          () => task(signal),
          () => {
            over();
            resolve();
          },
          (error) => {
            over();
            reject(error);
          },
        ),
      );
      const receipt = take({ type: "maintain", activity });
      if (receipt.outcome !== "refused") return;
      tasks.pop();
      reject(new AgentBusyError(receipt.reason));
    });
    // A caller that does not wait has not asked to hear of it: no unhandled rejection.
    done.catch(() => {});
    return done;
  };
}
