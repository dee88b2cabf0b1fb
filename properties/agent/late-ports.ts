import type { LatePorts } from "../kit/fixture.ts";
import type { AgentPorts } from "./ports.ts";

/** Ports for an agent that is made before its execution begins: until then a record has landed at once, and nobody looks. */
export function lateAgentPorts(): LatePorts<AgentPorts> {
  let to: AgentPorts = early;
  return {
    ports: {
      append: (record) => to.append(record),
      propose: (step) => to.propose(step),
      runStep: (step) => to.runStep(step),
      onStatus: (status) => to.onStatus(status),
      onRemoved: (message, outcome) => to.onRemoved(message, outcome),
    },
    bind(ports) {
      to = ports ?? early;
    },
  };
}

const early: AgentPorts = {
  append: () => Promise.resolve(),
  propose: ({ messages }) => Promise.resolve({ kind: "enter", messages }),
  runStep: () => Promise.resolve("completed"),
  onStatus: () => undefined,
  onRemoved: () => undefined,
};
