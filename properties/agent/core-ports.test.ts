/** The agent's host between ports that fail or never answer, and an application that has let go of it. */
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { describe, expect, test } from "vitest";
import { createAgent } from "../../core/agent/host.ts";
import type { AgentPorts } from "../../core/agent/ports.ts";
import type { AgentRecord } from "../../core/agent/state.ts";
import { type Scenario, scenario, type World } from "../../sim/scenario.ts";
import { expectCertified, expectHeld, expectHeldForReal } from "../testing/expect-held.ts";
import type { Recording, Sighting } from "./history.ts";
import { presets } from "./script.ts";
import { coreIn } from "./testing/core-world.ts";

const prompt = (id: string) => ({ id, ...presets.followUp });
const notes = ["inbox/inserted", "inbox/removed", "user/message"] as const;
const targets = [...notes, "turn/start", "turn/end", "propose", "run-step", "task"] as const;
type Target = (typeof targets)[number];
type Way = "throws" | "rejects" | "rejects later" | "never answers";

const broken = new Error("broken");

/** Ports of which one fails in one way, so many times, and says so to the recording before the agent learns of it. */
class Failing {
  struck = 0;
  readonly #world: World;
  readonly #target: Target;
  readonly #way: Way;
  readonly #times: number;

  constructor(world: World, target: Target, way: Way, times: number) {
    this.#world = world;
    this.#target = target;
    this.#way = way;
    this.#times = times;
  }

  readonly wrap = (ports: AgentPorts, recording: Recording): AgentPorts => {
    const strike = <T>(target: Target, seen: Sighting, call: () => Promise<T>): Promise<T> =>
      this.#strikes(target) ? this.fail(recording, recording.add(seen)) : call();
    return {
      ...ports,
      append: (record) =>
        record.type === "inbox/restored"
          ? ports.append(record)
          : strike(record.type, { type: "append", record }, () => ports.append(record)),
      propose: (step) => strike("propose", { ...step, type: "propose" }, () => ports.propose(step)),
      runStep: (step) => strike("run-step", { ...step, type: "run-step" }, () => ports.runStep(step)),
    };
  };

  /** A maintenance task; its start has just been written down. */
  task(recording: Recording): Promise<void> {
    const call = recording.observations.length - 1;
    return this.#strikes("task") ? this.fail(recording, call) : this.#world.delay("maintenance");
  }

  fail<T>(recording: Recording, call: number): Promise<T> {
    const fail = (): never => {
      const isSettled = recording.observations.some((seen) => seen.type === "settled" && seen.call === call);
      if (!isSettled) recording.add({ type: "settled", call, ok: false });
      throw broken;
    };
    switch (this.#way) {
      case "throws":
        return fail();
      case "rejects":
        return Promise.resolve().then(fail);
      case "rejects later":
        return this.#world.io("port", fail);
      case "never answers":
        return new Promise(() => {});
    }
  }

  #strikes(target: Target): boolean {
    if (target !== this.#target || this.struck === this.#times) return false;
    this.struck += 1;
    return true;
  }
}

describe("ports that fail", () => {
  function failing(ways: readonly Way[], some: readonly Target[]): Scenario {
    return scenario(`a port that ${ways.join(" or ")}: ${some.join(", ")}`, (world) => {
      const target = world.choose("port", some);
      const times = world.choose("times", [1, 100]);
      const port = new Failing(world, target, world.choose("way", ways), times);
      const { agent, user, recording, log, errors } = coreIn(world, { wrap: port.wrap });
      const rejections: unknown[] = [];
      const maintain = () => agent.runMaintenance(() => port.task(recording)).catch((error) => rejections.push(error));
      world.events("user", [
        ["send a", () => user.send(prompt("a"))],
        ["send b", () => user.send(prompt("b"))],
        ...(target === "task" ? ([["maintain", maintain]] as const) : []),
      ]);
      world.atQuiescence("every failure is told once, to whom it concerns", () => {
        const told =
          target === "task" ? rejections.filter((error) => error === broken) : errors.map(({ error }) => error);
        if (told.length !== port.struck || told.some((error) => error !== broken)) return `${told.length} were told`;
        const source = target === "propose" || target === "run-step" ? target : "append";
        return errors.every((one) => one.source === source);
      });
      world.atQuiescence("what the failure means is in the log or still to be written", () => {
        const failed = log.filter((record) => record.type === "turn/end" && record.reason.kind === "failed").length;
        if (target === "propose" || target === "run-step") return failed === port.struck || `${failed} turns failed`;
        return failed === 0;
      });
      world.atQuiescence("a note that is refused once is written all the same, and costs no turn", () => {
        if (times > 1 || !notes.some((note) => note === target)) return true;
        const entered = log.flatMap((record) => (record.type === "user/message" ? [record.message.id] : []));
        return entered.join() === "a,b" || `${entered.join()} entered`;
      });
      world.sometimes("it fails", () => port.struck > 0);
    });
  }

  for (const some of [notes, ["turn/start", "turn/end"], ["propose", "run-step", "task"]] as const) {
    test(`createAgent() gets over ${some.join(", ")} that throws or rejects, and comes to rest`, async () => {
      const subject = failing(["throws", "rejects", "rejects later"], some);
      await expectCertified(subject, "spec");
      await expectHeld(subject, "jitter");
      await expectHeldForReal(subject);
    });
  }
});

