import { describe, expect, test } from "vitest";
import { planOf } from "../../sim/bounds.ts";
import { conflict } from "../../sim/dependence.ts";
import type { Chooser, Execution, TraceStep } from "../../sim/execution.ts";
import { Random, streamSeed } from "../../sim/random.ts";
import type { Ordering } from "../../sim/result.ts";
import { type NativeRunner, withRunner } from "../../sim/runner.ts";
import { ScheduleChooser } from "../../sim/schedule.ts";
import { RandomWalk } from "../../sim/strategies/random.ts";
import { FirstComeChooser } from "../../sim/strategy.ts";
import { others, programs } from "./all.ts";
import { fastCheckUntilViolation } from "./fast-check.ts";
import { untilExhausted } from "./measure.ts";
import { scenarioOf, usual, type Variant } from "./microloom.ts";
import type { Program } from "./program.ts";

const all = [...programs, ...others].map((program): [string, Program] => [program.name, program]);

/** What has to be held, over the first-come schedule, for the defect to show; by hand, and nothing of it is in vain. */
const failing: Readonly<Record<string, readonly Ordering[]>> = {
  lostUpdate: [{ first: "b:read#1", then: "a:write#1" }],
  cancelWindow: [{ first: "user:cancel#1", then: "turn:commit#1" }],
  lateCompletion: [{ first: "stream:chunk#40", then: "fetch:answer#1" }],
  midWindow: [{ first: "user:abort#1", then: "stream:chunk#28" }],
  disposeMaint: [{ first: "flusher:flush#1", then: "maintenance:end#1" }],
  leaseDeadlock: [{ first: "b:lock file 2#1", then: "a:lock file 2#1" }],
  staleGen: [{ first: "turn 2:piece#1", then: "turn 1:end#1" }],
  twoWindows: [
    { first: "reader:read left#1", then: "left:chunk#8" },
    { first: "reader:read right#1", then: "right:chunk#6" },
  ],
  lostWakeup: [{ first: "producer:signal#1", then: "consumer:register#1" }],
  cacheFill: [
    { first: "reader 1:query#1", then: "writer:update#1" },
    { first: "writer:invalidate#1", then: "reader 1:store#1" },
  ],
  twoPhaseCommit: [
    { first: "deadline:expire#1", then: "billing:vote#1" },
    { first: "coordinator:commit stock#1", then: "deadline:abort stock#1" },
  ],
  cursorClose: [
    { first: "cursor:render#2", then: "viewer:close#1" },
    { first: "report:borrow#1", then: "cursor:page 3#1" },
    { first: "export:borrow#1", then: "report:give back#1" },
  ],
  retryBackoff: [
    { first: "webhook:settle#1", then: "janitor:forget keys#1" },
    { first: "janitor:forget keys#1", then: "payment:attempt 2#1" },
  ],
  semaphoreHandoff: [
    { first: "preview:ask#1", then: "upload:give back#1" },
    { first: "upload:give back#1", then: "user:give up#1" },
  ],
  unsubscribeDelivery: [
    { first: "bus:open to sidebar#1", then: "toolbar:unsubscribe#1" },
    { first: "sidebar:unsubscribe#1", then: "bus:open to editor#1" },
  ],
  batchWindow: [
    { first: "web:receive 4#1", then: "sink:write 1#1" },
    { first: "web:receive 5#1", then: "sink:write 2#1" },
  ],
  leaseRenewal: [
    { first: "standby:timer 120#1", then: "leader:answer#1" },
    { first: "writer 1:write#1", then: "leader:answer#2" },
  ],
  paginationInsert: [
    { first: "lister:page at 0#1", then: "importer:insert zoe#1" },
    { first: "editor:delete ben#1", then: "lister:page at 3#1" },
  ],
};
const walks = 12;
const swapsOfEach = 6;
const deadlocks = ["leaseDeadlock", "lostWakeup", "semaphoreHandoff"];

describe.each(all)("%s", (name, program) => {
  const orderings = failing[name] ?? [];

  test("holds on the first-come schedule", () =>
    withProgram(program, usual, async (runner) => {
      const { violation, ambiguous } = await runner.run(new FirstComeChooser(false), { watch: "origins" });
      expect(violation).toBeNull();
      expect(ambiguous).toEqual([]);
      expect(runner.leaks()).toEqual([]);
    }));

  test("violates under its orderings, and under no fewer of them", () =>
    withProgram(program, usual, async (runner) => {
      const chooser = new ScheduleChooser({ orderings, faults: [], data: [] });
      const { violation, left } = await runner.run(chooser);
      expect(violation?.kind === "stuck").toBe(deadlocks.includes(name));
      expect(violation).not.toBeNull();
      expect(chooser.outcome(left).unmet).toEqual([]);
      for (const one of orderings) {
        const without = { orderings: orderings.filter((other) => other !== one), faults: [], data: [] };
        expect((await runner.run(new ScheduleChooser(without))).violation, `without ${one.then}`).toBeNull();
      }
    }));

  test("reports nothing where it is not to, whatever the orderings", () =>
    withProgram(program, { ...usual, reported: false }, async (runner) => {
      expect((await runner.run(new ScheduleChooser({ orderings, faults: [], data: [] }))).violation).toBeNull();
    }));

  test("declares no touches in its undeclared twin", () =>
    withProgram(program, { ...usual, declared: false }, async (runner) => {
      const { steps } = await runner.run(new FirstComeChooser(false));
      expect(steps.filter(({ touches }) => touches !== null)).toEqual([]);
    }));

  test("ends where it ended when two neighbours that are declared independent change places", async () => {
    let look: () => unknown = () => undefined;
    const onStart = (started: () => unknown): void => {
      look = started;
    };
    let swaps = 0;
    await withProgram(program, { ...usual, onStart }, (runner) => {
      const walk = new RandomWalk(streamSeed(name, "schedule"), "spec");
      const random = new Random(streamSeed(`${name}, swaps`, "schedule"));
      const jobs: Job[] = [];
      const swap = (execution: Execution, places: readonly number[], end: unknown): Job => {
        const order = execution.steps.map((step) => step.name);
        const place = places[random.below(places.length)] ?? 0;
        const [one = "", other = ""] = order.slice(place, place + 2);
        const swapped = order.toSpliced(place, 2, other, one);
        return {
          chooser: () => new ListChooser(swapped),
          ended(turned) {
            expect(turned.steps.map((step) => step.name)).toEqual(swapped);
            expect(endOf(turned, look), `${one} and ${other}`).toEqual(end);
            swaps++;
          },
        };
      };
      for (let nth = 0; nth < walks; nth++) {
        jobs.push({
          chooser: () => walk.next(nth),
          ended(execution) {
            const [places, end] = [independentNeighbours(execution), endOf(execution, look)];
            for (let sample = 0; sample < swapsOfEach && places.length > 0; sample++) {
              jobs.push(swap(execution, places, end));
            }
          },
        });
      }
      return runAll(runner, jobs);
    });
    expect(swaps).toBeGreaterThan(walks);
  });
});

