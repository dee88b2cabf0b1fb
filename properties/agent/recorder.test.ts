import { expect, test } from "vitest";
import { createAgent } from "../../core/agent/host.ts";
import type { Message } from "../../core/agent/state.ts";
import { describeObservation, Recording } from "./history.ts";
import type { AgentUnderTest } from "./ports.ts";
import { type OutsidePorts, recordAgent, recordPorts } from "./recorder.ts";

const a: Message = { id: "a", lane: "next-turn", wake: true };

/** An outside that answers at once, but for the step. */
function outside(runStep: OutsidePorts["runStep"]): OutsidePorts {
  return { append: () => undefined, propose: ({ messages }) => ({ kind: "enter", messages }), runStep };
}

test("recordPorts() and recordAgent() write down what passes between an agent and its outside", async () => {
  const recording = new Recording();
  const ports = recordPorts(
    recording,
    outside(async () => "completed"),
  );
  const agent = recordAgent(recording, createAgent(ports));
  agent.send(a);
  await agent.whenIdle();
  expect(recording.observations.map(describeObservation)).toMatchInlineSnapshot(`
    [
      "#0 send a",
      "#1 append inbox/inserted",
      "#2 #1 settled",
      "#3 running",
      "#4 #0 settled",
      "#5 whenIdle()",
      "#6 append turn/start 1",
      "#7 #6 settled",
      "#8 append inbox/removed",
      "#9 #8 settled",
      "#10 a is claimed",
      "#11 propose 1.1 [a]",
      "#12 #11 settled",
      "#13 append user/message",
      "#14 #13 settled",
      "#15 run-step 1.1 [a]",
      "#16 #15 completed",
      "#17 append turn/end 1 completed",
      "#18 #17 settled",
      "#19 idle",
      "#20 #5 settled",
    ]
  `);
});

test("recordPorts() writes down an abort before the call has settled, and none after", async () => {
  const recording = new Recording();
  const ports = recordPorts(
    recording,
    outside(({ signal }) => new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason)))),
  );
  const controller = new AbortController();
  const step = ports.runStep({ turn: 1, step: 1, messages: [a], signal: controller.signal });
  controller.abort("stop");
  await expect(step).rejects.toBe("stop");
  const done = recordPorts(
    recording,
    outside(async () => "completed"),
  );
  const other = new AbortController();
  await done.runStep({ turn: 1, step: 2, messages: [], signal: other.signal });
  other.abort("stop");
  expect(recording.observations.map(describeObservation)).toEqual([
    "#0 run-step 1.1 [a]",
    "#1 the signal of #0 is aborted",
    "#2 #0 failed",
    "#3 run-step 1.2 []",
    "#4 #3 completed",
  ]);
});

test("recordAgent() tells a send that throws, or rejects, from one that was accepted", async () => {
  const recording = new Recording();
  const whenIdle = async () => {};
  const cancel = () => {};
  const throws: AgentUnderTest = {
    send: () => {
      throw new Error("full");
    },
    cancel,
    whenIdle,
  };
  const rejects: AgentUnderTest = { send: () => Promise.reject(new Error("full")), cancel, whenIdle };
  expect(() => recordAgent(recording, throws).send(a)).toThrow("full");
  await expect(recordAgent(recording, rejects).send(a)).rejects.toThrow("full");
  expect(recording.observations.map(describeObservation)).toEqual([
    "#0 send a",
    "#1 #0 failed",
    "#2 send a",
    "#3 #2 failed",
  ]);
});

test("recordAgent() leaves out what the agent does not offer", () => {
  const agent = recordAgent(new Recording(), { send: () => {}, cancel: () => {}, whenIdle: async () => {} });
  expect([agent.retract, agent.dispose, agent.maintain]).toEqual([undefined, undefined, undefined]);
});
