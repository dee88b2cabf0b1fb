import * as fastCheck from "fast-check";
import { describe, expect, expectTypeOf, test } from "vitest";
import { fastCheckUntilViolation } from "../../bench/search/fast-check.ts";
import { cancelWindow } from "../../bench/search/programs/cancel-window.ts";
import { lateCompletion } from "../../bench/search/programs/late-completion.ts";
import { midWindow } from "../../bench/search/programs/mid-window.ts";
import { fc } from "./index.ts";
import { scheduler } from "./scheduler.ts";

type Run = (s: fc.Scheduler) => Promise<void>;

/** What fast-check shows its scheduler with: its guide, its tutorial, and the interface's own notes. */
const programs: Readonly<Record<string, Run>> = {
  async promises(s) {
    for (const label of ["a", "b", "c"]) void s.schedule(Promise.resolve(label), label);
    void s.schedule(Promise.reject(new Error("no")), "d").catch(() => undefined);
    expect(s.count()).toBe(4);
    await s.waitAll();
    expect(s.count()).toBe(0);
  },
  async functions(s) {
    const seen: number[] = [];
    const call = s.scheduleFunction(async function call(value: number) {
      return value;
    });
    await s.waitFor(Promise.all([1, 2, 3].map((value) => call(value).then((got) => seen.push(got)))));
    expect(seen.toSorted()).toEqual([1, 2, 3]);
  },
  async sequences(s) {
    const log: string[] = [];
    const one = s.scheduleSequence([
      { builder: async () => log.push("1a"), label: "1a", metadata: { step: 1 } },
      { builder: async () => log.push("1b"), label: "1b" },
      async function named() {
        log.push("1c");
      },
    ]);
    const other = s.scheduleSequence([async () => log.push("2a"), async () => Promise.reject(new Error("no"))]);
    await s.waitIdle();
    expect([one.done, one.faulty, other.done, other.faulty]).toEqual([true, false, false, true]);
    expect(await one.task).toEqual({ done: true, faulty: false });
    expect(log.filter((line) => line.startsWith("1"))).toEqual(["1a", "1b", "1c"]);
  },
  async chains(s) {
    const step = async (who: string, steps: number): Promise<void> => {
      for (let nth = 0; nth < steps; nth++) await s.schedule(Promise.resolve(nth), `${who} ${nth}`);
    };
    await s.waitFor(Promise.all([step("a", 3), step("b", 4), step("c", 1)]));
  },
  async counts(s) {
    for (const label of ["a", "b", "c", "d"]) void s.schedule(Promise.resolve(), label);
    await s.waitNext(2);
    expect(s.count()).toBe(2);
    await s.waitOne();
    expect(s.report().map(({ status }) => status)).toEqual(["resolved", "resolved", "resolved", "pending"]);
    await s.waitIdle();
  },
};

describe.each(Object.entries(programs))("scheduler() on %s", (_, run) => {
  test("gives what fast-check's own gives for the same order", async () => {
    const orders = new Set<string>();
    await fc.assert(
      fc.asyncProperty(scheduler(), async (ours) => {
        await run(ours);
        const order = ours.report().map(({ taskId }) => taskId);
        orders.add(order.join());
        const theirs = fc.schedulerFor(order);
        await run(theirs);
        expect(ours.report()).toEqual(theirs.report());
        expect(ours.toString().replace(/ \/\*.*\*\/$/s, "")).toBe(theirs.toString());
      }),
      { seed: 1, numRuns: 200 },
    );
    expect(orders.size).toBeGreaterThan(3);
  });

  test("gives the same runs from the same seed", async () => {
    const told = async (): Promise<string[]> => {
      const all: string[] = [];
      const property = fc.asyncProperty(scheduler(), async (s) => {
        await run(s);
        all.push(String(s));
      });
      await fc.assert(property, { seed: 5, numRuns: 50 });
      return all;
    };
    expect(await told()).toEqual(await told());
  });
});

test("scheduler() has the types of fast-check's, and fc is fast-check with it", () => {
  expectTypeOf(scheduler<number>()).toEqualTypeOf<fastCheck.Arbitrary<fastCheck.Scheduler<number>>>();
  expectTypeOf(fc.scheduler).toEqualTypeOf(fastCheck.scheduler);
  expectTypeOf<fc.Scheduler>().toEqualTypeOf<fastCheck.Scheduler>();
  expect(fc.scheduler).toBe(scheduler);
  expect(fc.integer).toBe(fastCheck.integer);
  const missing = Object.keys(fastCheck).filter((name) => name !== "default" && !(name in fc));
  expect(missing).toEqual([]);
});

