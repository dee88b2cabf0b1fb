import { describe, expect, test } from "vitest";
import type { Execution, PossibleDelivery } from "../execution.ts";
import { scenario, type World } from "../scenario.ts";
import { search } from "../search.ts";
import { FirstComeChooser } from "../strategy.ts";
import { everyExecution, executed, firstCome, namesOf, ordered, tracesOf } from "../testing/executions.ts";

const nothing = (): void => undefined;
const run = (body: (world: World) => unknown): Promise<Execution> => firstCome(scenario("a test", body));
const possible = (execution: Execution): string[] => execution.steps.map((step) => step.possible.join(" "));

/** Takes the last of what is possible. */
class LastChooser extends FirstComeChooser {
  override delivery(_possible: readonly PossibleDelivery[] = [], count = 1): number {
    return count - 1;
  }
}

describe("names", () => {
  test("Engine names a delivery by the source whose drain asked for it", async () => {
    const execution = await run((world) => {
      void world.delay("by the body");
      world.actor("a", async () => {
        await world.delay("first");
        await null;
        await world.io("second", nothing);
        setTimeout(nothing, 5000);
        setImmediate(nothing);
        await new Promise((resolve) => setTimeout(resolve, 5000.9));
        const interval = setInterval(() => clearInterval(interval), 7);
      });
      world.events("user", [["go", () => world.delay()]]);
    });
    expect(namesOf(execution)).toEqual([
      "main:by the body#1",
      "a:start#1",
      "a:first#1",
      "a:second#1",
      "a:immediate#1",
      "a:timer 5000#1",
      "a:timer 5000#2",
      "a:interval 7#1",
      "user:go#1",
      "user:delay#1",
    ]);
  });

  test("Engine lets a label name its source, and the continuation inherits that", async () => {
    const execution = await run((world) => {
      world.actor("a", async () => {
        await world.io("agent:model", nothing);
        await world.delay("inherited");
        await world.delay("net:a:b");
        await new Promise((resolve) => setTimeout(resolve, 1));
      });
    });
    expect(namesOf(execution)).toEqual([
      "a:start#1",
      "agent:model#1",
      "agent:inherited#1",
      "net:a:b#1",
      "net:timer 1#1",
    ]);
  });

  test("Engine numbers deliveries in order of asking, not of delivery", async () => {
    const twoReads = scenario("two reads", (world) => {
      world.actor("a", () => Promise.all([world.delay("read"), world.delay("read"), world.delay("other")]));
    });
    const execution = await executed(twoReads, new LastChooser(false));
    expect(namesOf(execution)).toEqual(["a:start#1", "a:other#1", "a:read#2", "a:read#1"]);
  });

  test("Engine tells which names were open at once, and a key makes them stable", async () => {
    const open = await run((world) => {
      for (const key of ["x", "x:y", "z#1"]) void world.delay("read", { key });
      for (const label of ["write", "write"]) void world.delay(label);
      world.events("user", [
        ["go", nothing],
        ["go", nothing],
      ]);
    });
    expect(namesOf(open)).toEqual([
      "main:read[x]#1",
      "main:read[x:y]#1",
      "main:read[z#1]#1",
      "main:write#1",
      "main:write#2",
      "user:go#1",
      "user:go#2",
    ]);
    expect(open.ambiguous).toEqual(["main:write"]);
  });

  test("Engine calls two of a name in a row not ambiguous", async () => {
    const execution = await run((world) => {
      world.actor("a", async () => {
        await world.delay("net:read", { key: "x:y" });
        await world.delay("net:read", { key: "x:y" });
        clearTimeout(setTimeout(nothing, 10));
        setTimeout(nothing, 10);
      });
    });
    expect(namesOf(execution)).toEqual(["a:start#1", "net:read[x:y]#1", "net:read[x:y]#2", "net:timer 10#2"]);
    expect(execution.ambiguous).toEqual([]);
  });

  test("Engine tells by which delivery another was asked for", async () => {
    const execution = await run((world) => {
      world.events("user", [
        ["a", () => world.delay("x")],
        ["b", nothing],
      ]);
    });
    expect(execution.steps.map(({ name, askedBy }) => [name, askedBy])).toEqual([
      ["user:a#1", null],
      ["user:x#1", "user:a#1"],
      ["user:b#1", "user:a#1"],
    ]);
  });

  test("Engine tells the same execution every time", async () => {
    const busy = scenario("busy", (world) => {
      world.actor("a", async () => {
        await Promise.race([world.delay("x"), new Promise((resolve) => setTimeout(resolve, 3))]);
        world.note("random", [Math.random(), world.random(), Date.now()]);
      });
      world.events("user", [["go", () => world.io("reply", () => world.choose("which", [1, 2, 3]))]]);
    });
    const executions = await everyExecution(busy);
    expect(executions.length).toBeGreaterThan(3);
    expect(await everyExecution(busy)).toEqual(executions);
  });
});

