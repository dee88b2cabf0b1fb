import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createAgent } from "../../core/agent/host.ts";
import type { AgentCommand } from "../../core/agent/state.ts";
import { explore } from "../../repro/explore.ts";
import { search } from "../../sim/search.ts";
import { wakeInClosing } from "./goals/messages.ts";
import { describeObservation, Recording } from "./history.ts";
import { someCommand, someInside, toScript } from "./ideas.ts";
import { InsideCommands } from "./inside.ts";
import type { AgentUnderTest } from "./ports.ts";
import { recordAgent, recordPorts } from "./recorder.ts";
import { agentScenario, coreAgents, parksLateWakes } from "./scenarios.ts";
import {
  cancel,
  type InsidePlace,
  type InsideStep,
  type OutsideStep,
  type Preset,
  presets,
  type Script,
  send,
} from "./script.ts";
import { describeScript } from "./scripts.ts";

// A campaign takes a while on a busy machine; how long says nothing about the agents.
const timeoutMs = 300_000;

/** An agent that keeps a list of what it was told, and ports that give it more from inside. */
function told() {
  const recording = new Recording();
  const inside = new InsideCommands(recording);
  const ports = recordPorts(
    recording,
    {
      append: () => undefined,
      propose: ({ messages }) => ({ kind: "enter", messages }),
      runStep: async () => "completed",
    },
    inside,
  );
  const under: AgentUnderTest = {
    send: () => {
      ports.onStatus("running");
      throw new Error("full");
    },
    cancel: () => Promise.reject(new Error("not now")),
    whenIdle: async () => {},
    retract: () => {},
  };
  const agent = recordAgent(recording, under);
  const lines = () => recording.observations.map(describeObservation);
  return { inside, ports, agent, lines };
}

describe("InsideCommands", () => {
  test("gives what is armed once, in the order of arming, inside the next call that tells of the place", async () => {
    const { inside, ports, agent, lines } = told();
    inside.arm("idle", () => agent.retract?.("a"));
    inside.arm("turn/end", () => agent.retract?.("b"));
    inside.arm("idle", () => agent.retract?.("c"));
    ports.onStatus("running");
    ports.onStatus("idle");
    ports.onStatus("idle");
    await Promise.resolve();
    expect(lines()).toEqual([
      "#0 running",
      "#1 idle",
      "#2 retract a from inside",
      "#3 #2 settled",
      "#4 retract c from inside",
      "#5 #4 settled",
      "#6 idle",
      "#7 the call around #2 has returned",
      "#8 the call around #4 has returned",
    ]);
  });

  test("is reached by records of turns, by claims and by cancellations, when the write is under way", async () => {
    const { inside, ports, agent, lines } = told();
    const a = { id: "a", ...presets.followUp };
    for (const place of ["turn/start", "turn/end", "claimed", "canceled"] as const)
      inside.arm(place, () => agent.retract?.(place));
    void ports.append({ type: "inbox/removed", id: "a", outcome: "claimed" });
    void ports.append({ type: "turn/start", turn: 1 });
    void ports.append({ type: "turn/end", turn: 1, reason: { kind: "completed" } });
    ports.onRemoved(a, "blocked");
    ports.onRemoved(a, "claimed");
    ports.onRemoved(a, "canceled");
    expect(lines().filter((line) => line.includes("retract"))).toEqual([
      "#3 retract turn/start from inside",
      "#7 retract turn/end from inside",
      "#12 retract claimed from inside",
      "#15 retract canceled from inside",
    ]);
  });

  test("takes what the agent throws or rejects there for a refusal, also where one is given inside another", async () => {
    const { inside, ports, agent, lines } = told();
    inside.arm("idle", () => agent.send({ id: "a", ...presets.followUp }));
    inside.arm("running", () => agent.cancel("stop", { keepInbox: true }));
    ports.onStatus("idle");
    await Promise.resolve();
    await Promise.resolve();
    expect(lines()).toEqual([
      "#0 idle",
      "#1 send a from inside",
      "#2 running",
      "#3 cancel stop, keeping the inbox from inside",
      "#4 #1 failed",
      "#5 the call around #1 has returned",
      "#6 the call around #3 has returned",
      "#7 #3 failed",
    ]);
  });
});

test("a step from inside that the agent has no method for is a mistake in the script", async () => {
  const script: Script = [{ type: "inside", at: "idle", do: { type: "dispose" } }];
  const small = agentScenario({ name: "small", make: () => ({ send() {}, cancel() {}, async whenIdle() {} }) });
  const running = search(small, { strategy: "first-come", script });
  await expect(running).rejects.toThrow('Cannot run the step "dispose": the agent has no method for it');
});