test("act wrappers are called in fast-check's order: the global one, the wait's, the task's", async () => {
  const calls = async (make: (act: fc.SchedulerConstraints) => fc.Arbitrary<fc.Scheduler>): Promise<string[]> => {
    const log: string[] = [];
    const act =
      (name: string) =>
      async (f: () => Promise<void>): Promise<void> => {
        log.push(`${name} begins`);
        await f();
        log.push(`${name} ends`);
      };
    const [s] = fc.sample(make({ act: act("global") }), { seed: 1, numRuns: 1 });
    void s?.schedule(Promise.resolve(), "a", undefined, act("task"));
    await s?.waitNext(1, act("wait"));
    return log;
  };
  const ours = await calls(scheduler);
  expect(ours.slice(0, 3)).toEqual(["global begins", "wait begins", "task begins"]);
  expect(ours).toEqual(await calls(fastCheck.scheduler));
});

/** The queue of fast-check's tutorial, which starts every call at once and hands out answers by the last one asked. */
function queue<T>(call: (value: number) => Promise<T>): (value: number) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve();
  return (value) => {
    const current = call(value);
    const returned = last.then(() => current);
    last = current;
    return returned;
  };
}

const inOrder = (schedulers: fc.Arbitrary<fc.Scheduler>) =>
  fc.asyncProperty(schedulers, fc.integer({ min: 1, max: 12 }), async (s, count) => {
    const seen: number[] = [];
    const queued = queue(s.scheduleFunction(async (value: number) => value));
    const all = Array.from({ length: count }, (_, id) => queued(id).then((value) => seen.push(value)));
    await s.waitFor(Promise.all(all));
    expect(seen).toEqual(Array.from({ length: count }, (_, id) => id));
  });

describe("a failing run of scheduler()", () => {
  test.each([1, 2, 3, 4])("shrinks to few orderings, and so does the value beside it, from seed %i", async (seed) => {
    const details = await fc.check(inOrder(scheduler()), { seed });
    const [failing, count] = details.counterexample ?? [];
    expect(count).toBe(3);
    expect(String(failing).match(/came before/g)).toHaveLength(1);
  });

  test("overtakes less than one of fast-check's, which does not shrink", async () => {
    const overtaken = async (schedulers: fc.Arbitrary<fc.Scheduler>): Promise<number> => {
      let count = 0;
      for (const seed of [1, 2, 3, 4, 5, 6]) {
        const { counterexample } = await fc.check(inOrder(schedulers), { seed });
        const order = counterexample?.[0].report().map(({ taskId }) => taskId) ?? [];
        count += order.filter((id, at) => order.slice(0, at).some((earlier) => earlier > id)).length;
      }
      return count;
    };
    expect(await overtaken(scheduler())).toBe(6);
    expect(await overtaken(fastCheck.scheduler())).toBeGreaterThan(6);
  });

  test("is the same by its path, in a run of its own", async () => {
    const details = await fc.check(inOrder(scheduler()), { seed: 3 });
    const path = details.counterexamplePath ?? "";
    const again = await fc.check(inOrder(scheduler()), { seed: 3, path, endOnFailure: true });
    expect(path).toContain(":");
    expect(again.numRuns).toBe(1);
    expect(fc.stringify(again.counterexample)).toBe(fc.stringify(details.counterexample));
  });

  test("is pasted back as an order of fast-check's own", async () => {
    const details = await fc.check(inOrder(scheduler()), { seed: 3 });
    const [failing, count = 0] = details.counterexample ?? [];
    const pasted = new Function("schedulerFor", `return ${String(failing)}`)(fastCheck.schedulerFor);
    expect(
      (await fc.check(inOrder(fc.constant(pasted)), { examples: [[pasted, count]], endOnFailure: true })).failed,
    ).toBe(true);
  });

  test("needs no schedule where the code fails by itself", async () => {
    const property = fc.asyncProperty(scheduler(), async (s) => {
      for (const label of ["a", "b", "c"]) void s.schedule(Promise.resolve(), label);
      await s.waitAll();
      throw new Error("always");
    });
    const details = await fc.check(property, { seed: 4 });
    const order = details.counterexample?.[0].report().map(({ taskId }) => taskId);
    expect(order).toEqual([1, 2, 3]);
    expect(String(details.counterexample?.[0])).not.toContain("came before");
  });

  test("a label cannot end the comment that the orderings stand in", async () => {
    const property = fc.asyncProperty(scheduler(), async (s) => {
      const seen: string[] = [];
      for (const label of ["*/ a", ""]) void s.schedule(Promise.resolve(), label).then(() => seen.push(label));
      await s.waitAll();
      expect(seen[0]).toBe("*/ a");
    });
    const details = await fc.check(property, { seed: 1 });
    expect(String(details.counterexample?.[0])).toContain('/*\n  Task 2 came before "* / a" (task 1).\n*/');
  });
});

