import { type AgentPorts, createAgent } from "microloom/core";
import { expect, test } from "vitest";

test("a message sent while a stopped turn converges gets a turn of its own", async () => {
  const log: string[] = [];
  const answered: string[] = [];
  const ports: AgentPorts = {
    // Storage. Turn records are answered, notes only kept in order.
    append: async (record) => void log.push(record.type),
    // Which of the claimed messages enter the step.
    propose: async ({ messages }) => ({ kind: "enter", messages }),
    // One model call and its tools. A stop fires the signal; reject once everything is torn down.
    runStep: async ({ messages, signal }) => {
      await Promise.resolve();
      signal.throwIfAborted();
      for (const { id } of messages) answered.push(id);
      return "completed";
    },
  };
  const agent = createAgent(ports);
  agent.followUp("a", "first");
  agent.cancel("stop", { keepInbox: true });
  agent.followUp("b", "second");
  await agent.whenIdle();
  expect(answered).toContain("b");
  expect(log.filter((type) => type === "turn/end").length).toBe(log.filter((type) => type === "turn/start").length);
});
