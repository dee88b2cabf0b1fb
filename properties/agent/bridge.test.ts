/**
 * The bridge down: in every order of these situations the host of the agent does what its reducer says. Together they
 * give every input of the table and have every effect decided. Hosts with a planted fault show that the follower looks.
 */
import { describe, expect, test } from "vitest";
import { createAgent } from "../../core/agent/host.ts";
import type { Agent, AgentPorts } from "../../core/agent/ports.ts";
import { restore } from "../../core/agent/restore.ts";
import type { AgentEffect, AgentInput, AgentRecord, Decision, StepOutcome } from "../../core/agent/state.ts";
import { type Scenario, scenario, type World } from "../../sim/scenario.ts";
import { certifyAll, firstViolation } from "../testing/certify-all.ts";
import { type FollowOptions, followed } from "./bridge.ts";
import { presets } from "./script.ts";

/** Every input and effect, by type; with what tells two of one type apart. */
const inputs: Readonly<Record<AgentInput["type"], readonly string[]>> = {
  send: ["followUp", "steer", "inject", "queue"],
  retract: [""],
  cancel: ["keep", "clear"],
  dispose: [""],
  maintain: [""],
  maintained: [""],
  written: ["turn/start", "turn/end"],
  "write-failed": ["turn/start", "turn/end"],
  proposed: ["enter", "reject", "failed"],
  stepped: ["continue", "completed", "max-tokens", "failed"],
};
const removals = ["claimed", "canceled", "blocked"].map((outcome) => `inbox/removed ${outcome}`);
const effects: Readonly<Record<AgentEffect["type"], readonly string[]>> = {
  status: ["running", "idle"],
  append: ["turn/start", "turn/end", "inbox/inserted", ...removals, "inbox/restored", "user/message"],
  propose: [""],
  "run-step": [""],
  abort: [""],
  "run-maintenance": [""],
  quiescent: [""],
  disposed: [""],
  fault: ["turn/start", "turn/end"],
  refused: ["duplicate-id", "not-pending", "disposed", "busy", "unwritten", "still-pending"],
  // A host that answers each request once has nothing stale to say: the follower takes it for a divergence.
  stale: [],
};
const goals = [
  ...Object.entries(inputs).flatMap(([type, details]) => details.map((detail) => `takes ${type} ${detail}`)),
  ...Object.entries(effects).flatMap(([type, details]) => details.map((detail) => `decides ${type} ${detail}`)),
];

function inputWord(input: AgentInput): string {
  switch (input.type) {
    case "send": {
      const { lane, wake } = input.message;
      const preset = Object.entries(presets).find(([, one]) => one.lane === lane && one.wake === wake);
      return `takes send ${preset?.[0]}`;
    }
    case "cancel":
      return `takes cancel ${input.keepInbox ? "keep" : "clear"}`;
    case "written":
    case "write-failed":
      return `takes ${input.type} ${input.record.type}`;
    case "proposed":
      return `takes proposed ${input.decision.kind}`;
    case "stepped":
      return `takes stepped ${input.outcome}`;
    default:
      return `takes ${input.type} `;
  }
}

function effectWord(effect: AgentEffect): string {
  switch (effect.type) {
    case "status":
      return `decides status ${effect.status}`;
    case "append": {
      const { record } = effect;
      return `decides append ${record.type}${record.type === "inbox/removed" ? ` ${record.outcome}` : ""}`;
    }
    case "fault":
      return `decides fault ${effect.record.type}`;
    case "refused":
      return `decides refused ${effect.reason}`;
    default:
      return `decides ${effect.type} `;
  }
}

type Slow = "turn records" | "proposals";
type Situation = Omit<FollowOptions, "ports" | "onStep"> & {
  readonly ports?: Partial<AgentPorts>;
  readonly slow?: readonly Slow[];
};

/** An agent whose ports answer at once, but for the model and what is slow, and a follower that counts towards the goals. */
function agentIn(world: World, { ports = {}, slow = [], ...options }: Situation = {}): Agent {
  const reached = new Set<string>();
  for (const goal of goals) world.sometimes(goal, () => reached.has(goal));
  return followed(world, {
    ...options,
    ports: { ...plainPorts(world, slow), ...ports },
    onStep(input, decided) {
      reached.add(inputWord(input));
      for (const effect of decided) reached.add(effectWord(effect));
    },
  });
}

