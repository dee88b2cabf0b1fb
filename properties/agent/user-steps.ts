/** From the user's part of a script to deliveries: each step is one, and gives its command to the agent. */
import type { AgentCommand } from "../../core/agent/state.ts";
import { type EventStep, ScenarioError, type World } from "../../sim/scenario.ts";
import type { InsideCommands } from "./inside.ts";
import type { Outside } from "./outside.ts";
import type { RecordedAgent } from "./recorder.ts";
import { labelOf, type UserStep } from "./script.ts";

export type Given = {
  readonly world: World;
  readonly agent: RecordedAgent;
  readonly outside: Outside;
  readonly inside: InsideCommands;
  /** The model may hang for ever: then nobody can require that every wait ends, and an invariant says which must. */
  readonly hangs: boolean;
  /** What the agent refuses by an error is judged by an invariant, and ends nothing. */
  readonly mayRefuse?: boolean;
};

/** Each step a delivery; after an `await` the user's next steps wait until it has settled, as code after it would. */
export function userSteps(given: Given, script: readonly UserStep[]): readonly EventStep[] {
  const { world, agent, hangs } = given;
  let waiting: Promise<unknown> | null = null;
  return script.map((step): EventStep => {
    const act = () => {
      if (step.type === "await") {
        const from: Promise<unknown> = waiting ?? Promise.resolve();
        const wait = waiting === null ? agent.whenIdle() : from.then(() => agent.whenIdle());
        waiting = hangs ? wait : world.settles(labelOf(step), wait);
        return undefined;
      }
      return waiting === null ? perform(given, step) : waiting.then(() => perform(given, step));
    };
    // Maintenance is refused while a turn runs, and says so by rejecting; the task rejects when it was stopped.
    return [labelOf(step), act, { mayReject: step.type === "maintain" || given.mayRefuse === true, touches: {} }];
  });
}

function perform(given: Given, step: Exclude<UserStep, { readonly type: "await" }>): unknown {
  if (step.type !== "inside") return give(given, step);
  // A step that this agent cannot take is a mistake in the script, and no refusal.
  mustOffer(given.agent, step.do);
  given.inside.arm(step.at, () => give(given, step.do));
  return undefined;
}

function give({ agent, outside }: Given, command: AgentCommand): unknown {
  switch (command.type) {
    case "send": {
      const answer = agent.send(command.message);
      // Somebody who sends waits for the answer: whether that wait ends, and when, is checked by an invariant.
      void agent.whenIdle();
      return answer;
    }
    case "cancel":
      return agent.cancel(command.cause, { keepInbox: command.keepInbox });
    case "retract":
      return offered(agent.retract, command.type)(command.id);
    case "dispose":
      return offered(agent.dispose, command.type)();
    case "maintain":
      return offered(agent.maintain, command.type)(command.activity, (signal) => outside.maintenance(signal));
  }
}

function mustOffer(agent: RecordedAgent, { type }: AgentCommand): void {
  if (type === "retract" || type === "dispose" || type === "maintain") offered(agent[type], type);
}

function offered<Method>(method: Method | undefined, type: string): Method {
  if (method === undefined) {
    throw new ScenarioError(
      `Cannot run the step "${type}": the agent has no method for it; take the step out of the script`,
    );
  }
  return method;
}
