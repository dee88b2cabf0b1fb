import { describe, expect, test } from "vitest";
import { type Scenario, scenario, type Touches, type World } from "../scenario.ts";
import { search } from "../search.ts";
import { allOf } from "../testing/executions.ts";
import { classOf, smallPrograms, touchingScenario } from "../testing/touching-program.ts";
import { DepthFirst } from "./depth-first.ts";
import { Dpor } from "./dpor.ts";

const nothing = (): void => undefined;
const apart = { touches: {} };
const reads = (...names: string[]): { touches: Touches } => ({ touches: { reads: names } });
const writes = (...names: string[]): { touches: Touches } => ({ touches: { writes: names } });

/** A flow of I/O, one after the other, each touching what is said. */
function flow(world: World, name: string, steps: readonly { touches: Touches }[]): void {
  const walk = async (): Promise<void> => {
    for (const [at, touches] of steps.entries()) await world.io(`${name}:step ${at}`, nothing, touches);
  };
  world.actor(name, walk, apart);
}

/** Programs, how many classes they have, and how that is counted. */
const counted: readonly [name: string, classes: number, body: (world: World) => void][] = [
  // The reads are independent; w1 before w2 leaves two places for r2, and the other way round.
  [
    "two that read and write",
    4,
    (world) => {
      flow(world, "a", [reads("x"), writes("x")]);
      flow(world, "b", [reads("x"), writes("x")]);
    },
  ],
  [
    "five that share nothing",
    1,
    (world) => {
      for (const name of ["a", "b", "c", "d", "e"]) flow(world, name, [writes(name), writes(name)]);
    },
  ],
  // Each of three readers comes before or after the writer.
  [
    "three readers and a writer",
    8,
    (world) => {
      for (const name of ["a", "b", "c"]) flow(world, name, [reads("x")]);
      flow(world, "w", [writes("x")]);
    },
  ],
  [
    "three writers",
    6,
    (world) => {
      for (const name of ["a", "b", "c"]) flow(world, name, [writes("x")]);
    },
  ],
  // Both steps of the source write: the writer beside it has three places.
  [
    "an event source and a writer",
    3,
    (world) => {
      world.events("user", [
        ["one", nothing, writes("x")],
        ["two", nothing, writes("x")],
      ]);
      flow(world, "w", [writes("x")]);
    },
  ],
  // Only the end of a chain of three spawned deliveries meets the other's.
  [
    "spawned chains",
    2,
    (world) => {
      flow(world, "a", [apart, apart, writes("x")]);
      flow(world, "b", [apart, apart, writes("x")]);
    },
  ],
  // What comes first in one order never runs in another: the timer fires before, between the two steps, or never.
  [
    "a timer that is cleared",
    2,
    (world) => {
      const timer = setTimeout(() => world.note("fired"), 10);
      world.events("user", [["clear", () => clearTimeout(timer), apart]]);
    },
  ],
  // A choice of three, made in a delivery that nobody else meets.
  [
    "data",
    3,
    (world) => {
      world.actor("a", () => world.note(`${world.choose("data", [1, 2, 3])}`), apart);
      flow(world, "b", [writes("x")]);
    },
  ],
  // It fails, hangs or arrives; the other is before or after it.
  [
    "faults",
    6,
    (world) => {
      void world.io("a:call", nothing, { ...writes("x"), mayFail: true, mayHang: true }).catch(nothing);
      flow(world, "w", [writes("x")]);
    },
  ],
  // A timer overtakes the I/O, or comes after it.
  [
    "a timer beside I/O",
    2,
    (world) => {
      setTimeout(() => world.note("fired"), 10);
      void world.io("a:call", nothing, writes("x"));
    },
  ],
];