test("scheduler() runs commands of a model", async () => {
  class Add implements fc.AsyncCommand<{ count: number }, { add(): Promise<void>; count: number }> {
    check(): boolean {
      return true;
    }
    async run(model: { count: number }, real: { add(): Promise<void>; count: number }): Promise<void> {
      model.count++;
      // Not awaited: fast-check releases nothing else while a command runs.
      void real.add();
    }
    toString(): string {
      return "add";
    }
  }
  const property = fc.asyncProperty(
    scheduler(),
    fc.commands([fc.constant(new Add())], { maxCommands: 5 }),
    async (s, commands) => {
      const real = {
        count: 0,
        async add(): Promise<void> {
          const read = this.count;
          await s.schedule(Promise.resolve(), "save");
          this.count = read + 1;
        },
      };
      await fc.scheduledModelRun(s, () => ({ model: { count: 0 }, real }), commands);
    },
  );
  await fc.assert(property, { seed: 1, numRuns: 30 });
});

describe("scheduler() is independent of the values beside it", () => {
  const labels = ["a", "b", "c", "d"];
  const values = fc.noBias(fc.tuple(...[3, 2, 1].map((max) => fc.integer({ min: 0, max }))));

  async function places(s: fc.Scheduler): Promise<string> {
    const order: string[] = [];
    for (const label of labels) void s.schedule(Promise.resolve(), label).then(() => order.push(label));
    await s.waitAll();
    return [0, 1, 2]
      .map((step) => labels.filter((label) => !order.slice(0, step).includes(label)).indexOf(order[step] ?? ""))
      .join();
  }

  async function repeated(schedulers: fc.Arbitrary<fc.Scheduler>): Promise<number> {
    let count = 0;
    const property = fc.asyncProperty(schedulers, values, async (s, drawn) => {
      if ((await places(s)) === drawn.join()) count++;
    });
    await fc.assert(property, { numRuns: 2_000, seed: 1 });
    return count;
  }

  test("no choice repeats what a value was made of; each of fast-check's does", async () => {
    // One in 24, by chance: 83 of 2,000.
    expect(Math.abs((await repeated(scheduler())) - 2_000 / 24)).toBeLessThan(36);
    expect(await repeated(fastCheck.scheduler())).toBe(2_000);
  });

  test("two of them in one property differ; two of fast-check's are the same", async () => {
    const equal = async (schedulers: fc.Arbitrary<fc.Scheduler>): Promise<number> => {
      let count = 0;
      const property = fc.asyncProperty(schedulers, schedulers, async (one, other) => {
        if ((await places(one)) === (await places(other))) count++;
      });
      await fc.assert(property, { numRuns: 500, seed: 1 });
      return count;
    };
    expect(await equal(scheduler())).toBeLessThan(100);
    expect(await equal(fastCheck.scheduler())).toBe(500);
  });
});

describe.each([lateCompletion, cancelWindow, midWindow])("$name, within 1,000 runs", (program) => {
  const cap = 1_000;
  const seeds = [1, 2, 3, 4, 5, 6];

  test("is found by scheduler() from most seeds, and by fast-check's from none", async () => {
    const found: (number | null)[] = [];
    for (const seed of seeds) found.push(await fastCheckUntilViolation(program, seed, cap, scheduler()));
    expect(found.filter((runs) => runs !== null).length, found.join()).toBeGreaterThanOrEqual(5);
    expect(await fastCheckUntilViolation(program, 1, cap)).toBeNull();
  });
});