describe("ports that never answer", () => {
  const stageOf: Readonly<Record<Target, string>> = {
    "inbox/inserted": "opening",
    "turn/start": "opening",
    "inbox/removed": "closing",
    propose: "proposing",
    "user/message": "closing",
    "run-step": "stepping",
    "turn/end": "closing",
    task: "maintenance",
  };

  const silent = scenario("a port that never answers", (world) => {
    const target = world.choose("port", targets);
    const how = world.choose("stop", ["cancel", "dispose"]);
    const port = new Failing(world, target, "never answers", 1);
    const { agent, user, recording, errors } = coreIn(world, { wrap: port.wrap, settles: false });
    const seen = { maintained: "not asked", hungAtStop: false, waits: { before: "not asked", after: "not asked" } };
    const wait = (when: "before" | "after") => {
      seen.waits[when] = "open";
      agent.whenIdle().then(() => {
        seen.waits[when] = "settled";
      });
    };
    const maintain = () => {
      seen.maintained = "open";
      const settled = () => {
        seen.maintained = "settled";
      };
      agent.runMaintenance(() => port.task(recording)).then(settled, settled);
    };
    const stop = () => {
      seen.hungAtStop = port.struck > 0;
      wait("before");
      if (how === "dispose") user.dispose?.();
      else user.cancel("stop", { keepInbox: true });
      wait("after");
    };
    world.events("user", [
      target === "task" ? ["maintain", maintain] : ["send a", () => void user.send(prompt("a"))],
      ["stop", stop],
      ["send b", () => void user.send(prompt("b"))],
    ]);
    world.atQuiescence("the agent stays in the stage of the port, and says so", () => {
      const { phase } = agent.state;
      const stage = phase.kind === "running" ? phase.stage : phase.kind;
      if (stage !== (port.struck > 0 ? stageOf[target] : "idle")) return `it is ${stage}`;
      return agent.status === (phase.kind === "running" ? "running" : "idle") || `its status is ${agent.status}`;
    });
    world.atQuiescence("who waits for it waits on, and what comes behind the stop stays pending", () => {
      const { before, after } = seen.waits;
      if (agent.state.phase.kind === "idle") return before === "settled" && after === "settled";
      if (!seen.hungAtStop) return true;
      if (target === "task" && seen.maintained !== "open") return `the task is ${seen.maintained}`;
      return before === "open" && after === "open" && agent.pending.some(({ id }) => id === "b");
    });
    world.atQuiescence("nothing failed", () => errors.length === 0);
    world.sometimes("it hangs when it is stopped", () => seen.hungAtStop);
    world.sometimes("it is stopped before that", () => port.struck > 0 && !seen.hungAtStop);
  });

  test("cancel() and dispose() return, and whenIdle() stays pending", async () => {
    await expectCertified(silent, "spec");
    await expectHeld(silent, "jitter");
    await expectHeldForReal(silent);
  });
});

describe("an application that drops the agent", () => {
  setFlagsFromString("--expose-gc");
  const collectGarbage: () => void = runInNewContext("gc");

  /** Prompts an agent and keeps nothing of it but a weak reference. */
  function prompted(ports: AgentPorts): WeakRef<object> {
    const agent = createAgent(ports);
    agent.followUp("a");
    return new WeakRef(agent);
  }

  /** `collect` may come at any point of the turn. */
  const dropped = (collect: () => unknown) =>
    scenario("a dropped agent", (world) => {
      const log: AgentRecord[] = [];
      const statuses: string[] = [];
      const ports: AgentPorts = {
        append: (record) => world.io("agent:append", () => void log.push(record)),
        propose: ({ messages }) => world.io("agent:propose", () => ({ kind: "enter", messages })),
        runStep: () => world.io("agent:model", () => "completed"),
        onStatus: (status) => void statuses.push(status),
      };
      world.events("user", [["send a", () => void prompted(ports)]]);
      world.events("collector", [["collect", collect]]);
      world.atQuiescence("the turn ended", () => {
        return statuses.join() === "running,idle" && log.at(-1)?.type === "turn/end";
      });
    });

  test("createAgent() ends the turn all the same", async () => {
    // Under the simulator one execution is one job, in which weak references hold; so it collects nothing there.
    await expectCertified(
      dropped(() => undefined),
      "spec",
    );
    await expectHeldForReal(dropped(collectGarbage), 10);
  });

  test("createAgent() ends the turn of an agent that was collected", async () => {
    const turn = () => new Promise((resolve) => setImmediate(resolve));
    const log: string[] = [];
    let answer = (): void => {};
    const agent = prompted({
      append: async ({ type }) => void log.push(type),
      propose: async ({ messages }) => ({ kind: "enter", messages }),
      runStep: () =>
        new Promise((resolve) => {
          answer = () => resolve("completed");
        }),
    });
    // A collector may need more than one go at what an optimised frame still holds.
    for (let go = 0; go < 20; go++) {
      await turn();
      collectGarbage();
      if (agent.deref() === undefined) break;
    }
    expect(agent.deref()).toBe(undefined);
    answer();
    await turn();
    expect(log).toEqual(["inbox/inserted", "turn/start", "inbox/removed", "user/message", "turn/end"]);
  });
});