function plainPorts(world: World, slow: readonly Slow[]): AgentPorts {
  const isSlow = ({ type }: AgentRecord) => type.startsWith("turn/") && slow.includes("turn records");
  return {
    append: async (record) => (isSlow(record) ? world.io(`agent:${record.type}`, () => undefined) : undefined),
    async propose({ messages }) {
      if (slow.includes("proposals")) await world.io("agent:propose", () => undefined);
      return { kind: "enter", messages };
    },
    // A step that was stopped is torn down for as long as the model takes, and then rejects.
    async runStep({ signal }) {
      await world.io("agent:model", () => undefined);
      signal.throwIfAborted();
      return "completed";
    },
  };
}

const keep = { keepInbox: true };
const clear = { keepInbox: false };
const broken = new Error("broken");
const never = new Promise<never>(() => {});
/** Says what none of the types allows, as a caller without types may. */
const garbage = JSON.parse('{ "kind": "garbage" }');
const presetNames = ["followUp", "steer", "inject", "queue"] as const;

const sends = scenario("messages of every preset", (world) => {
  const agent = agentIn(world);
  const first = world.choose("first", presetNames);
  const second = world.choose("second", presetNames);
  world.events("user", [
    ["send a", () => void agent[first]("a")],
    [
      "send b and c",
      () => {
        agent[second]("b");
        agent.followUp("c");
      },
    ],
  ]);
});

const retracts = (make = createAgent) =>
  scenario("retracts", (world) => {
    const agent = agentIn(world, { make });
    world.events("user", [
      ["send a", () => void agent.followUp("a")],
      [
        "send b, twice",
        () => {
          agent.queue("b");
          agent.steer("b");
        },
      ],
      [
        "retract b, twice",
        () => {
          agent.retract("b");
          agent.retract("b");
        },
      ],
    ]);
  });

const stops = (make = createAgent) =>
  scenario("stops in every stage, and a wake behind them", (world) => {
    const parking = world.choose("parking", ["unlatched", "all"] as const);
    const agent = agentIn(world, { make, policy: { parking }, slow: ["turn records", "proposals"] });
    const how = world.choose("stop", [keep, clear]);
    world.events("user", [
      ["send a", () => void agent.followUp("a")],
      ["stop", () => agent.cancel("stop", how)],
      ["send b", () => void agent.steer("b")],
    ]);
  });

const secondStops = scenario("a second stop", (world) => {
  const agent = agentIn(world);
  const [first, second] = world.choose("stops", [
    [keep, clear],
    [clear, keep],
    [keep, keep],
  ] as const);
  world.events("user", [
    ["send a", () => void agent.followUp("a")],
    [
      "stop and send b",
      () => {
        agent.cancel("stop", first);
        agent.followUp("b");
      },
    ],
    ["stop again", () => agent.cancel("again", second)],
  ]);
});

const disposals = scenario("a dispose, and what is sent after it", (world) => {
  const agent = agentIn(world, { slow: ["turn records"] });
  void agent.whenIdle();
  world.events("user", [
    ["send a", () => void agent.followUp("a")],
    ["dispose", () => agent.dispose()],
    ["send b", () => void agent.followUp("b")],
    [
      "maintain and dispose",
      () => {
        agent.runMaintenance(() => world.delay("maintenance")).catch(() => {});
        agent.dispose();
        void agent.whenIdle();
      },
    ],
  ]);
});

const maintenance = scenario("maintenance", (world) => {
  const agent = agentIn(world);
  const end = world.choose("end", ["resolves", "rejects", "throws", "never ends"]);
  const task = (): Promise<void> => {
    if (end === "throws") throw broken;
    if (end === "never ends") return never;
    return world.delay("maintenance").then(() => (end === "rejects" ? Promise.reject(broken) : undefined));
  };
  const maintain = () => void agent.runMaintenance(task).catch(() => {});
  const preset = world.choose("preset", ["followUp", "inject"] as const);
  world.events("user", [
    ["maintain", maintain],
    ["send a", () => void agent[preset]("a")],
    ["stop", () => agent.cancel("stop", keep)],
    ["maintain again", maintain],
  ]);
});

const records = ["turn/start", "turn/end", "inbox/inserted", "inbox/removed", "user/message"] as const;

