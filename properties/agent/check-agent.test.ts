import { describe, expect, test } from "vitest";
import { createAgent } from "../../core/index.ts";
import { replay } from "../../repro/replay.ts";
import { ExploreOptionsError } from "../../sim/bounds.ts";
import type { CheckOptions } from "../kit/check-options.ts";
import type { CheckReport } from "../kit/check-report.ts";
import { agentUnderTest, checkAgent, type MakeAgent } from "./check-agent.ts";
import { agentPromises } from "./family.ts";
import type { AgentPorts, AgentUnderTest } from "./ports.ts";
import { cancel, lateWake, type Script, send } from "./script.ts";
import { ByTheBook } from "./subjects/by-the-book.ts";
import { IdlesOnCancel } from "./subjects/idles-on-cancel.ts";
import { LatchesWhenDisposed } from "./subjects/latches-when-disposed.ts";
import { ParksLateWakes } from "./subjects/parks-late-wakes.ts";

const stop = cancel("stop", { keepInbox: true });
const few: CheckOptions = { executions: 400, scripts: 20 };

function checkOf(make: (ports: AgentPorts) => unknown, options: CheckOptions = {}): Promise<CheckReport> {
  // A stranger's factory returns what it likes.
  const untyped: object = make;
  return checkAgent(untyped as MakeAgent, options);
}

function underTest(make: (ports: AgentPorts) => unknown) {
  const untyped: object = make;
  return agentUnderTest(untyped as MakeAgent);
}

/** What no type would let through. */
function untyped(value: unknown): never {
  return value as never;
}

/** An agent by the book with something else in the place of some of its methods. */
function but(ports: AgentPorts, methods: Readonly<Record<string, unknown>>): unknown {
  const agent = new ByTheBook(ports);
  return new Proxy(agent, {
    get(target, name) {
      if (typeof name === "string" && Object.hasOwn(methods, name)) return methods[name];
      const found: unknown = Reflect.get(target, name);
      return typeof found === "function" ? found.bind(target) : found;
    },
  });
}