describe("what is possible at a choice point", () => {
  test("Engine offers I/O and delays oldest first, then timers, then steps in order of declaration", async () => {
    const execution = await run((world) => {
      world.events("late", [
        ["one", nothing],
        ["two", nothing],
      ]);
      world.actor("a", nothing);
      setTimeout(nothing, 20);
      setTimeout(nothing, 10);
      void world.delay("x");
      void world.io("y", nothing);
    });
    expect(possible(execution)).toEqual([
      "main:x#1 main:y#1 main:timer 10#1 late:one#1 a:start#1",
      "main:y#1 main:timer 10#1 late:one#1 a:start#1",
      "main:timer 10#1 late:one#1 a:start#1",
      "main:timer 20#1 late:one#1 a:start#1",
      "late:one#1 a:start#1",
      "late:two#1 a:start#1",
      "a:start#1",
    ]);
  });

  test("Engine gives I/O that a step asks for precedence over the next step", async () => {
    const execution = await run((world) => {
      world.actor("a", async () => {
        await world.delay("one");
        await world.delay("two");
      });
      world.actor("b", () => world.delay("three"));
    });
    expect(namesOf(execution)).toEqual(["a:start#1", "a:one#1", "a:two#1", "b:start#1", "b:three#1"]);
  });

  test("Engine never fires a timer early, and time moves by timers only", async () => {
    const timed = scenario("timed", (world) => {
      for (const ms of [30, 10, 20]) setTimeout(() => world.note("fired", [ms, Date.now() % 1_000]), ms);
      void world.delay("x");
      world.events("user", [["go", () => setTimeout(nothing, 5)]]);
    });
    const executions = await everyExecution(timed, { overtakes: 9 });
    expect(executions.length).toBeGreaterThan(10);
    for (const { steps } of executions) {
      let nowMs = 0;
      const armedMs = new Map<string | null, number>([[null, 0]]);
      for (const step of steps) {
        const delay = /:timer (\d+)#/.exec(step.name)?.[1];
        if (delay !== undefined) {
          const due = (armedMs.get(step.askedBy) ?? Number.NaN) + Number(delay);
          expect(step.nowMs).toBe(due);
          nowMs = due;
          for (const note of step.notes) expect(note.data).toEqual([Number(delay), due]);
        }
        expect(step.nowMs).toBe(nowMs);
        armedMs.set(step.name, nowMs);
      }
    }
  });

  test("Engine keeps timers of one duration in order, and leaves equal deadlines of other durations open", async () => {
    const ties = scenario("ties", (world) => {
      world.actor("a", () => {
        setTimeout(() => setTimeout(nothing, 6), 4);
        setTimeout(nothing, 10);
        setTimeout(nothing, 10);
      });
    });
    expect(tracesOf(await everyExecution(ties))).toEqual([
      "a:start#1 a:timer 4#1 a:timer 10#1 a:timer 10#2 a:timer 6#1",
      "a:start#1 a:timer 4#1 a:timer 10#1 a:timer 6#1 a:timer 10#2",
      "a:start#1 a:timer 4#1 a:timer 6#1 a:timer 10#1 a:timer 10#2",
    ]);
  });

  test.each([
    [0, 1],
    [1, 2],
    [2, 4],
  ])("Engine lets timers overtake pending I/O %i times", async (overtakes, orders) => {
    // Timers 1, 2 and I/O x, whose delivery asks for y: with no budget they come last.
    const slow = scenario("slow", (world) => {
      setTimeout(nothing, 1);
      setTimeout(nothing, 2);
      world.actor("a", () => undefined);
      void world.delay("x");
    });
    const executions = await everyExecution(slow, { overtakes });
    const overtaking = executions.map(({ steps }) => {
      const io = steps.findIndex(({ name }) => name === "main:x#1");
      return steps.slice(0, io).filter(({ name }) => name.includes("timer")).length;
    });
    expect(Math.max(...overtaking)).toBe(overtakes);
    expect(new Set(overtaking).size).toBe(overtakes + 1);
    expect(executions.length).toBeGreaterThanOrEqual(orders);
  });

  test("Engine runs immediates in order, before time can pass", async () => {
    const phases = scenario("phases", (world) => {
      setTimeout(nothing, 20);
      setImmediate(nothing);
      setImmediate(() => setImmediate(nothing));
      void world.delay("x");
    });
    const traces = tracesOf(await everyExecution(phases));
    expect(traces.length).toBe(4);
    for (const trace of traces) {
      expect(trace.replace("main:x#1", "").trim().split(/ +/).join(" ")).toMatch(
        /main:immediate#1 main:immediate#2 main:immediate#3 main:timer 20#1/,
      );
    }
  });

  test("Engine lets a timer of one millisecond come before or after an immediate of the body, as Node does", async () => {
    const body = scenario("start-up", () => {
      setTimeout(nothing, 0);
      setImmediate(nothing);
    });
    expect((await everyExecution(body)).length).toBe(2);
  });

  test("Engine runs a whole check phase before anything else, and I/O asked for beside it after it", async () => {
    const phase = scenario("check phase", (world) => {
      world.events("user", [
        [
          "go",
          () => {
            setImmediate(nothing);
            setImmediate(nothing);
            void world.delay("later");
          },
        ],
      ]);
      void world.delay("earlier");
    });
    for (const trace of tracesOf(await everyExecution(phase))) {
      expect(trace).toMatch(/user:immediate#1 user:immediate#2/);
      expect(trace).toMatch(/immediate#2 .*user:later#1/);
    }
  });

  test("Engine offers a timer that is due beside an immediate", async () => {
    const execution = await run(() => {
      setTimeout(() => setImmediate(nothing), 10);
      setTimeout(nothing, 10);
    });
    expect(possible(execution)).toEqual(["main:timer 10#1", "main:immediate#1 main:timer 10#2", "main:timer 10#2"]);
  });

  test("Engine keeps the steps of a source in order and interleaves sources freely", async () => {
    const two = scenario("two", (world) => {
      for (const source of ["a", "b"]) {
        world.events(
          source,
          ["1", "2", "3"].map((label) => [label, nothing]),
        );
      }
    });
    const traces = tracesOf(await everyExecution(two));
    expect(traces.length).toBe(20);
    for (const trace of traces) expect(trace.replaceAll(/ ?b:\d#1 ?/g, " ").trim()).toMatch(/^a:1#1 +a:2#1 +a:3#1$/);
  });

  test("Engine refuses an answer that is not possible", async () => {
    class WrongChooser extends FirstComeChooser {
      override delivery(): number {
        return 2;
      }
    }
    const two = scenario("two", (world) => [world.delay("x"), world.delay("y")]);
    await expect(executed(two, new WrongChooser(false))).rejects.toThrow("No delivery 2 of 2 possible");
    expect(namesOf(await firstCome(two))).toEqual(["main:x#1", "main:y#1"]);
  });

  test("Engine offers a step that a loop of I/O would keep waiting for ever", async () => {
    const polling = scenario("polling", (world) => {
      let stopped = false;
      world.actor("poller", async () => {
        while (!stopped) await world.io("poll", nothing);
      });
      world.events("user", [["stop", () => (stopped = true)]]);
    });
    const { violation, steps } = await firstCome(polling);
    expect(violation).toBeNull();
    expect(steps.length).toBeLessThan(300);
  });
});

describe("faults and data", () => {
  test("Engine makes I/O fail or hang only where it may, the first-come choice being neither", async () => {
    const faulty = scenario("faulty", (world) => {
      const settled = (label: string, promise: Promise<unknown>): void => {
        promise.then(
          (value) => world.note(`${label} ${value}`),
          (error: unknown) => world.note(`${label} ${String(error)}`),
        );
      };
      settled(
        "a",
        world.io("a", () => 1),
      );
      settled(
        "b",
        world.io("b", () => 2, { mayFail: true }),
      );
      settled(
        "c",
        world.io("c", () => 3, { mayHang: true, mayFail: true }),
      );
      settled(
        "d",
        world.io("d", () => JSON.parse("{"), {}),
      );
    });
    const executions = await everyExecution(faulty);
    expect(executions[0]?.faults).toEqual([]);
    expect(executions.length).toBe(24 * 2 * 3);
    const notes = (name: string): Set<string> => {
      const steps = executions.flatMap((execution) => execution.steps.filter((step) => step.name === name));
      return new Set(steps.map((step) => `${step.fault}: ${step.notes.map(({ event }) => event).join()}`));
    };
    expect(notes("main:a#1")).toEqual(new Set(["null: a 1"]));
    expect(notes("main:b#1")).toEqual(new Set(["null: b 2", "fail: b Error: main:b#1 was made to fail"]));
    expect(notes("main:c#1")).toEqual(new Set(["null: c 3", "fail: c Error: main:c#1 was made to fail", "hang: "]));
    expect([...notes("main:d#1")].join()).toMatch(/^null: d SyntaxError/);
    const hung = executions.find(({ faults }) => faults.some(({ kind }) => kind === "hang"));
    expect(hung?.left).toEqual([]);
  });

  test("Engine explores every option of choose()", async () => {
    const choosy = scenario("choosy", (world) => {
      const first = world.choose("first", ["a", "b", "c"]);
      const second = first === "b" ? world.choose("second", [undefined, null]) : world.choose("only", [0]);
      world.events("user", [[`${first} ${second}`, nothing]]);
    });
    const executions = await everyExecution(choosy);
    expect(executions.map((execution) => `${namesOf(execution)} ${execution.data}`)).toEqual([
      "user:a 0#1 0",
      "user:b undefined#1 1,0",
      "user:b null#1 1,1",
      "user:c 0#1 2",
    ]);
  });
});

describe("violations", () => {
  const violationOf = async (body: (world: World) => unknown): Promise<string | null> => {
    const { violation } = await run(body);
    return violation && `${violation.kind} | ${violation.name} | ${violation.detail} | ${violation.at}`;
  };
  const boom = (): never => {
    throw new TypeError("boom");
  };

  test.each<[string, (world: World) => unknown, string | null]>([
    ["an act that throws", (w) => w.events("u", [["x", boom]]), "error | u:x#1 | TypeError: boom | u:x#1"],
    [
      "an act that rejects",
      (w) => w.events("u", [["x", async () => boom()]]),
      "error | u:x#1 | TypeError: boom | u:x#1",
    ],
    [
      "an act that rejects later",
      (w) => w.events("u", [["x", () => w.delay("d").then(boom)]]),
      "error | u:x#1 | TypeError: boom | u:d#1",
    ],
    ["an act that may throw", (w) => w.events("u", [["x", boom, { mayReject: true }]]), null],
    ["an act that may reject", (w) => w.events("u", [["x", async () => boom(), { mayReject: true }]]), null],
    ["an actor that throws", (w) => w.actor("a", boom), "error | a:start#1 | TypeError: boom | a:start#1"],
    [
      "an actor that rejects",
      (w) => w.actor("a", () => w.delay("d").then(boom)),
      "error | a:start#1 | TypeError: boom | a:d#1",
    ],
    ["a body that throws", boom, "error | the scenario's body | TypeError: boom | null"],
    ["a body that rejects", async () => boom(), "error | the scenario's body | TypeError: boom | null"],
    [
      "a thenable that throws",
      (w) => w.actor("a", () => ({ then: boom })),
      "error | a:start#1 | TypeError: boom | a:start#1",
    ],
    [
      "an unhandled rejection",
      (w) => w.events("u", [["x", () => void Promise.reject(new Error("lost"))]]),
      "error | unhandled rejection | Error: lost | u:x#1",
    ],
    [
      "an unhandled rejection of undefined",
      () => void Promise.reject(),
      "error | unhandled rejection | undefined | null",
    ],
    [
      "a rejection handled in the same drain",
      () => {
        const rejected = Promise.reject(new Error("found"));
        void Promise.resolve().then(() => rejected.catch(nothing));
      },
      null,
    ],
    [
      "a rejection handled a delivery later",
      (w) => {
        const rejected = Promise.reject(new Error("late"));
        void w.delay("d").then(() => rejected.catch(nothing));
      },
      "error | unhandled rejection | Error: late | null",
    ],
    [
      "I/O whose rejection nobody handles",
      (w) => void w.io("x", boom),
      "error | unhandled rejection | TypeError: boom | main:x#1",
    ],
    [
      "a timer that throws",
      () => void setTimeout(boom, 3),
      "error | main:timer 3#1 | TypeError: boom | main:timer 3#1",
    ],
    [
      "an immediate that throws",
      () => void setImmediate(boom),
      "error | main:immediate#1 | TypeError: boom | main:immediate#1",
    ],
    [
      "an interval that throws",
      () => void setInterval(boom, 3),
      "error | main:interval 3#1 | TypeError: boom | main:interval 3#1",
    ],
    [
      "nextTick that throws",
      (w) => w.events("u", [["x", () => process.nextTick(boom)]]),
      "error | uncaught error | TypeError: boom | u:x#1",
    ],
    [
      "queueMicrotask that throws",
      (w) => w.events("u", [["x", () => queueMicrotask(boom)]]),
      "error | uncaught error | TypeError: boom | u:x#1",
    ],
    [
      "a listener that throws",
      (w) =>
        w.events("u", [
          [
            "x",
            () => {
              const target = new EventTarget();
              target.addEventListener("go", boom);
              target.dispatchEvent(new Event("go"));
            },
          ],
        ]),
      "error | uncaught error | TypeError: boom | u:x#1",
    ],
    [
      "something thrown that is no error",
      (w) => w.actor("a", () => Promise.reject({ code: 5 })),
      'error | a:start#1 | {"code":5} | a:start#1',
    ],
    [
      "something thrown that cannot be read",
      (w) =>
        w.actor("a", () =>
          Promise.reject({
            get code() {
              return boom();
            },
          }),
        ),
      'error | a:start#1 | {"code":"(cannot be read)"} | a:start#1',
    ],
    ["always false", (w) => w.always("c", () => false), "always | c | returned false | null"],
    ["always a string", (w) => w.always("c", () => "saw 2"), "always | c | saw 2 | null"],
    ["always an empty string", (w) => w.always("c", () => ""), "always | c |  | null"],
    ["always throwing", (w) => w.always("c", boom), "always | c | threw TypeError: boom | null"],
    [
      "always broken by a delivery",
      (w) => {
        let count = 0;
        w.always("c", () => count < 2 || `${count} at once`);
        w.events("u", [
          ["x", () => count++],
          ["y", () => count++],
          ["z", () => count++],
        ]);
      },
      "always | c | 2 at once | u:y#1",
    ],
    [
      "always within a drain only",
      (w) => {
        let count = 0;
        w.always("c", () => count === 0);
        w.events("u", [
          [
            "x",
            async () => {
              count++;
              await null;
              count--;
            },
          ],
        ]);
      },
      null,
    ],
    [
      "atQuiescence false",
      (w) => {
        void w.delay("d");
        w.atQuiescence("c", () => false);
      },
      "quiescence | c | returned false | main:d#1",
    ],
    ["atQuiescence throwing", (w) => w.atQuiescence("c", boom), "quiescence | c | threw TypeError: boom | null"],
    [
      "a stuck actor",
      (w) => w.actor("a", () => new Promise(nothing)),
      "stuck | a | nothing is left to deliver, and unsettled: a | a:start#1",
    ],
    [
      "stuck settles",
      (w) => void w.settles("turn", new Promise(nothing)),
      "stuck | turn | nothing is left to deliver, and unsettled: turn | null",
    ],
    [
      "settles that settle",
      (w) => {
        void w.settles("turn", w.delay("x"));
        w.settles("no", Promise.reject(new Error("known"))).catch(nothing);
      },
      null,
    ],
    ["an actor that ends", (w) => w.actor("a", () => w.delay("x")), null],
    ["losers of a race", (w) => w.actor("a", () => Promise.race([w.delay("x"), new Promise(nothing)])), null],
    [
      "no end",
      (w) =>
        w.actor("a", async () => {
          for (;;) await w.delay("x");
        }),
      "liveness | a | no quiescence within 1000 deliveries, nor within 1000 more without faults and in fair order; unsettled: a; a:x, over and over | a:x#1999",
    ],
  ])("Engine sees %s", async (_, body, expected) => {
    expect(await violationOf(body)).toBe(expected);
  });

  test("Engine stops at the first violation", async () => {
    const execution = await run((world) => {
      world.events("u", [
        ["x", () => Promise.reject(new Error("first"))],
        ["y", () => Promise.reject(new Error("second"))],
      ]);
      world.always("never asked", () => true);
    });
    expect(execution.violation?.detail).toBe("Error: first");
    expect(namesOf(execution)).toEqual(["u:x#1"]);
    expect(execution.left).toEqual(["u:y#1"]);
  });

  test("Engine does not carry anything of one execution into the next", async () => {
    const lateSettlers: (() => void)[] = [];
    const carrying = scenario("carrying", (world) => {
      for (const settle of lateSettlers.splice(0)) settle();
      void world.settles("mine", new Promise<void>((resolve) => lateSettlers.push(resolve)));
    });
    const stuck = "nothing is left to deliver, and unsettled: mine";
    for (let count = 0; count < 2; count++) expect((await firstCome(carrying)).violation?.detail).toBe(stuck);
    const executions = await everyExecution(
      scenario("twice", (world) => {
        void world.choose("data", [1, 2, 3]);
        for (const settle of lateSettlers.splice(0)) settle();
        void world.settles("mine", new Promise<void>((resolve) => lateSettlers.push(resolve)));
      }),
    );
    expect(executions.map(({ violation }) => violation?.detail)).toEqual([stuck, stuck, stuck]);
  });

  test("Engine goes on in fair order after the step limit", async () => {
    const five = scenario("five", (world) =>
      world.events(
        "u",
        ["1", "2", "3", "4", "5"].map((label) => [label, nothing]),
      ),
    );
    expect((await firstCome(five, { stepLimit: 5 })).violation).toBeNull();
    const { violation, steps } = await firstCome(five, { stepLimit: 4 });
    expect(violation).toBeNull();
    expect(steps.map(({ fair }) => fair === true)).toEqual([false, false, false, false, true]);
  });

  test("Engine keeps apart what belongs to an actor of an older execution", async () => {
    let resume: (() => void) | undefined;
    const leaking = scenario("leaking", (world) => {
      resume?.();
      world.actor("a", async () => {
        await new Promise<void>((resolve) => (resume = resolve));
        await world.delay("after the end");
      });
      void world.choose("data", [1, 2]);
    });
    await expect(everyExecution(leaking)).rejects.toThrow(
      "Cannot call world.delay(): its execution has ended; build everything that uses the world inside the scenario's body",
    );
  });
});

describe("quiescence", () => {
  test.each<[string, (world: World) => unknown]>([
    ["an interval", () => setInterval(nothing, 10)],
    [
      "a timer that re-arms itself",
      () => {
        const again = (): unknown => setTimeout(again, 10);
        again();
      },
    ],
    [
      "a timer that refreshes itself",
      () => {
        const timer = setTimeout(() => timer.refresh(), 10);
      },
    ],
    [
      "a loop of sleeps in the background",
      () => {
        void (async () => {
          for (;;) await new Promise((resolve) => setTimeout(resolve, 10));
        })();
      },
    ],
    [
      "an immediate that asks for itself",
      () => {
        const again = (): unknown => setImmediate(again);
        again();
      },
    ],
    [
      "several of them",
      () => {
        for (const ms of [10, 10, 15, 1_000]) setInterval(nothing, ms);
      },
    ],
  ])("Engine takes %s for quiescence", async (_, body) => {
    const execution = await run((world) => {
      body(world);
      world.events("u", [
        ["x", () => world.delay("y")],
        ["z", nothing],
      ]);
      world.atQuiescence("all was delivered", () => true);
    });
    expect(execution.violation).toBeNull();
    expect(namesOf(execution)).toEqual(expect.arrayContaining(["u:x#1", "u:y#1", "u:z#1"]));
    expect(execution.steps.length).toBeLessThan(600);
  });

  test.each<[string, (world: World, done: () => boolean) => unknown]>([
    [
      "sleeps",
      (_, done) =>
        (async () => {
          while (!done()) await new Promise((resolve) => setTimeout(resolve, 10));
        })(),
    ],
    [
      "immediates",
      (_, done) =>
        (async () => {
          while (!done()) await new Promise((resolve) => setImmediate(resolve));
        })(),
    ],
    [
      "an interval",
      (_, done) =>
        new Promise<void>((resolve) =>
          setInterval(() => {
            if (done()) resolve();
          }, 10),
        ),
    ],
  ])("Engine finds a loop that polls by %s stuck when nothing is left", async (_, poll) => {
    const forever = await run((world) => world.actor("poller", () => poll(world, () => false)));
    expect(forever.violation?.kind).toBe("stuck");
    expect(forever.violation?.detail).toBe("nothing is left to deliver, and unsettled: poller");
    const ended = await run((world) => {
      let done = false;
      world.actor("poller", () => poll(world, () => done));
      world.events("u", [["stop", () => (done = true)]]);
    });
    expect(ended.violation).toBeNull();
  });

  test.each([1, 2, 3, 5, 20, 100])(
    "Engine lets a loop of %i sleeps, ticks or yields come to its end",
    async (count) => {
      const sleeps = await run((world) =>
        world.actor("a", async () => {
          for (let round = 0; round < count; round++) await new Promise((resolve) => setTimeout(resolve, 10));
        }),
      );
      expect(sleeps.violation).toBeNull();
      const yields = await run((world) =>
        world.actor("a", async () => {
          for (let round = 0; round < count; round++) await new Promise((resolve) => setImmediate(resolve));
        }),
      );
      expect(yields.violation).toBeNull();
      const ticks = await run((world) => {
        let left = count;
        const interval = setInterval(() => {
          if (--left === 0) clearInterval(interval);
        }, 10);
        world.atQuiescence("all ticks came", () => left === 0 || `${left} ticks are left`);
      });
      expect(ticks.violation).toBeNull();
      expect(ticks.steps.at(-1)?.nowMs).toBe(10 * count);
    },
  );

  test("Engine waits for a timer that is far behind a heartbeat", async () => {
    const execution = await run((world) => {
      setInterval(nothing, 1_000);
      world.actor("a", () => new Promise((resolve) => setTimeout(resolve, 60_000)));
    });
    expect(execution.violation).toBeNull();
    expect(execution.steps.find(({ name }) => name === "a:timer 60000#1")?.nowMs).toBe(62_000);
  });

  test("Engine lets time pass while somebody spins on immediates", async () => {
    const execution = await run((world) => {
      let fired = false;
      setTimeout(() => (fired = true), 10);
      world.actor("a", async () => {
        while (!fired) await new Promise((resolve) => setImmediate(resolve));
      });
    });
    expect(execution.violation).toBeNull();
  });

  test("Engine does not count I/O that was made to hang", async () => {
    const hanging = scenario("hanging", (world) => void world.io("x", nothing, { mayHang: true }));
    const executions = await everyExecution(hanging);
    expect(executions.map(({ violation, left }) => [violation, left])).toEqual([
      [null, []],
      [null, []],
    ]);
  });
});

describe("orderings", () => {
  test("Engine follows an ordering by name", async () => {
    const two = scenario("two", (world) => {
      void world.delay("x");
      world.events("u", [
        ["a", nothing],
        ["b", nothing],
      ]);
    });
    const execution = await ordered(two, [{ first: "u:b#1", then: "main:x#1" }]);
    expect(namesOf(execution)).toEqual(["u:a#1", "u:b#1", "main:x#1"]);
  });
});

describe("big executions", () => {
  test("Engine delivers 5,000 events and a chain of 20,000 awaits", async () => {
    const steps = Array.from({ length: 5_000 }, (_, index): [string, () => unknown] => [
      `${index % 7}`,
      async () => null,
    ]);
    const big = scenario("big", (world) => {
      world.events("u", steps);
      world.actor("deep", async () => {
        for (let round = 0; round < 20_000; round++) await null;
        await world.delay("end");
      });
    });
    const execution = await firstCome(big, { stepLimit: 6_000 });
    expect(execution.violation).toBeNull();
    expect(execution.steps.length).toBe(5_002);
  });
});

describe("what strangers throw, return and ask for", () => {
  const hostile: readonly (readonly [string, () => unknown])[] = [
    [
      "a proxy that throws when asked what it is",
      () =>
        new Proxy(
          {},
          {
            getPrototypeOf: () => {
              throw new Error("no");
            },
          },
        ),
    ],
    [
      "an error whose stack throws",
      () =>
        Object.defineProperty(new Error("a"), "stack", {
          get: () => {
            throw new Error("no");
          },
        }),
    ],
    ["an error whose name is a symbol", () => Object.assign(new Error("a"), { name: Symbol("x") })],
    ["an error whose stack is no text", () => Object.assign(new Error("a"), { stack: Object.create(null) })],
    ["null", () => null],
  ];
  test.each(hostile)("Engine tells of %s, thrown or rejected", async (_, make) => {
    for (const act of [
      () => {
        throw make();
      },
      () => void Promise.reject(make()),
    ]) {
      const { violation } = await run((world) => world.events("user", [["go", act]]));
      expect(violation?.kind).toBe("error");
      expect(typeof violation?.detail).toBe("string");
    }
  });

  test("Engine charges a rejection in the last condition to its own execution", async () => {
    const { violation } = await run((world) => {
      world.atQuiescence("asks", () => {
        void Promise.reject(new Error("late"));
        return true;
      });
    });
    expect(violation).toMatchObject({ name: "unhandled rejection", detail: "Error: late" });
  });

  test("Engine refuses conditions that change the world", async () => {
    const running = run((world) => {
      world.atQuiescence("asks", () => {
        void world.delay("more");
        return true;
      });
    });
    await expect(running).rejects.toThrow("Cannot call world.delay() from a condition");
  });

  test("Engine calls process.exit() an error, wherever it is called", async () => {
    const { violation } = await run((world) => world.events("user", [["go", () => process.exit(0)]]));
    expect(violation).toMatchObject({ kind: "error", detail: "Error: process.exit(0) was called" });
  });

  test("Engine calls a body that never settles stuck", async () => {
    const { violation } = await run(async () => {
      await new Promise(() => undefined);
    });
    expect(violation).toMatchObject({ kind: "stuck", name: "the scenario's body" });
  });

  test("Engine keeps random draws the same where a strategy enumerates schedules", async () => {
    const draws = scenario("draws", (world) => {
      for (const name of ["a", "b", "c"]) {
        world.actor(name, async () => {
          if (Math.random() < 0.5) await world.delay();
          if (world.random() < 0.5) await world.delay();
        });
      }
    });
    for (const seed of ["1", "2", "3", "4", "5"]) {
      const result = await search(draws, { strategy: "depth-first", seed, executions: 10_000 });
      expect(result).toMatchObject({ outcome: "held" });
      const assumes = result.outcome === "held" ? (result.certificate?.assumes ?? []) : [];
      expect(assumes).toContain("random numbers are those of one draw from the seed");
    }
  });
});