describe("Dpor", () => {
  test.each(counted)("runs each class once: %s", async (name, classes, body) => {
    const result = await search(scenario(name, body), { strategy: "dpor" });
    expect(result).toMatchObject({ outcome: "held", mistaken: [], certificate: { classes, level: "spec" } });
    const blocked = result.outcome === "held" ? (result.certificate?.blocked ?? 0) : 0;
    expect(result.executions).toBe(classes + blocked);
  });

  test("runs each class of random programs once, and no other", async () => {
    let classes = 0;
    for (const program of smallPrograms(40, 5)) {
      const subject = touchingScenario(program);
      const options = { overtakes: program.overtakes };
      const every = await allOf(subject, new DepthFirst("spec", null), options, 300);
      if (every === null) continue;
      const dpor = new Dpor();
      const executions = await allOf(subject, dpor, options, 1_000);
      expect(tally(executions ?? [])).toEqual(tally(every));
      const { exhausted } = dpor;
      expect(exhausted?.classes).toBe(tally(every).length);
      expect(executions?.length).toBe((exhausted?.classes ?? 0) + (exhausted?.blocked ?? 0));
      classes += exhausted?.classes ?? 0;
    }
    expect(classes).toBeGreaterThan(100);
  });

  test("finds the lost update, and a mutex that is never given back stuck", async () => {
    const lost = scenario("lost", (world) => {
      let x = 0;
      for (const name of ["a", "b"]) {
        const add = async (): Promise<void> => {
          const read = await world.io("read", () => x, reads("x"));
          await world.io("write", () => (x = read + 1), writes("x"));
        };
        world.actor(name, add, apart);
      }
      world.atQuiescence("both counted", () => x === 2 || `${x}`);
    });
    expect(await search(lost, { strategy: "dpor" })).toMatchObject({ outcome: "violated", violation: { detail: "1" } });
    const found = await search(deadlock(), { strategy: "dpor" });
    expect(found).toMatchObject({ outcome: "violated", violation: { kind: "stuck" } });
  });

  test("takes the same executions for the same options, and goes on where it was cut off", async () => {
    const subject = scenario("four", (world) => {
      flow(world, "a", [reads("x"), writes("x")]);
      flow(world, "b", [reads("x"), writes("x")]);
    });
    const runs = await Promise.all([0, 1].map(() => allOf(subject, new Dpor(), {}, 100)));
    expect(runs[0]?.map(classOf)).toEqual(runs[1]?.map(classOf));
    const again = await allOf(subject, new CutOff(), {}, 100);
    expect(again?.map(classOf)).toEqual(runs[0]?.map(classOf));
  });

  test("counts orders where something is undeclared, and says what", async () => {
    const subject = scenario("mixed", (world) => {
      flow(world, "a", [writes("x")]);
      for (const name of ["b", "c", "d", "e", "f", "g"]) void world.io(`${name}:call`, nothing);
    });
    const result = await search(subject, { strategy: "dpor", executions: 20_000 });
    expect(result).toMatchObject({ certificate: { of: "orders", classes: 5_040 } });
    const assumes = result.outcome === "held" ? (result.certificate?.assumes ?? []) : [];
    expect(assumes).toContain(
      "undeclared, so they touch everything: b:call, c:call, d:call, e:call, f:call, and 1 more",
    );
  });

  test("says what a certificate of classes assumes", async () => {
    const subject = scenario("two", (world) => {
      flow(world, "a", [writes("x")]);
      flow(world, "b", [writes("y")]);
    });
    const result = await search(subject, { strategy: "dpor" });
    if (result.outcome !== "held" || result.certificate === null) throw new Error(result.outcome);
    const { assumes, ...certificate } = result.certificate;
    // A process in which another test has broken the hooks cannot see leaks, and says that, too.
    const told = assumes.filter((each) => !each.startsWith("nothing leaks"));
    expect({ executions: result.executions, certificate: { ...certificate, assumes: told } }).toMatchObject({
      executions: 1,
      certificate: {
        classes: 1,
        of: "classes",
        blocked: 0,
        assumes: [
          "declared touches are complete, as checked in both orders on 2 pairs of families (2 samples each, at most 200 pairs)",
          "`always` conditions and goals are judged in one order of independent deliveries, and in 64 random ones",
          "I/O and events take no time: the clock moves only when a timer is delivered, and to its deadline exactly",
        ],
      },
    });
  });

  test("enumerates orders at level jitter, and says why", async () => {
    const subject = scenario("jitter", (world) => flow(world, "a", [writes("x")]));
    const result = await search(subject, { strategy: "dpor", level: "jitter" });
    const assumes = result.outcome === "held" ? (result.certificate?.assumes ?? []) : [];
    expect(assumes[0]).toBe("what arrives inside the drain of another delivery depends on it, so every order counts");
  });
});

describe("a wrong declaration", () => {
  const wrong = (differs: (world: World, order: string[]) => void): Scenario =>
    scenario("wrong", (world) => {
      const order: string[] = [];
      for (const name of ["a", "b"])
        void world.io(`${name}:call`, () => order.push(name), writes(name)).then(() => differs(world, order));
    });

  test("withholds the certificate and is named, with what it changes", async () => {
    const result = await search(
      wrong((world, order) => {
        if (order.length === 2) world.atQuiescence("the first one is a", () => order[0] === "a" || `${order}`);
        if (order.length === 2) void world.io(`next:${order[0]}`, nothing, apart);
      }),
      { strategy: "dpor" },
    );
    expect(result).toMatchObject({ outcome: "violated", violation: { detail: "b,a" } });
    const held = await search(
      wrong((world, order) => {
        if (order.length === 2) void world.io(`next:${order[0]}`, nothing, apart);
      }),
      { strategy: "dpor" },
    );
    const differs = "what is possible afterwards: next:a#1 or next:b#1";
    expect(held).toMatchObject({
      certificate: null,
      executions: 1,
      mistaken: [{ first: "a:call#1", then: "b:call#1", differs }],
    });
  });

  test("is seen in what deliveries note, and in the goals", async () => {
    const noted = await search(
      wrong((world, order) => world.note(`${order.length}th is ${order.at(-1)}`)),
      { strategy: "dpor" },
    );
    expect(noted).toMatchObject({
      certificate: null,
      mistaken: [{ differs: "what a:call#1 notes: 1th is a or 2th is a" }],
    });
    const goals = await search(
      wrong((world, order) => {
        if (order.length === 2) world.sometimes("b came first", () => order[0] === "b");
      }),
      { strategy: "dpor" },
    );
    expect(goals).toMatchObject({ mistaken: [{ differs: 'the goal "b came first": reached in one order only' }] });
  });
});

/** Two mutexes made of promises, taken in opposite orders. */
function deadlock(): Scenario {
  return scenario("deadlock", (world) => {
    const tails = new Map<string, Promise<void>>();
    const take = async (name: string): Promise<() => void> => {
      const before = tails.get(name) ?? Promise.resolve();
      let release = nothing;
      tails.set(
        name,
        before.then(() => new Promise((resolve) => (release = resolve))),
      );
      await before;
      return () => release();
    };
    for (const [name, first, then] of [
      ["a", "m", "n"],
      ["b", "n", "m"],
    ] as const) {
      const both = async (): Promise<void> => {
        const one = await take(first);
        await world.io(`${name}:work`, nothing, writes("m", "n"));
        const other = await take(then);
        other();
        one();
      };
      world.actor(name, both, writes(first, then));
    }
  });
}

/** Cuts each execution off once, before it tells anything. */
class CutOff extends Dpor {
  override next() {
    return super.next() === null ? null : super.again();
  }
}

function tally(executions: readonly Parameters<typeof classOf>[0][]): string[] {
  return [...new Set(executions.map(classOf))].sort();
}