describe("checkAgent()", () => {
  test("finds nothing in the core's agent, and brings it wherever a goal says", async () => {
    const report = await checkAgent((ports) => createAgent(ports), { executions: 1_200 });
    expect(report).toEqual({
      held: agentPromises,
      broken: [],
      skipped: [],
      notReached: [],
      executions: 1_200,
      problems: [],
    });
  });

  test("goes by its budget, however small", async () => {
    for (const executions of [1, 7, 61, 150]) {
      const report = await checkAgent((ports) => new ByTheBook(ports), { executions });
      expect(report).toMatchObject({ broken: [], problems: [] });
      // A script whose classes were all seen gives back what is left of its share.
      expect(report.executions).toBeGreaterThan(executions / 2);
      expect(report.executions).toBeLessThanOrEqual(executions);
    }
  });

  test("names what an agent breaks, with a repro that replays, and what it keeps", async () => {
    const report = await checkAgent((ports) => new ParksLateWakes(ports), few);
    const [first] = report.broken;
    expect(first).toMatchObject({ invariant: "agent/no-dropped-wake", verdict: "bug", repro: { script: lateWake } });
    expect(report.problems).toEqual([]);
    expect(report.held).toEqual(agentPromises.filter((name) => name !== "agent/no-dropped-wake"));
    for (const { repro } of report.broken) {
      const wrong = await replay(
        agentUnderTest((ports) => new ParksLateWakes(ports)),
        repro,
      );
      expect(wrong).toMatchObject({ outcome: "violated", violation: { name: "agent/no-dropped-wake" } });
      const right = await replay(
        agentUnderTest((ports) => createAgent(ports)),
        repro,
        { mode: "best-effort" },
      );
      expect(right.violation).toBeUndefined();
    }
  });

  test("shows one breach for each promise and shape of script, and no breach hides another", async () => {
    const make: MakeAgent = (ports) => new IdlesOnCancel(ports);
    const report = await checkAgent(make, { executions: 200, script: lateWake });
    const names = report.broken.map(({ invariant }) => invariant);
    expect(new Set(names).size).toBeGreaterThan(1);
    const shapes = report.broken.map(({ invariant, repro }) => `${invariant} ${typesOf(repro.script)}`);
    expect(new Set(shapes).size).toBe(shapes.length);
    const most = await checkAgent(make, { executions: 1_000 });
    for (const name of agentPromises)
      expect(most.broken.filter(({ invariant }) => invariant === name).length).toBeLessThanOrEqual(5);
  });

  test("gives the same bytes for the same seed", async () => {
    const run = () => checkAgent((ports) => new LatchesWhenDisposed(ports), { ...few, seed: "7" });
    expect(JSON.stringify(await run())).toBe(JSON.stringify(await run()));
  });

  test("leaves out what the subject lacks, or is not to be asked for, and says so", async () => {
    const make: MakeAgent = (ports) => {
      const { send: sends, cancel: cancels, whenIdle } = bound(new ByTheBook(ports));
      return { send: sends, cancel: cancels, whenIdle };
    };
    const report = await checkAgent(make, { ...few, without: ["cancel-clear"] });
    expect(report.broken).toEqual([]);
    expect(report.problems).toEqual([]);
    expect(report.skipped).toEqual([
      { invariant: "agent/dispose-fence", because: "the subject has no dispose()" },
      { invariant: "agent/cleared-stays-cleared", because: '"cancel-clear" is left out' },
      { invariant: "agent/maintenance-exclusive", because: "the subject has no runMaintenance()" },
    ]);
    expect(report.held.length).toBe(agentPromises.length - 3);
  });

  test("with a script, explores that one alone", async () => {
    const seen = new Set<string>();
    const make: MakeAgent = (ports) => {
      const agent = new ByTheBook(ports);
      return {
        ...bound(agent),
        send: (message) => {
          seen.add(message.id);
          return agent.send(message);
        },
      };
    };
    await checkAgent(make, { executions: 50, script: [send("x"), stop, send("y")] satisfies Script });
    expect([...seen].sort()).toEqual(["x", "y"]);
  });

  test("awaits a promise of the factory before the first command, and takes away what was made", async () => {
    let [made, unmade] = [0, 0];
    const make = async (ports: AgentPorts): Promise<AgentUnderTest> => {
      await new Promise((resolve) => setImmediate(resolve));
      made++;
      return new ByTheBook(ports);
    };
    const unmake = (subject: unknown): void => {
      expect(subject).toBeInstanceOf(ByTheBook);
      unmade++;
    };
    const report = await checkAgent(make, { executions: 60, scripts: 3, unmake });
    expect(report).toMatchObject({ broken: [], problems: [], executions: 60 });
    expect(made).toBeGreaterThanOrEqual(60);
    expect(unmade).toBe(made);
    // One that is no async function is known for one only when it is called.
    const plain = await checkAgent((ports) => make(ports), { executions: 60, scripts: 3, unmake });
    expect(plain).toEqual(report);
    expect(unmade).toBe(made);
  });

  test("takes away what a plain factory has made, after each execution", async () => {
    let [made, unmade] = [0, 0];
    await checkAgent(
      (ports) => {
        made++;
        return new ByTheBook(ports);
      },
      { executions: 40, scripts: 2, unmake: () => unmade++ },
    );
    expect(made).toBeGreaterThanOrEqual(40);
    expect(unmade).toBe(made);
  });

  test("refuses options that cannot be meant", async () => {
    const make: MakeAgent = (ports) => new ByTheBook(ports);
    const wrong: readonly (readonly [object, string])[] = [
      [{ scripts: 0 }, "expected scripts to be a whole number from 1 to 10000, found 0"],
      [{ executions: 1.5 }, "expected executions to be a whole number of at least 1, found 1.5"],
      [{ without: ["dispos"] }, "expected every word of without to be one of next-step, queue, inject"],
      [{ without: "dispose" }, 'expected without to be a list, found "dispose"'],
      [{ policy: { parking: "some" } }, 'expected policy.parking to be one of unlatched, all, found "some"'],
      [{ policy: { park: "all" } }, 'expected policy to have parking, afterFailure, claim, found "park"'],
      [{ unmake: 1 }, "expected unmake to be a function, found 1"],
      [{ level: "strict" }, "expected level to be one of"],
      [{ script: [{ type: "sned" }] }, "Cannot explore"],
    ];
    for (const [options, text] of wrong) {
      const refused = checkOf((ports) => make(ports), options);
      await expect(refused).rejects.toThrow(ExploreOptionsError);
      await expect(refused).rejects.toThrow(text);
    }
  });
});

