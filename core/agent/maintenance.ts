import { callback } from "../shape.ts";
import { ask, unchecked } from "./ask.ts";
import { AgentBusyError } from "./ports.ts";
import type { AgentInput, AgentStep } from "./state.ts";

export type MaintenanceTask = (signal: AbortSignal) => Promise<void>;

/** Runs tasks that have the agent for themselves. `take` hands an input to the reducer. */
export function createMaintenance(take: (input: AgentInput) => AgentStep) {
  // Between the claim and the effect an observer may do anything, so a task waits here under its activity's name.
  const tasks = new Map<string, (signal: AbortSignal) => void>();
  let activities = 0;

  return {
    start(activity: string, signal: AbortSignal): void {
      tasks.get(activity)?.(signal);
    },

    run(task: MaintenanceTask): Promise<void> {
      const done = new Promise<void>((resolve, reject) => {
        callback("task", task);
        activities += 1;
        const activity = `maintenance ${activities}`;
        const over = (settle: () => void) => {
          tasks.delete(activity);
          take({ type: "maintained", activity });
          settle();
        };
        const failed = (error: unknown) => over(() => reject(error));
        tasks.set(activity, (signal) =>
          ask(
            () => task(signal),
            unchecked,
            () => over(resolve),
            failed,
          ),
        );
        const [first] = take({ type: "maintain", activity }).effects;
        if (first?.type !== "refused") return;
        tasks.delete(activity);
        reject(new AgentBusyError(first.reason));
      });
      // A caller that does not wait has not asked to hear of it: no unhandled rejection.
      done.catch(unchecked);
      return done;
    },
  };
}
