import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type Scenario, scenario, type World } from "../scenario.ts";
import { search } from "../search.ts";
import { everyExecution, namesOf, tracesOf } from "../testing/executions.ts";

const nothing = (): void => undefined;

/** What a delivery does: it asks for these, one after the other or all at once. */
type Ask = {
  readonly kind: "io" | "timer";
  readonly label: string;
  readonly ms: number;
  readonly then: readonly Ask[];
};
type Program = {
  readonly flows: readonly { readonly kind: "actor" | "events"; readonly steps: readonly (readonly Ask[])[] }[];
  readonly overtakes: number;
};

// The model: an independent, slow enumerator. It shares nothing with the engine but the rules of DESIGN section 4.

type Open = {
  readonly name: string;
  readonly source: string;
  readonly number: number;
  readonly kind: "io" | "timer" | "step";
  readonly ms: number;
  readonly deadline: number;
  readonly then: readonly Ask[];
  readonly flow: number;
};
type State = {
  readonly open: readonly Open[];
  readonly counts: Readonly<Record<string, number>>;
  readonly number: number;
  readonly now: number;
  readonly overtakes: number;
  /** Next step of each flow; for an actor, its chain goes on when its last ask was delivered. */
  readonly next: readonly number[];
};

function modelTraces(program: Program): string[] {
  const traces: string[] = [];
  const walk = (state: State, trace: readonly string[]): void => {
    const choices = modelPossible(program, state);
    if (choices.length === 0) traces.push(trace.join(" "));
    for (const choice of choices) walk(modelDeliver(state, choice), [...trace, choice.name]);
  };
  const next = program.flows.map(() => 0);
  walk({ open: [], counts: {}, number: 0, now: 0, overtakes: program.overtakes, next }, []);
  return traces;
}

function modelPossible({ flows }: Program, state: State): Open[] {
  const io = state.open.filter(({ kind }) => kind === "io");
  const timers = state.open.filter(({ kind }) => kind === "timer");
  const earliest = Math.min(...timers.map(({ deadline }) => deadline));
  const first = timers.filter(
    (timer) =>
      timer.deadline === earliest &&
      !timers.some((other) => other.deadline === earliest && other.ms === timer.ms && other.number < timer.number),
  );
  const steps = flows.flatMap((flow, index): Open[] => {
    const at = state.next[index] ?? 0;
    const step = flow.steps[at];
    if (step === undefined || (flow.kind === "actor" && at > 0)) return [];
    const source = `f${index}`;
    const name = flow.kind === "actor" ? `${source}:start#1` : `${source}:s${at}#1`;
    const then = flow.kind === "actor" ? flow.steps.flat() : step;
    return [{ name, source, number: 0, kind: "step", ms: 0, deadline: 0, then, flow: index }];
  });
  return [...io, ...(io.length === 0 || state.overtakes > 0 ? first : []), ...steps];
}

function modelDeliver(state: State, choice: Open): State {
  const now = choice.kind === "timer" ? Math.max(state.now, choice.deadline) : state.now;
  const counts = { ...state.counts };
  let { number } = state;
  const asked = choice.then.map((ask): Open => {
    const label = ask.kind === "timer" ? `timer ${ask.ms}` : ask.label;
    const [named, rest] = label.includes(":") ? label.split(":") : [choice.source, label];
    const source = named ?? "";
    const family = `${source}:${rest}`;
    counts[family] = (counts[family] ?? 0) + 1;
    const { kind, ms, then } = ask;
    return {
      name: `${family}#${counts[family]}`,
      source,
      number: number++,
      kind,
      ms,
      deadline: now + ms,
      then,
      flow: -1,
    };
  });
  const overtook = choice.kind === "timer" && state.open.some(({ kind }) => kind === "io");
  return {
    open: [...state.open.filter((other) => other !== choice), ...asked],
    counts,
    number,
    now,
    overtakes: state.overtakes - (overtook ? 1 : 0),
    next: state.next.map((at, flow) => (flow === choice.flow ? at + 1 : at)),
  };
}

// The same program as a scenario.

function scenarioOf(program: Program): Scenario {
  return scenario("a random program", (world) => {
    program.flows.forEach(({ kind, steps }, index) => {
      if (kind === "actor") world.actor(`f${index}`, () => perform(world, steps.flat()));
      else
        world.events(
          `f${index}`,
          steps.map((asks, at) => [`s${at}`, () => perform(world, asks)]),
        );
    });
  });
}

function perform(world: World, asks: readonly Ask[]): void {
  for (const ask of asks) {
    const then = (): void => perform(world, ask.then);
    if (ask.kind === "timer") setTimeout(then, ask.ms);
    else void world.delay(ask.label).then(() => then());
  }
}

