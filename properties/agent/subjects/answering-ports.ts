/** Ports that always answer: a call that throws or rejects has an answer of its own, and is never an error of the driver. */
import type { Decision, Note, TurnRecord } from "../../../core/agent/state.ts";
import type { AgentPorts, StepCall, StepOutcome } from "../ports.ts";

export class AnsweringPorts {
  readonly #ports: AgentPorts;

  constructor(ports: AgentPorts) {
    this.#ports = ports;
  }

  /** Tells whether the record has landed. */
  async append(record: TurnRecord | Note): Promise<boolean> {
    try {
      await this.#ports.append(record);
      return true;
    } catch {
      return false;
    }
  }

  async propose(step: StepCall): Promise<Decision> {
    try {
      return await this.#ports.propose(step);
    } catch {
      return { kind: "failed" };
    }
  }

  async runStep(step: StepCall): Promise<StepOutcome | "failed"> {
    try {
      return await this.#ports.runStep(step);
    } catch {
      return "failed";
    }
  }
}