describe("what checkAgent() says can be relied on", () => {
  const boom = (): never => {
    throw new Error("boom");
  };
  const idle = { send: () => undefined, cancel: () => undefined, whenIdle: () => Promise.resolve() };
  const wrong: readonly (readonly [string, (ports: AgentPorts) => unknown])[] = [
    ["one that is two drivers", (ports) => new IdlesOnCancel(ports)],
    ["one that does nothing", () => idle],
    ["one that cannot be stopped", (ports) => but(ports, { cancel: boom })],
    ["one that promises nothing", (ports) => but(ports, { whenIdle: () => undefined })],
  ];
  test.each(wrong)("every repro of %s fails as recorded", async (_, make) => {
    const { broken, problems } = await checkOf(make, { executions: 300, scripts: 12 });
    const repros = [...broken, ...problems].flatMap(({ repro }) => repro ?? []);
    expect(repros.length).toBeGreaterThan(1);
    for (const repro of repros) {
      const { outcome, violation } = await replay(underTest(make), repro);
      expect([repro.violates, outcome, violation?.name]).toEqual([repro.violates, "violated", repro.violates]);
    }
  });

  test("nothing is held that no execution has judged", async () => {
    const leaky = (ports: AgentPorts) => but(ports, { send: () => realTimeout(() => undefined, 1) });
    const report = await checkOf(leaky, { executions: 60, scripts: 4 });
    expect(report).toMatchObject({ held: [], broken: [], problems: [{ kind: "leaked" }] });
    expect(report.skipped).toEqual(
      agentPromises.map((invariant) => ({ invariant, because: "nothing could be judged" })),
    );
  });

  test("a script that asks for what the agent has not is refused", async () => {
    const steps: Script = [{ type: "inside", at: "running", do: { type: "dispose" } }, send("a")];
    for (const script of [[{ type: "dispose" }] satisfies Script, steps])
      await expect(checkOf(() => idle, { script })).rejects.toThrow("it needs dispose()");
  });

  test("an agent may write into its messages", async () => {
    const make = (ports: AgentPorts) => {
      const agent = new ByTheBook(ports);
      return {
        ...bound(agent),
        send: (message: { body?: unknown } & Parameters<AgentUnderTest["send"]>[0]) => {
          agent.send(message);
          message.body = "seen";
        },
      };
    };
    expect(await checkOf(make, { executions: 60, scripts: 4 })).toMatchObject({ broken: [], problems: [] });
  });

  test("a factory that loads first may return agents later, but not the other way round", async () => {
    let loaded = false;
    const lazy = (ports: AgentPorts) => {
      const [made, isFirst] = [new ByTheBook(ports), !loaded];
      loaded = true;
      return isFirst ? Promise.resolve(made) : made;
    };
    expect(await checkOf(lazy, { executions: 60, scripts: 4 })).toMatchObject({ broken: [], problems: [] });
    let calls = 0;
    const flips = (ports: AgentPorts) => {
      const made = new ByTheBook(ports);
      return calls++ < 5 ? made : Promise.resolve(made);
    };
    const { problems } = await checkOf(flips, { executions: 60, scripts: 4 });
    expect(problems.map(({ kind }) => kind)).toContain("bad-shape");
  });

  test("what fails to be taken away is a problem, and what was known stays known", async () => {
    for (const unmake of [boom, async () => boom()]) {
      const report = await checkAgent((ports) => new ByTheBook(ports), { executions: 60, scripts: 4, unmake });
      expect(report.problems).toMatchObject([{ kind: "threw", detail: "unmake threw: Error: boom" }]);
    }
  });
});