test("source-DPOR knows that a port call depends on what was armed for it", async () => {
  const script: Script = [send("a"), { type: "inside", at: "turn/end", do: sends("b", "followUp") }];
  for (const strategy of ["dpor", "depth-first"] as const) {
    const scenario = agentScenario({ name: "core", make: (ports) => createAgent(ports), goals: [wakeInClosing] });
    const result = await search(scenario, { strategy, executions: 1_000, script });
    expect(result).toMatchObject({ outcome: "held", certificate: {}, mistaken: [] });
    if (result.outcome !== "held") continue;
    expect(result.reached.goals[wakeInClosing.name]).toBeGreaterThan(0);
  }
});

test("shrinking takes away how the outside is, and takes a command out of the call that it was given in", async () => {
  const script: Script = [
    { type: "outside", chunks: 2, slow: ["turn-records"], decides: true },
    send("a"),
    cancel("stop", { keepInbox: true }),
    { type: "inside", at: "turn/end", do: sends("b", "followUp") },
  ];
  const result = await explore(parksLateWakes, { strategy: "placement", executions: 300, seed: "0", script });
  expect(result).toMatchObject({
    outcome: "violated",
    violation: { name: "agent/no-dropped-wake" },
    repro: { script: [send("a"), cancel("stop", { keepInbox: true }), send("b")] },
  });
});

const places: readonly InsidePlace[] = ["turn/start", "turn/end", "claimed", "canceled", "running", "idle"];
const sends = (id: string, preset: Preset): AgentCommand => ({ type: "send", message: { id, ...presets[preset] } });
const commands: readonly AgentCommand[] = [
  ...(["followUp", "steer", "inject", "queue"] as const).map((preset) => sends("x", preset)),
  { type: "retract", id: "b" },
  { type: "cancel", cause: "inner", keepInbox: true },
  { type: "cancel", cause: "inner", keepInbox: false },
  { type: "dispose" },
  { type: "maintain", activity: "compact" },
];
const slowly: OutsideStep = { type: "outside", slow: ["turn-records"], mayFail: ["turn-records"], decides: true };

/** Each command at each place, in a story that gets to all of them, and a second one right behind it. */
const pairs: readonly Script[] = places.flatMap((at) =>
  commands.flatMap((command): readonly Script[] => {
    const step: InsideStep = { type: "inside", at, do: command };
    const stopped = [send("a"), cancel("stop", { keepInbox: true }), send("b"), { type: "retract", id: "a" } as const];
    return [
      [slowly, step, ...stopped],
      [
        step,
        { type: "inside", at, do: sends("y", "followUp") },
        send("a"),
        send("b"),
        cancel("stop", { keepInbox: false }),
      ],
      [{ type: "maintain", activity: "first" }, step, ...stopped],
    ];
  }),
);

const heavy = fc
  .array(fc.oneof({ weight: 3, arbitrary: someInside([]) }, { weight: 2, arbitrary: someCommand([]) }), {
    minLength: 3,
    maxLength: 7,
    size: "max",
  })
  .map((ideas): Script => [slowly, ...toScript([{ type: "send", preset: "followUp" }, ...ideas])]);

async function violated(script: Script, turn: number, executions: number): Promise<string | null> {
  for (const level of ["spec", "jitter"] as const) {
    // Each script under one policy after the other.
    const scenario = coreAgents[turn % coreAgents.length];
    if (scenario === undefined) throw new Error("Expected the core under every policy, found no scenario");
    const options = { level, strategy: "random", executions, script } as const;
    const result = await search(scenario, { ...options, seed: describeScript(script) });
    if (result.outcome === "violated")
      return `${scenario.name} at ${level}, ${describeScript(script)}: ${result.violation.name}: ${result.violation.detail}`;
    if (result.outcome !== "held") return `${result.outcome}: ${result.detail}`;
  }
  return null;
}

test(
  "the core holds with every command from inside every call of its ports, under every policy",
  async () => {
    for (const [index, script] of pairs.entries()) expect(await violated(script, index, 8)).toBeNull();
  },
  timeoutMs,
);

test(
  "the core holds with many commands from inside, under every policy",
  async () => {
    const scripts = fc.sample(heavy, { seed: 1838, numRuns: 10 });
    for (const script of scripts)
      for (let policy = 0; policy < coreAgents.length; policy++) expect(await violated(script, policy, 10)).toBeNull();
  },
  timeoutMs,
);
