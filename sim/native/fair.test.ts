import { describe, expect, test } from "vitest";
import type { Chooser, PossibleDelivery } from "../execution.ts";
import type { ExploreOptions } from "../result.ts";
import { scenario, type World } from "../scenario.ts";
import { FirstComeChooser } from "../strategy.ts";
import { executed, firstCome, namesOf } from "../testing/executions.ts";
import { FairOrder, fairLimitOf } from "./fair.ts";
import { recurring } from "./recurrence.ts";

/** Takes what comes from `favourite` whenever it can, and strikes every I/O that it can. */
class Starving extends FirstComeChooser {
  readonly asked: string[] = [];
  readonly told: string[] = [];
  readonly #favourite: string;

  constructor(favourite: string) {
    super(false);
    this.#favourite = favourite;
  }

  override delivery(possible: readonly PossibleDelivery[] = [], count = 0): number {
    this.asked.push("delivery");
    return Math.max(
      0,
      possible.slice(0, count).findIndex(({ source }) => source === this.#favourite),
    );
  }

  override companion(): number {
    this.asked.push("companion");
    return 0;
  }

  override data(): number {
    this.asked.push("data");
    return 1;
  }

  override fault(): number {
    this.asked.push("fault");
    return 1;
  }

  override delivered(delivery?: PossibleDelivery): void {
    this.told.push(delivery?.name ?? "");
  }
}

function run(body: (world: World) => void, chooser: Chooser, options: ExploreOptions = {}) {
  return executed(scenario("fair", body), chooser, options);
}

describe("the fair phase", () => {
  test("ends a program in which a poller was starved of what it polls for", async () => {
    const starving = new Starving("poller");
    const execution = await run((world) => {
      let done = false;
      world.actor("poller", async () => {
        while (!done) await world.io("poll", () => 0);
      });
      world.events("user", [["finish", () => (done = true)]]);
    }, starving);
    expect(execution.violation).toBeNull();
    expect(execution.left).toEqual([]);
    const finish = execution.steps.find(({ name }) => name === "user:finish#1");
    expect(finish).toMatchObject({ fair: true, possible: ["user:finish#1"], chosen: 0 });
    expect(starving.told).toHaveLength(1_000);
  });

  test("asks the chooser nothing: no faults, no late arrivals, the first option of each choice", async () => {
    const chooser = new Starving("a");
    const options = { level: "jitter", stepLimit: 10 } as const;
    const execution = await run(
      (world) =>
        world.actor("a", async () => {
          for (;;) {
            const answer = await world
              .io("call", () => world.choose("answer", ["yes", "no"]), { mayFail: true })
              .catch(() => "");
            if (answer === "yes") return;
          }
        }),
      chooser,
      options,
    );
    expect(execution.violation).toBeNull();
    expect(execution.steps.filter(({ fault }) => fault !== null)).toHaveLength(9);
    expect(namesOf(execution)).toHaveLength(11);
    expect(execution.data).toEqual([]);
    expect(chooser.asked.filter((what) => what === "fault")).toHaveLength(9);
  });

  test("leaves hung what was made to hang", async () => {
    const { violation } = await run(
      (world) => {
        world.actor("a", () => world.io("call", () => 0, { mayHang: true }));
        world.events("u", [
          ["1", () => undefined],
          ["2", () => undefined],
        ]);
      },
      new Starving("a"),
      { stepLimit: 2 },
    );
    expect(violation).toMatchObject({ kind: "stuck", name: "a" });
  });

  test("judges conditions at quiescence as ever", async () => {
    const broken = scenario("broken", (world) => {
      world.events("u", [
        ["1", () => undefined],
        ["2", () => undefined],
      ]);
      world.atQuiescence("never", () => false);
    });
    expect((await firstCome(broken, { stepLimit: 1 })).violation).toMatchObject({ kind: "quiescence", name: "never" });
  });

  test("lets a timer fire that an endless loop of I/O has overtaken", async () => {
    const { violation } = await run((world) => {
      let late = false;
      setTimeout(() => (late = true), 1_000);
      world.actor("a", async () => {
        while (!late) await world.io("poll", () => 0);
      });
    }, new Starving("a"));
    expect(violation).toBeNull();
  });

  // Oldest first would let the time-out strike each time, because it is armed before its I/O is asked for.
  test("gives I/O the time that its time-out grants", async () => {
    const { violation } = await run((world) => {
      world.actor("a", async () => {
        for (let answered = false; !answered; ) {
          let timer: ReturnType<typeof setTimeout> | undefined;
          const timeout = new Promise((resolve) => (timer = setTimeout(resolve, 30_000)));
          const call = world.io("call", () => (answered = true), { mayFail: true });
          await Promise.race([timeout, call]).catch(() => undefined);
          clearTimeout(timer);
        }
      });
    }, new Starving("a"));
    expect(violation).toBeNull();
  });

  test("names what recurs, what is unsettled, and what was not due yet", async () => {
    const body = (world: World): void => {
      world.actor("agent", async () => {
        setTimeout(() => undefined, 60_000);
        for (;;) {
          await world.io("poll", () => 0);
          await new Promise((resolve) => setTimeout(resolve, 10));
        }
      });
      world.actor("idle", () => undefined);
    };
    const { violation, left } = await firstCome(scenario("retries", body), { stepLimit: 20 });
    expect(violation).toEqual({
      kind: "liveness",
      name: "agent",
      detail:
        "no quiescence within 20 deliveries, nor within 500 more without faults and in fair order; unsettled: agent; " +
        "agent:poll, agent:timer 10, over and over; not due yet: agent:timer 60000#1 (at 60000 ms)",
      at: "agent:timer 10#259",
    });
    expect(left).toEqual(["agent:poll#260", "agent:timer 60000#1"]);
  });

  test("is endless without anybody waiting, too", async () => {
    const { violation } = await firstCome(
      scenario("background", (world) => {
        const again = (): Promise<void> => world.io("sync", () => 0).then(again);
        void again();
      }),
    );
    expect(violation).toMatchObject({ kind: "liveness", name: "no quiescence" });
    expect(violation?.detail).toContain("in fair order; main:sync, over and over");
  });
});

describe("FairOrder", () => {
  test("passes no kind of delivery over for more than 32 times in a row", () => {
    const order = new FairOrder();
    const possible = (["io", "timer", "event", "immediate"] as const).map((kind) => delivery(kind));
    const picked = Array.from({ length: 500 }, () => order.pick(possible, 4));
    for (const index of [0, 1, 2, 3]) {
      const gaps = picked
        .flatMap((each, at) => (each === index ? [at] : []))
        .map((at, nth, all) => at - (all[nth - 1] ?? -1));
      // Three kinds may become due in one moment.
      expect(Math.max(...gaps)).toBeLessThanOrEqual(36);
    }
  });

  test("takes the first-come one until then", () => {
    const order = new FairOrder();
    expect(order.pick([delivery("io"), delivery("timer")], 1)).toBe(0);
    expect(order.pick([delivery("immediate"), delivery("io")], 2)).toBe(0);
  });
});

describe("recurring()", () => {
  test.each([
    ["a", ["a"], true],
    ["ab", ["a", "b"], true],
    ["aab", ["a", "b"], true],
    ["abcd", ["a", "b", "c", "d"], true],
  ])("finds the cycle of %s", (cycle, names, found) => {
    const delivered = ["x", "y", "z", ...cycle.repeat(40)];
    expect(recurring(delivered).cycle).toBe(found);
    expect([...recurring(delivered).names].sort()).toEqual(names);
  });

  test("tells the most frequent where there is no cycle", () => {
    const delivered = Array.from({ length: 100 }, (_, at) => (at % 2 === 0 ? "a" : `b${at}`));
    expect(recurring(delivered)).toEqual({ names: ["a"], cycle: false });
    expect(recurring(["a", "b", "c", "d"])).toEqual({ names: ["c", "d"], cycle: false });
  });

  test("stands nothing on its head when nothing was delivered", () => {
    expect(recurring([])).toEqual({ names: [], cycle: false });
  });
});

test("fairLimitOf() is the step limit again, and at least 500", () => {
  expect([1, 500, 1_000].map(fairLimitOf)).toEqual([500, 500, 1_000]);
});

function delivery(kind: PossibleDelivery["kind"]): PossibleDelivery {
  return { name: kind, source: kind, kind, family: { id: 1, label: kind }, touches: null, observed: null };
}
