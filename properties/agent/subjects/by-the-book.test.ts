/** The right one in the hands of observers that give commands, and of ports that fail before they return. */
import { expect, test } from "vitest";
import type { AgentCommand } from "../../../core/agent/state.ts";
import { search } from "../../../sim/search.ts";
import type { AgentPorts } from "../ports.ts";
import { agentScenario } from "../scenarios.ts";
import { cancel, type InsidePlace, lateWake, presets, type Script, send } from "../script.ts";
import { ByTheBook } from "./by-the-book.ts";

const places: readonly InsidePlace[] = ["running", "turn/start", "claimed", "canceled", "turn/end", "idle"];
const commands: readonly AgentCommand[] = [
  { type: "send", message: { id: "x", ...presets.followUp } },
  { type: "send", message: { id: "x", ...presets.steer } },
  { type: "send", message: { id: "x", ...presets.inject } },
  { type: "retract", id: "b" },
  { type: "cancel", cause: "halt", keepInbox: true },
  { type: "cancel", cause: "halt", keepInbox: false },
  { type: "dispose" },
  { type: "maintain", activity: "compact" },
];
const clearing: Script = [send("a"), send("b"), cancel("stop", { keepInbox: false }), send("c")];

const slow = agentScenario({
  name: "by the book, in a slow world",
  make: (ports) => new ByTheBook(ports),
  slow: ["turn-records", "proposals"],
});

for (const place of places) {
  test(`ByTheBook takes every command from inside ${place}`, { timeout: 300_000 }, async () => {
    for (const command of commands) {
      for (const script of place === "canceled" ? [clearing] : [clearing, lateWake]) {
        const armed: Script = [{ type: "inside", at: place, do: command }, ...script];
        const result = await search(slow, { strategy: "random", executions: 10, script: armed });
        expect([command, result.outcome === "violated" ? result.violation : result.outcome]).toEqual([command, "held"]);
      }
    }
  });
}

test("ByTheBook starts over for what is sent while a failed turn closes", async () => {
  const failing = agentScenario({
    name: "by the book, with a model that fails",
    make: (ports) => new ByTheBook(ports),
    slow: ["turn-records"],
    plan: () => ({ tools: [], outcome: "failed" }),
  });
  const result = await search(failing, { strategy: "depth-first", executions: 1_000, script: [send("a"), send("b")] });
  expect(result).toMatchObject({ outcome: "held", certificate: { of: "orders" } });
});

test("ByTheBook has steering queue up that comes while an old end is written", async () => {
  const refused: Script = [
    { type: "write-failed", record: { type: "turn/end", turn: 1, reason: { kind: "completed" } } },
    ...[send("a"), send("b"), send("c", "steer")],
  ];
  const result = await search(slow, { executions: 200, script: refused });
  expect(result.outcome === "violated" ? result.violation : result.outcome).toBe("held");
});

type Refusal = keyof AgentPorts | "turn/start" | "turn/end";

/** Ports that answer at once, but for the one that throws, so many times. */
function throwing(port: Refusal, times: number) {
  const log: string[] = [];
  let left = times;
  const tell = (at: readonly Refusal[], line: string) => {
    if (at.includes(port) && left > 0) {
      left -= 1;
      throw new Error(`${port} is broken`);
    }
    log.push(line);
  };
  const ports: AgentPorts = {
    append(record) {
      const { type } = record;
      if (type === "turn/start" || type === "turn/end") {
        tell(
          ["append", type],
          type === "turn/end" ? `end ${record.turn} ${record.reason.kind}` : `start ${record.turn}`,
        );
      }
      return Promise.resolve();
    },
    propose({ messages }) {
      tell(["propose"], `propose ${messages.map(({ id }) => id)}`);
      return Promise.resolve({ kind: "enter", messages });
    },
    runStep({ messages }) {
      tell(["runStep"], `run ${messages.map(({ id }) => id)}`);
      return Promise.resolve("completed");
    },
    onStatus: (status) => tell(["onStatus"], status),
    onRemoved: ({ id }, outcome) => tell(["onRemoved"], `${id} ${outcome}`),
  };
  return { log, ports };
}

/** What is told when a is sent, and b when that has come to rest. */
async function told(port: Refusal, times: number): Promise<readonly string[]> {
  const { log, ports } = throwing(port, times);
  const agent = new ByTheBook(ports);
  for (const id of ["a", "b"]) {
    agent.send({ id, ...presets.followUp });
    await agent.whenIdle();
  }
  return log;
}