describe("checkAgent() tells a problem for what it is", () => {
  const boom = () => {
    throw new Error("boom");
  };
  const never = () => new Promise<never>(() => undefined);

  const atOnce: readonly (readonly [string, (ports: AgentPorts) => unknown, string, string])[] = [
    ["a factory that throws", boom, "factory-threw", "the factory threw: Error: boom"],
    ["a factory that rejects", () => Promise.reject(new Error("boom")), "factory-threw", "rejected: Error: boom"],
    [
      "nothing",
      () => undefined,
      "bad-shape",
      "expected the factory to return an agent with send(), cancel(), whenIdle(), found undefined",
    ],
    ["a promise of nothing", async () => null, "bad-shape", "found null"],
    [
      "no send",
      (ports) => but(ports, { send: undefined }),
      "bad-shape",
      "expected send to be a method of the agent, found undefined",
    ],
    [
      "a dispose that is no method",
      (ports) => but(ports, { dispose: true }),
      "bad-shape",
      "expected dispose to be a method of the agent or to be missing, found true",
    ],
    [
      "a getter that throws",
      () => Object.defineProperty({}, "send", { get: boom }),
      "bad-shape",
      "found a getter that throws",
    ],
  ];
  test.each(atOnce)("%s", async (_, make, kind, detail) => {
    const report = await checkOf(make, few);
    expect(report).toMatchObject({ held: [], broken: [], executions: 0, problems: [{ kind }] });
    expect(report.problems[0]?.detail).toContain(detail);
  });

  const inUse: readonly (readonly [string, (ports: AgentPorts) => unknown, Script, string, string])[] = [
    [
      "send throws",
      (ports) => but(ports, { send: boom }),
      [send("a")],
      "threw",
      "send a was answered with an error: Error: boom",
    ],
    ["send rejects", (ports) => but(ports, { send: async () => boom() }), [send("a")], "threw", "Error: boom"],
    ["cancel throws", (ports) => but(ports, { cancel: boom }), [send("a"), stop], "threw", "Error: boom"],
    [
      "whenIdle returns nothing",
      (ports) => but(ports, { whenIdle: () => undefined }),
      [send("a")],
      "bad-shape",
      "expected whenIdle() to return a promise, found undefined",
    ],
    ["whenIdle throws", (ports) => but(ports, { whenIdle: boom }), [send("a")], "bad-shape", "it threw: Error: boom"],
    ["whenIdle rejects", (ports) => but(ports, { whenIdle: async () => boom() }), [send("a")], "threw", "Error: boom"],
    [
      "send never settles",
      (ports) => {
        const agent = new ByTheBook(ports);
        return {
          ...bound(agent),
          send: (message: Parameters<AgentUnderTest["send"]>[0]) => {
            agent.send(message);
            return never();
          },
        };
      },
      [send("a")],
      "unsettled",
      "has not settled, and nothing is left to happen",
    ],
    [
      "an error that nobody handles",
      (ports) => {
        const agent = new ByTheBook(ports);
        return {
          ...bound(agent),
          send: (message: Parameters<AgentUnderTest["send"]>[0]) => {
            agent.send(message);
            void (async () => boom())();
          },
        };
      },
      [send("a")],
      "threw",
      "Error: boom",
    ],
    [
      "ports in use after disposal",
      (ports) => {
        const agent = new ByTheBook(ports);
        return {
          ...bound(agent),
          dispose: async () => {
            await agent.dispose();
            setTimeout(() => ports.onStatus("running"), 5);
          },
        };
      },
      [send("a"), { type: "dispose" }],
      "after-dispose",
      "was over",
    ],
    [
      "a record that is none",
      (ports) => but(ports, { send: () => ports.append(untyped(null)).catch(() => undefined) }),
      [send("a")],
      "bad-shape",
      "append() was given null; expected a record or a note",
    ],
    [
      "a step that is none",
      (ports) => but(ports, { send: () => ports.runStep(untyped({ turn: 1 })).catch(() => undefined) }),
      [send("a")],
      "bad-shape",
      "expected { turn, step, messages, signal }",
    ],
    [
      "a real timer",
      (ports) => but(ports, { send: () => realTimeout(() => undefined, 1) }),
      [send("a")],
      "leaked",
      "timer",
    ],
  ];
  test.each(inUse)("%s", async (_, make, script, kind, detail) => {
    const report = await checkOf(make, { executions: 60, script });
    const found = report.problems.find((problem) => problem.kind === kind);
    expect(found?.detail).toContain(detail);
    if (kind !== "leaked") expect(found?.repro?.script.length).toBeGreaterThan(0);
  });

  test("send that was refused is no dropped wake, and a duplicate id may be refused", async () => {
    const report = await checkOf((ports) => but(ports, { send: boom }), { executions: 60, script: [send("a")] });
    expect(report.broken).toEqual([]);
  });
});

const realTimeout = setTimeout;

/** The methods of an agent, each with its agent. */
function bound(agent: ByTheBook): AgentUnderTest {
  return {
    send: (message) => agent.send(message),
    cancel: (cause, options) => agent.cancel(cause, options),
    whenIdle: () => agent.whenIdle(),
    retract: (id) => agent.retract(id),
    dispose: () => agent.dispose(),
    runMaintenance: (task) => agent.runMaintenance(task),
  };
}

function typesOf(script: readonly unknown[]): string {
  return script.map((step) => (typeof step === "object" && step !== null && "type" in step ? step.type : "?")).join();
}