test.each(others.map((program): [string, Program] => [program.name, program]))(
  "%s is of the size of a real defect",
  (name, program) =>
    withProgram(program, usual, async (runner) => {
      const { steps } = await runner.run(new FirstComeChooser(false));
      expect(steps.length).toBeGreaterThanOrEqual(15);
      expect(steps.length).toBeLessThanOrEqual(60);
      const sources = new Set(steps.map(({ source }) => source)).size;
      expect(sources).toBeGreaterThanOrEqual(3);
      expect(sources).toBeLessThanOrEqual(8);
      const needed = failing[name]?.length ?? 0;
      expect(needed).toBeGreaterThanOrEqual(2);
      expect(needed).toBeLessThanOrEqual(4);
    }),
);

/** Counted by hand, but for the one of `leaseDeadlock`: that is what the strategy gave, all of them distinct. */
const classes: Readonly<Record<string, number>> = {
  lostUpdate: 4,
  cancelWindow: 23,
  lateCompletion: 41,
  midWindow: 41,
  disposeMaint: 11,
  leaseDeadlock: 36,
  staleGen: 67,
  twoWindows: 169,
  lostWakeup: 3,
};

test.each(programs.map((program): [string, Program] => [program.name, program]))(
  "%s has as many classes as it is known for, and what it declares is certified",
  async (name, program) => {
    const total = await untilExhausted("dpor", program, { cap: 1_000, declared: true });
    expect(total.classes).toBe(classes[name]);
  },
);

test("fastCheckUntilViolation() finds the lost update, and is the same from the same seed", async () => {
  const [lostUpdate] = programs;
  if (lostUpdate === undefined) throw new Error("There is no program");
  const runs = await fastCheckUntilViolation(lostUpdate, 1, 300);
  expect(runs).toBeGreaterThan(0);
  expect(await fastCheckUntilViolation(lostUpdate, 1, 300)).toBe(runs);
});

function withProgram(program: Program, variant: Variant, body: (runner: NativeRunner) => Promise<void>): Promise<void> {
  const subject = scenarioOf(program, variant);
  return withRunner(subject, planOf(subject).settings, body);
}

type Job = { chooser(): Chooser; ended(execution: Execution): void };

/** Runs all, those that are added meanwhile included, in as few macrotasks as the engine can. */
async function runAll(runner: NativeRunner, jobs: Job[]): Promise<void> {
  let at = -1;
  await runner.batch({
    index: 0,
    next() {
      runner.engine.tracer.detailed = true;
      at++;
      return jobs[at]?.chooser() ?? null;
    },
    again: () => jobs[at]?.chooser() ?? new FirstComeChooser(false),
    ended: () => jobs[at]?.ended(runner.tell()),
  });
}

/** What an execution has come to; whose report was first does not matter. */
function endOf({ violation, left }: Execution, look: () => unknown): unknown {
  return { violated: violation?.detail ?? null, left: [...left].sort(), state: JSON.stringify(look()) };
}

/** Places of steps that could as well have come after the one behind them. An end that a violation made is left out. */
function independentNeighbours({ steps, violation }: Execution): number[] {
  const places: number[] = [];
  const usable = violation === null || violation.kind === "stuck" ? steps.length : steps.length - 1;
  for (let place = 0; place + 1 < usable; place++) {
    const [one, other] = [steps[place], steps[place + 1]];
    if (one === undefined || other === undefined) continue;
    if (one.possible.includes(other.name) && !conflict(touching(one), touching(other))) places.push(place);
  }
  return places;
}

function touching({ source, touches, observed }: TraceStep): Parameters<typeof conflict>[0] {
  return { source, touches, observed };
}

/** Takes what a list says, in its order. */
class ListChooser extends FirstComeChooser {
  readonly #names: readonly string[];
  #at = 0;

  constructor(names: readonly string[]) {
    super(false);
    this.#names = names;
  }

  override delivery(possible?: readonly { readonly name: string }[], count = 0): number {
    const name = this.#names[this.#at];
    const index = possible?.findIndex((delivery, at) => at < count && delivery.name === name) ?? -1;
    if (index < 0) throw new Error(`${name} is not possible`);
    return index;
  }

  override delivered(): void {
    this.#at++;
  }
}