const turn = (number: number, id: string) => [
  ...[`start ${number}`, `${id} claimed`, `propose ${id}`, `run ${id}`, `end ${number} completed`],
];

test("ByTheBook writes a refused record first, however often it is refused", async () => {
  const both = ["start 1", "a claimed", "propose a", "run a", "end 1 completed", ...turn(2, "b")];
  expect(await told("turn/start", 1)).toEqual(["running", "idle", "running", ...both, "idle"]);
  expect(await told("turn/start", 2)).toEqual(["running", "idle", "running", "idle"]);
  expect(await told("turn/end", 1)).toEqual([
    ...["running", ...turn(1, "a").slice(0, -1), "idle"],
    ...["running", "end 1 completed", ...turn(2, "b"), "idle"],
  ]);
});

test("ByTheBook fails the turn of a proposal or a step that throws, and goes on", async () => {
  const after = ["idle", "running", ...turn(2, "b"), "idle"];
  expect(await told("propose", 1)).toEqual(["running", "start 1", "a claimed", "a blocked", "end 1 failed", ...after]);
  expect(await told("runStep", 1)).toEqual([
    ...["running", "start 1", "a claimed", "propose a", "end 1 failed"],
    ...after,
  ]);
});

test("ByTheBook goes on where an observer throws", async () => {
  const everything = ["running", ...turn(1, "a"), "idle", "running", ...turn(2, "b"), "idle"];
  expect(await told("onStatus", 100)).toEqual(everything.filter((line) => line !== "running" && line !== "idle"));
  expect(await told("onRemoved", 100)).toEqual(everything.filter((line) => !line.includes("claimed")));
});

test("ByTheBook tells what a command from inside causes after what it is telling", async () => {
  const { log, ports } = throwing("append", 0);
  const agent = new ByTheBook({
    ...ports,
    onStatus(status) {
      log.push(`${status} begins`);
      if (status === "idle" && !log.includes("run b")) agent.send({ id: "b", ...presets.followUp });
      log.push(`${status} ends`);
    },
  });
  agent.send({ id: "a", ...presets.followUp });
  await agent.whenIdle();
  await agent.whenIdle();
  const from = log.indexOf("idle begins");
  expect(log.slice(from, from + 5)).toEqual(["idle begins", "idle ends", "running begins", "running ends", "start 2"]);
});

test("ByTheBook gives back what it has claimed, where a stop comes before it enters", async () => {
  const { log, ports } = throwing("append", 0);
  const agent = new ByTheBook({
    ...ports,
    propose(step) {
      if (step.turn === 1) agent.cancel("stop", { keepInbox: true });
      return ports.propose(step);
    },
  });
  agent.send({ id: "a", ...presets.followUp });
  await agent.whenIdle();
  expect(log.splice(0)).toEqual(["running", "start 1", "a claimed", "propose a", "end 1 aborted", "idle"]);
  agent.send({ id: "b", ...presets.followUp });
  await agent.whenIdle();
  expect(log).toEqual(["running", ...turn(2, "a"), ...turn(3, "b"), "idle"]);
});

test("ByTheBook lets in what the proposal adds, and leaves out what is pending", async () => {
  const { log, ports } = throwing("append", 0);
  const [b, c] = [
    { id: "b", ...presets.queue },
    { id: "c", ...presets.inject },
  ];
  const agent = new ByTheBook({
    ...ports,
    propose: async ({ turn: number, messages }) => ({
      kind: "enter",
      messages: number === 1 ? [...messages, b, c] : [],
    }),
  });
  agent.send({ id: "a", ...presets.followUp });
  agent.send(b);
  await agent.whenIdle();
  expect(log).toEqual([
    ...["running", "start 1", "a claimed", "run a,c", "end 1 completed"],
    ...["start 2", "b claimed", "b blocked", "end 2 completed", "idle"],
  ]);
});

test("ByTheBook runs no step once whoever is told of a blocked message has stopped it", async () => {
  const { log, ports } = throwing("append", 0);
  const agent = new ByTheBook({
    ...ports,
    propose: async ({ messages }) => ({ kind: "enter", messages: messages.slice(1) }),
    onRemoved(message, outcome) {
      ports.onRemoved(message, outcome);
      if (outcome === "blocked") agent.cancel("stop", { keepInbox: true });
    },
  });
  agent.send({ id: "a", ...presets.inject });
  agent.send({ id: "b", ...presets.followUp });
  await agent.whenIdle();
  expect(log).toEqual(["running", "start 1", "a claimed", "b claimed", "a blocked", "end 1 aborted", "idle"]);
});