const { ask } = fc.letrec<{ ask: Ask }>((tie) => ({
  ask: fc.record({
    kind: fc.constantFrom("io", "io", "timer"),
    label: fc.constantFrom("x", "y", "net:x", "net:z"),
    ms: fc.constantFrom(1, 2, 3, 4),
    then: fc.oneof(
      { depthSize: "small", maxDepth: 2, withCrossShrink: true },
      fc.constant([]),
      fc.array(tie("ask"), { maxLength: 2 }),
    ),
  }),
}));
const flow = fc.record({
  kind: fc.constantFrom("actor", "events", "events"),
  steps: fc.array(fc.array(ask, { maxLength: 2 }), { minLength: 1, maxLength: 2 }),
});
const programs = fc.record({
  flows: fc.array(flow, { minLength: 1, maxLength: 3 }),
  overtakes: fc.integer({ min: 0, max: 2 }),
});
const size = ({ flows }: Program): number => {
  const asks = (list: readonly Ask[]): number => list.reduce((sum, { then }) => sum + 1 + asks(then), 0);
  return flows.reduce((sum, { steps, kind }) => sum + (kind === "actor" ? 1 : steps.length) + asks(steps.flat()), 0);
};

describe("DepthFirst", () => {
  test("DepthFirst runs every order of a random program once, and no other", async () => {
    let orders = 0;
    let compared = 0;
    await fc.assert(
      fc.asyncProperty(
        programs.filter((program) => size(program) >= 3 && size(program) <= 7),
        async (program) => {
          const expected = modelTraces(program).sort();
          const executions = await everyExecution(scenarioOf(program), { overtakes: program.overtakes });
          expect(executions.map(({ violation }) => violation).filter((violation) => violation !== null)).toEqual([]);
          expect(executions.map((execution) => namesOf(execution).join(" ")).sort()).toEqual(expected);
          orders += expected.length;
          compared++;
        },
      ),
      { numRuns: 80, seed: 20, endOnFailure: false },
    );
    expect(compared).toBeGreaterThanOrEqual(60);
    expect(orders).toBeGreaterThan(1_000);
  });

  test("DepthFirst counts linear extensions of chains side by side", async () => {
    const chains = scenario("chains", (world) => {
      for (const source of ["a", "b", "c"])
        world.events(
          source,
          ["1", "2", "3"].map((label) => [label, nothing]),
        );
    });
    const result = await search(chains, { strategy: "depth-first", executions: 5_000 });
    // 9! / (3! 3! 3!)
    expect(result).toMatchObject({
      outcome: "held",
      executions: 1_680,
      certificate: { classes: 1_680, of: "orders", level: "spec", bounds: { deliveries: 9 } },
    });
  });

  test("DepthFirst gives no certificate where the budget ends first, and one where it just suffices", async () => {
    const six = scenario("six", (world) => [world.delay("a"), world.delay("b"), world.delay("c")]);
    const results = await Promise.all(
      [5, 6, 7].map((executions) => search(six, { strategy: "depth-first", executions })),
    );
    expect(
      results.map((result) => [result.executions, result.outcome === "held" && result.certificate?.classes]),
    ).toEqual([
      [5, undefined],
      [6, undefined],
      [6, 6],
    ]);
  });

  test("DepthFirst explores choices, faults and orders together", async () => {
    const mixed = scenario("mixed", (world) => {
      const count = world.choose("count", [1, 2]);
      for (let index = 0; index < count; index++)
        world.io("x", nothing, { mayFail: true, mayHang: true }).catch(nothing);
    });
    const executions = await everyExecution(mixed);
    expect(executions.length).toBe(3 + 2 * 9);
    expect(
      new Set(executions.map((execution) => JSON.stringify([execution.data, namesOf(execution), execution.faults])))
        .size,
    ).toBe(21);
  });

  test("DepthFirst does not lose or repeat orders after executions that end early", async () => {
    const early = scenario("early", (world) => {
      const order: string[] = [];
      for (const label of ["a", "b", "c"]) void world.delay(label).then(() => order.push(label));
      world.always("a comes first", () => order.length === 0 || order[0] === "a");
    });
    const traces = (await everyExecution(early)).map((execution) => namesOf(execution).join(" "));
    expect(traces).toEqual(["main:a#1 main:b#1 main:c#1", "main:a#1 main:c#1 main:b#1", "main:b#1", "main:c#1"]);
  });
});