const failingWrites = scenario("writes that fail", (world) => {
  const target = world.choose("record", records);
  const way = world.choose("way", ["throws", "rejects"]);
  let left = world.choose("times", [1, 100]);
  const agent = agentIn(world, {
    ports: {
      append(record) {
        if (record.type !== target || left === 0) return Promise.resolve();
        left -= 1;
        if (way === "throws") throw broken;
        return Promise.reject(broken);
      },
    },
  });
  world.events("user", [
    ["send a", () => void agent.followUp("a")],
    ["maintain", () => void agent.runMaintenance(() => world.delay("maintenance")).catch(() => {})],
    ["send b", () => void agent.followUp("b")],
  ]);
  void agent.whenIdle();
});

const hanging = scenario("ports that never answer", (world) => {
  const target = world.choose("port", [...records, "propose", "run-step"]);
  const agent = agentIn(world, {
    ports: {
      append: async ({ type }) => (type === target ? never : undefined),
      propose: async ({ messages }) => (target === "propose" ? never : { kind: "enter", messages }),
      ...(target === "run-step" && { runStep: () => never }),
    },
  });
  const how = world.choose("stop", [keep, clear, "dispose"] as const);
  world.events("user", [
    ["send a", () => void agent.followUp("a")],
    [
      "wait and stop",
      () => {
        void agent.whenIdle();
        if (how === "dispose") agent.dispose();
        else agent.cancel("stop", how);
      },
    ],
    ["send b", () => void agent.followUp("b")],
  ]);
});

const proposals = scenario("proposals of every kind", (world) => {
  const kind = world.choose("kind", [
    "part",
    "none",
    "addition",
    "pending",
    "reject",
    "failed",
    "rejects",
    "throws",
    "garbage",
  ]);
  const afterFailure = world.choose("after failure", ["park", "drain"] as const);
  const claim = world.choose("claim", ["one", "all"] as const);
  const agent: Agent = agentIn(world, {
    policy: { afterFailure, claim },
    ports: {
      propose({ messages, turn }) {
        if (kind === "throws") throw broken;
        return world.io("agent:propose", (): Decision => {
          if (kind === "rejects") throw broken;
          if (kind === "garbage") return garbage;
          if (kind === "reject" || kind === "failed") return { kind };
          const addition = { id: `addition ${turn}`, ...presets.inject };
          const entered = {
            part: messages.slice(1),
            addition: [addition, ...messages],
            pending: [...agent.pending, ...messages],
          };
          return { kind: "enter", messages: kind === "none" ? [] : (new Map(Object.entries(entered)).get(kind) ?? []) };
        });
      },
      runStep: async () => "completed",
    },
  });
  world.events("user", [
    [
      "send a and b",
      () => {
        agent.queue("a");
        agent.followUp("b");
      },
    ],
    ["send c", () => void agent.followUp("c")],
  ]);
});

const steps = scenario("steps of every outcome", (world) => {
  const outcome = world.choose("outcome", [
    "continue",
    "completed",
    "max-tokens",
    "rejects",
    "throws",
    "garbage",
  ] as const);
  const afterFailure = world.choose("after failure", ["park", "drain"] as const);
  const agent = agentIn(world, {
    policy: { afterFailure },
    ports: {
      runStep({ step }) {
        if (outcome === "throws") throw broken;
        return world.io("agent:model", (): StepOutcome => {
          if (outcome === "rejects") throw broken;
          if (outcome === "garbage") return garbage;
          return outcome === "continue" && step > 1 ? "completed" : outcome;
        });
      },
    },
  });
  world.events("user", [
    ["send a", () => void agent.followUp("a")],
    ["steer b", () => void agent.steer("b")],
    ["send c", () => void agent.followUp("c")],
  ]);
});

const restored = scenario("an agent that was restored in a turn", (world) => {
  const log: readonly AgentRecord[] = [
    { type: "inbox/inserted", message: { id: "old", ...presets.followUp } },
    { type: "turn/start", turn: 1 },
    { type: "inbox/removed", id: "old", outcome: "claimed", turn: 1 },
  ];
  let fails = world.choose("fails", [false, true]);
  const agent = agentIn(world, {
    restored: restore(log),
    ports: {
      append: (record) =>
        world.io(`agent:${record.type}`, () => {
          if (!fails || record.type !== "turn/end") return;
          fails = false;
          throw broken;
        }),
    },
  });
  world.events("user", [
    ["send a", () => void agent.followUp("a")],
    ["stop", () => agent.cancel("stop", keep)],
  ]);
});

const commands: Readonly<Record<string, (agent: Agent) => unknown>> = {
  steer: (agent) => agent.steer("inside"),
  retract: (agent) => agent.retract("b"),
  stop: (agent) => agent.cancel("inside", keep),
  clear: (agent) => agent.cancel("inside", clear),
  dispose: (agent) => agent.dispose(),
  maintain: (agent) => agent.runMaintenance(async () => {}).catch(() => {}),
};
const portCalls = ["in append", "in propose", "in runStep", "claimed", "canceled", "at the signal"];
const events = [
  "told running",
  "told idle",
  "running",
  "idle",
  "stopped",
  "landed turn/start",
  "landed turn/end",
  "landed inbox/inserted",
];

/** One command, given once, from inside the first call of that kind. */
function fromInside(moments: readonly string[]): Scenario {
  return scenario(`a command from inside: ${moments.join(", ")}`, (world) => {
    const moment = world.choose("moment", moments);
    const command = world.choose("command", Object.keys(commands));
    let given = false;
    const at = (now: string) => {
      if (given || now !== moment) return;
      given = true;
      commands[command]?.(agent);
    };
    const plain = plainPorts(world, []);
    const agent: Agent = agentIn(world, {
      ports: {
        append(record) {
          at("in append");
          return plain.append(record);
        },
        propose(step) {
          at("in propose");
          return plain.propose(step);
        },
        runStep(step) {
          at("in runStep");
          step.signal.addEventListener("abort", () => at("at the signal"));
          return plain.runStep(step);
        },
        onStatus: (status) => at(`told ${status}`),
        onRemoved: (_, outcome) => at(outcome),
      },
    });
    agent.onStatus(at);
    agent.onStop(() => at("stopped"));
    agent.onRecord(({ type }) => at(`landed ${type}`));
    world.events("user", [
      [
        "send a and b",
        () => {
          agent.followUp("a");
          agent.followUp("b");
          void agent.whenIdle();
        },
      ],
      ["stop", () => agent.cancel("stop", moment === "canceled" ? clear : keep)],
    ]);
  });
}

const situations = [
  sends,
  retracts(),
  stops(),
  secondStops,
  disposals,
  maintenance,
  failingWrites,
  hanging,
  proposals,
  steps,
  restored,
  fromInside(portCalls),
  fromInside(events),
];

describe("createAgent()", () => {
  test("does what transition() says, in every order", async () => {
    expect(await certifyAll(situations, { level: "spec" })).toEqual([]);
  });

  test("does what transition() says, in every order at every tick", async () => {
    await certifyAll(situations, { level: "jitter" });
  });
});

describe("a host with a fault", () => {
  const between =
    (change: (ports: AgentPorts) => Partial<AgentPorts>): typeof createAgent =>
    (ports, ...rest) =>
      createAgent({ ...ports, ...change(ports) }, ...rest);

  test("is found when it performs effects out of order", async () => {
    const keepsBack = between(({ append }) => ({
      append: (record) =>
        record.type === "user/message" ? Promise.resolve().then(() => append(record)) : append(record),
    }));
    const found = await firstViolation(stops(keepsBack), { level: "spec" });
    expect(found).toContain('what it does: {"type":"run-step"');
    expect(found).toContain('the reducer says {"type":"ask to append","record":{"type":"user/message"');
  });

  test("is found when it drops an effect", async () => {
    const drops = between(({ onRemoved }) => ({
      onRemoved: (message, outcome) => (outcome === "canceled" ? undefined : onRemoved?.(message, outcome)),
    }));
    const found = await firstViolation(retracts(drops), { level: "spec" });
    expect(found).toContain('it does not do {"type":"removed"');
  });

  test("is found when a step does not get the signal of its turn", async () => {
    const { signal } = new AbortController();
    const deaf = between(({ runStep }) => ({ runStep: (step) => runStep({ ...step, signal }) }));
    const found = await firstViolation(stops(deaf), { level: "spec" });
    expect(found).toContain("a turn has two signals");
  });

  test("is found at its tick when it hears of an answer one tick late", async () => {
    const late = between(({ propose }) => ({ propose: (step) => propose(step).then((decision) => decision) }));
    // Between two deliveries nobody can tell.
    expect(await firstViolation(stops(late), { level: "spec" })).toBe("held");
    expect(await firstViolation(stops(late), { level: "jitter" })).toContain("the host follows its reducer");
  });
});