describe("DepthFirst at level jitter", () => {
  /** A flag is true only between tick k and tick k + 1 of a chain; another delivery looks at it. */
  const window = (ticks: number, length: number): Scenario =>
    scenario(`a window of one tick at ${ticks}`, (world) => {
      let open = false;
      world.events("u", [
        [
          "chain",
          async () => {
            for (let tick = 1; tick <= length; tick++) {
              await null;
              open = tick === ticks;
            }
            open = false;
          },
        ],
      ]);
      world.events("v", [["look", () => world.note(open ? "open" : "closed")]]);
      world.events("w", [
        [
          "fail",
          () => {
            if (open) throw new Error("the window was open");
          },
        ],
      ]);
    });

  test.each([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12])(
    "DepthFirst finds what needs an arrival after tick %i, and not at spec",
    async (ticks) => {
      const racy = window(ticks, 13);
      const found = await search(racy, { strategy: "depth-first", level: "jitter", executions: 20_000 });
      expect(found).toMatchObject({
        outcome: "violated",
        level: "jitter",
        violation: { kind: "error", name: "w:fail#1" },
      });
      const late = found.outcome === "violated" ? found.execution.faults : [];
      expect(late.find(({ at }) => at === "w:fail#1")).toEqual({ at: "w:fail#1", kind: "late", arg: ticks + 1 });
      const atSpec = await search(racy, { strategy: "depth-first", executions: 20_000 });
      expect(atSpec).toMatchObject({ outcome: "held", certificate: { classes: 6 } });
    },
  );

  test.each([1, 6, 12])("placement, random and portfolio find what needs an arrival after tick %i", async (ticks) => {
    for (const strategy of ["placement", "random", "portfolio"] as const) {
      const found = await search(window(ticks, 13), { strategy, level: "jitter", executions: 4_000 });
      expect([strategy, found.outcome]).toEqual([strategy, "violated"]);
    }
  });

  test("DepthFirst tries every tick of the drain and none beyond, and longer delays tell nothing new", async () => {
    for (const length of [0, 1, 2, 5]) {
      const probe = (): Scenario =>
        scenario("probe", (world) => {
          let tick = 0;
          world.events("u", [
            [
              "chain",
              async () => {
                for (; tick < length; tick++) await null;
              },
            ],
          ]);
          world.events("v", [["look", () => void world.note(`saw ${tick}`)]]);
        });
      const seen = (executions: Awaited<ReturnType<typeof everyExecution>>): string[] =>
        [
          ...new Set(executions.map(({ steps }) => JSON.stringify(steps.map(({ name, notes }) => [name, notes])))),
        ].sort();
      const measured = await everyExecution(probe(), { level: "jitter" });
      const longer = await everyExecution(probe(), { level: "jitter", jitterTicks: length + 9 });
      expect(seen(longer)).toEqual(seen(measured));
      const late = measured.flatMap(({ faults }) => faults.filter(({ at }) => at === "v:look#1").map(({ arg }) => arg));
      // One more tick than the chain has: the watch of the act's promise runs after it.
      expect(late.sort()).toEqual(Array.from({ length: length + 1 }, (_, index) => index + 1));
    }
  });

  test("DepthFirst lets no timer or immediate arrive inside a drain", async () => {
    const timed = scenario("timed", (world) => {
      setTimeout(nothing, 1);
      setImmediate(nothing);
      void world.delay("x").then(nothing);
      world.events("u", [
        [
          "chain",
          async () => {
            await null;
            await null;
          },
        ],
      ]);
    });
    const executions = await everyExecution(timed, { level: "jitter" });
    const late = new Set(executions.flatMap(({ faults }) => faults.map(({ at }) => at)));
    expect(late).toEqual(new Set(["main:x#1", "u:chain#1"]));
  });

  test("DepthFirst contains every spec order among those of jitter", async () => {
    const program = (): Scenario =>
      scenario("nested", (world) => {
        world.actor("a", async () => {
          await world.delay("x");
          await null;
        });
        world.events("u", [["go", () => world.delay("y")]]);
      });
    const spec = tracesOf(await everyExecution(program()));
    const executions = await everyExecution(program(), { level: "jitter" });
    expect(tracesOf(executions)).toEqual(expect.arrayContaining(spec));
    const full = executions.map(({ steps }) => steps.map(({ name, tick }) => `${name}@${tick}`).join(" "));
    expect(new Set(full).size).toBe(full.length);
  });

  test("DepthFirst finds an arrival before a callback of queueMicrotask or nextTick", async () => {
    for (const later of ["queueMicrotask", "nextTick"]) {
      const batching = scenario("batching", (world) => {
        let scheduled = false;
        world.events("u", [
          [
            "add",
            () => {
              scheduled = true;
              const flush = (): boolean => (scheduled = false);
              if (later === "nextTick") process.nextTick(flush);
              else queueMicrotask(flush);
            },
          ],
        ]);
        world.events("v", [
          [
            "read",
            () => {
              if (scheduled) throw new Error("not flushed");
            },
          ],
        ]);
      });
      expect((await search(batching, { strategy: "depth-first" })).outcome).toBe("held");
      expect((await search(batching, { strategy: "depth-first", level: "jitter" })).outcome).toBe("violated");
    }
  });
});
