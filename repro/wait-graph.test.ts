/** Who waits for whom, in planted deadlocks, lost wake-ups and hung I/O. Lines are found by the comments that mark them. */
import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { forceDrain } from "../sim/native/jobs.ts";
import type { Wait, WaitGraph } from "../sim/result.ts";
import { type Scenario, scenario, type World } from "../sim/scenario.ts";
import { type ExploreResult, explore } from "./explore.ts";
import { replay } from "./replay.ts";

const source = readFileSync(import.meta.filename, "utf8").split("\n");

/** Hands itself on to the next of a list of waiters. */
class Lock {
  #held = false;
  readonly #waiters: (() => void)[] = [];

  async acquire(): Promise<void> {
    if (this.#held) await new Promise<void>((resolve) => this.#waiters.push(resolve)); // the waiter's entry
    this.#held = true;
  }

  release(): void {
    this.#held = false;
    this.#waiters.shift()?.();
  }
}

/** Each waits for the promise of whoever came before. */
class Chain {
  #tail: Promise<void> = Promise.resolve();

  async acquire(): Promise<() => void> {
    const before = this.#tail;
    let release = (): void => undefined;
    this.#tail = new Promise<void>((resolve) => (release = resolve)); // the holder's promise
    await before; // in the queue
    return release;
  }
}

const locks = scenario("two locks", (world) => {
  const [f1, f2] = [new Lock(), new Lock()];
  const move = async (from: Lock, to: Lock) => {
    await from.acquire();
    await world.io("disk:want the other", () => undefined);
    await to.acquire(); // the second lock
    to.release();
    from.release();
  };
  world.actor("A", () => move(f1, f2));
  world.actor("B", () => move(f2, f1));
});

const chains = scenario("two chains", (world) => {
  const [f1, f2] = [new Chain(), new Chain()];
  const move = async (from: Chain, to: Chain) => {
    const release = await from.acquire();
    await world.io("disk:want the other", () => undefined);
    const releaseOther = await to.acquire();
    releaseOther();
    release();
  };
  world.actor("A", () => move(f1, f2));
  world.actor("B", () => move(f2, f1));
});

describe("wait-for graph", () => {
  test("of two locks: where each waits, and what for; who holds is not known, so no circle is told", async () => {
    const graph = await graphOf(locks);
    expect(graph).toMatchObject({ seen: "all", more: 0, cycle: [] });
    expect(graph.waits.map(brief)).toEqual([
      "A | await 'the second lock' | await 'the waiter's entry' | code, made at 'the waiter's entry' by A in disk:want the other#1",
      "B | await 'the second lock' | await 'the waiter's entry' | code, made at 'the waiter's entry' by B in disk:want the other#2",
    ]);
  });

  test("of two chains: each waits for what the other has made", async () => {
    const graph = await graphOf(chains);
    expect(graph.cycle).toEqual(["A", "B"]);
    expect(graph.waits.map(brief)).toEqual([
      "A | await | await 'in the queue' | code, made at 'the holder's promise' by B in B:start#1",
      "B | await | await 'in the queue' | code, made at 'the holder's promise' by A in A:start#1",
    ]);
  });

  test("of actors that wait for each other's promise", async () => {
    const graph = await graphOf(
      scenario("each other", (world) => {
        const flows: Promise<unknown>[] = [];
        const first = (async () => {
          await world.delay("begin");
          await flows[1];
        })();
        const second = first.then(() => "done");
        flows.push(world.settles("first", first), world.settles("second", second));
      }),
    );
    expect(graph.cycle).toEqual(["first", "second"]);
    expect(graph.waits.map(({ who, root }) => [who, root])).toEqual([
      ["first", { kind: "other", who: "second" }],
      ["second", { kind: "other", who: "first" }],
    ]);
  });

  test("of a lost wake-up", async () => {
    const graph = await graphOf(
      scenario("lost wake-up", (world) => {
        let wake = (): void => undefined;
        world.actor("driver", async () => {
          await world.io("look", () => undefined);
          await new Promise<void>((resolve) => (wake = resolve)); // asleep
        });
        world.events("user", [["send", () => wake()]]);
      }),
    );
    expect(graph.waits.map(brief)).toEqual([
      "driver | await 'asleep' | code, made at 'asleep' by driver in driver:look#1",
    ]);
  });

  test("of I/O that was made to hang, through Promise.all and what was resolved with it", async () => {
    const graph = await graphOf(
      scenario("hung", (world) => {
        const read = async () => world.io("disk:read", () => 1, { mayHang: true }); // hung
        world.actor("A", async () => {
          await Promise.all([world.delay("pause"), read()]); // both
        });
      }),
    );
    expect(graph.waits.map(brief)).toEqual([
      "A | await 'both' | all 'both' | resolved with | hung disk:read#1, made at 'hung' by A in A:start#1",
    ]);
  });

  test("of a timer that was cancelled", async () => {
    const graph = await graphOf(
      scenario("cancelled", (world) => {
        let timer: ReturnType<typeof setTimeout> | undefined;
        const sleep = () => new Promise<void>((resolve) => (timer = setTimeout(resolve, 100))); // nap
        world.actor("A", () => sleep().then(() => "rested"));
        world.events("user", [["cancel", () => clearTimeout(timer)]]);
      }),
    );
    expect(graph.waits.map(brief)).toEqual(["A | then | cancelled A:timer 100#1, made at 'nap' by A in A:start#1"]);
  });

  test("of a driver whose whenIdle() never settles", async () => {
    class Driver {
      readonly #idle: (() => void)[] = [];
      #running: Promise<void> | null = null;
      readonly #world: World;
      constructor(world: World) {
        this.#world = world;
      }
      wake(): void {
        // The forgotten case: what comes while it is closing neither runs nor tells those who wait.
        if (this.#running === null) this.#running = this.#drive();
      }
      whenIdle(): Promise<void> {
        if (this.#running === null) return Promise.resolve();
        return new Promise((resolve) => this.#idle.push(resolve)); // when idle
      }
      async #drive(): Promise<void> {
        await this.#world.io("agent:model", () => undefined);
        for (const tell of this.#idle.splice(0)) tell();
        await this.#world.io("agent:close", () => undefined);
        this.#running = null;
      }
    }
    const graph = await graphOf(
      scenario("when idle", (world) => {
        const driver = new Driver(world);
        world.events("user", [["send", () => driver.wake()]]);
        world.actor("waiter", async () => {
          await world.delay("a while");
          await world.settles("idle", driver.whenIdle()); // waits
        });
      }),
    );
    expect(graph.waits.map(brief)).toEqual([
      "waiter | await 'waits' | other idle",
      "idle | code, made at 'when idle' by waiter in waiter:a while#1",
    ]);
  });

  test("of generators that drive promises, as compiled for an older target", async () => {
    const run = (body: () => Generator<Promise<unknown>, void>) =>
      new Promise<void>((resolve) => {
        const flow = body();
        const step = (): void => {
          const next = flow.next();
          if (next.done) resolve();
          else next.value.then(step); // step
        };
        step();
      });
    const graph = await graphOf(
      scenario("compiled", (world) => {
        world.actor("A", () =>
          run(function* () {
            yield world.delay("one");
            yield world.delay("two");
            yield new Promise(() => undefined); // nobody
          }),
        );
      }),
    );
    expect(graph.waits.map(brief)).toEqual(["A | executor 'step' | code, made at 'nobody' by A in A:two#1"]);
  });

  const older = Promise.resolve("settled before");
  const settledAtOnce: readonly (readonly [string, (world: World) => Promise<unknown>])[] = [
    ["null", async () => await null],
    ["undefined", async () => await undefined],
    ["an object", async () => await { then: undefined }],
    ["a settled promise", async () => await Promise.resolve(1)],
    ["a promise that was settled before", async () => await older],
    ["a call that has nothing to wait for", async () => await (async () => 1)()],
    ["a thenable", async () => await { then: (resolve: () => void) => resolve() }],
    ["a delivery", async (world) => await world.delay("pause")],
  ];
  test.each(settledAtOnce)("of one who has awaited %s before", async (_what, awaited) => {
    const graph = await graphOf(
      scenario("no longer lost", (world) => {
        const never = () => new Promise(() => undefined); // never
        world.actor("first", async () => {
          await awaited(world);
          await never(); // the wait
        });
        world.actor("between", async () => {
          await world.delay("pause");
          await awaited(world);
          for (let turn = 0; turn < 3; turn++) await awaited(world);
          await never(); // a later wait
        });
      }),
    );
    expect(graph.waits.map(brief)).toEqual([
      expect.stringMatching(/^first \| await 'the wait' \| code, made at 'never' by first in first:/),
      expect.stringMatching(/^between \| await 'a later wait' \| code, made at 'never' by between in between:pause#/),
    ]);
  });

  test.each([
    ["null", null],
    ["undefined", undefined],
    ["a settled promise", older],
  ])("of one who awaits %s itself before, in its own body", async (_what, value) => {
    const graph = await graphOf(
      scenario("no longer lost", (world) => {
        const inner = async (): Promise<void> => {
          await value;
          await new Promise(() => undefined); // inside
        };
        world.actor("first", async () => {
          await value;
          await inner(); // the wait
        });
        world.actor("between", async () => {
          await world.delay("pause");
          for (let turn = 0; turn < 3; turn++) await value;
          await inner(); // a later wait
        });
      }),
    );
    expect(graph.waits.map(brief)).toEqual([
      "first | await 'the wait' | await 'inside' | code, made at 'inside' by first in first:start#1",
      "between | await 'a later wait' | await 'inside' | code, made at 'inside' by between in between:pause#1",
    ]);
  });

  test("of one who awaits what is no promise, and never calls back", async () => {
    const graph = await graphOf(
      scenario("thenable", (world) => {
        const callsNobody: object = { then: () => undefined };
        world.actor("A", async () => {
          await null;
          await callsNobody; // thenable
        });
      }),
    );
    expect(graph.waits.map(brief)).toEqual(["A | await 'thenable' | unknown, made at 'thenable' by A in A:start#1"]);
  });

  test("of a thousand waiters stays small", async () => {
    const graph = await graphOf(
      scenario("crowd", { stepLimit: 2_000 }, (world) => {
        const waiters: (() => void)[] = [];
        world.actor("crowd", () =>
          Promise.all(
            Array.from({ length: 1_000 }, (_, at) =>
              world.settles(`waiter ${at}`, new Promise<void>((resolve) => waiters.push(resolve))),
            ),
          ),
        );
      }),
    );
    expect(graph.waits.map(({ who, alike, root }) => [who, alike, root.kind])).toEqual([["waiter 0", 99, "code"]]);
    expect(graph.more).toBe(901);
    expect(JSON.stringify(graph).length).toBeLessThan(2_000);
  });

  test("of a livelock: who waits, and what comes over and over", async () => {
    const polling = scenario("polling", { stepLimit: 50 }, (world) => {
      const poll = () => world.io("service:poll", () => 0); // polls
      let served = (): void => undefined;
      const turn = new Promise<void>((resolve) => (served = resolve));
      world.actor("shop", async () => {
        await null;
        while ((await poll()) === 0); // for ever
        served();
      });
      world.actor("guest", async () => {
        await turn; // behind it
      });
    });
    const { violation, repro } = await violated(polling);
    expect(violation.kind).toBe("liveness");
    const { waits, kept } = violation.waits ?? { waits: [] };
    expect(waits.map(({ who, links, root }) => `${who}${marked(links.at(0)?.at ?? null)} ${root.kind}`)).toEqual([
      "shop 'for ever' open",
      "guest 'behind it' code",
    ]);
    expect(kept).toMatchObject({ by: "deliveries", starved: [] });
    expect(kept?.what.map(({ name, at }) => `${name}${marked(at)}`)).toEqual(["service:poll 'polls'"]);
    expect((await replay(polling, repro)).violation).toEqual(violation);
  });

  test("of a livelock in which nobody is unsettled says what comes over and over, and what is starved", async () => {
    const graph = await graphOf(
      scenario("again", { stepLimit: 50 }, (world) => {
        const again = (): void => {
          world.note("again");
          setTimeout(again, 1); // again
        };
        again();
        setTimeout(() => undefined, 60_000);
      }),
    );
    expect(graph).toMatchObject({ waits: [], more: 0, cycle: [], kept: { starved: ["main:timer 60000#1"] } });
    expect(graph.kept?.what.map(({ name, at }) => `${name}${marked(at)}`)).toEqual(["main:timer 1 'again'"]);
  });

  test("is the same when the repro is replayed", async () => {
    for (const each of [locks, chains]) {
      const found = await violated(each);
      expect(await replay(each, found.repro)).toMatchObject({ outcome: "violated", violation: found.violation });
      expect(JSON.parse(JSON.stringify(found.violation))).toEqual(found.violation);
    }
  });

  test("says of each promise who called the line that made it, up to the drain", async () => {
    const never = (): Promise<void> => new Promise<void>(() => undefined);
    const asks = (): Promise<void> => never();
    const graph = await graphOf(scenario("nobody answers", (world) => world.actor("A", async () => await asks())));
    const called = graph.waits.at(0)?.links.at(-1)?.made.calledBy ?? [];
    expect(called.map((frame) => frame.replace(/\d+:\d+/, "line"))).toEqual([
      "at asks (repro/wait-graph.test.ts:line)",
      "at repro/wait-graph.test.ts:line",
    ]);
  });

  test("says less where hooks cannot be used", async () => {
    forceDrain(false);
    try {
      expect(await graphOf(locks)).toEqual({
        seen: "none",
        waits: ["A", "B"].map((who) => ({ who, alike: 0, made: null, links: [], root: { kind: "unknown" } })),
        more: 0,
        cycle: [],
      });
    } finally {
      forceDrain(null);
    }
  });

  test("comes with no other violation", async () => {
    const { violation } = await violated(scenario("broken", (world) => world.always("never", () => false)));
    expect(violation).not.toHaveProperty("waits");
  });
});

async function violated(made: Scenario): Promise<Extract<ExploreResult, { outcome: "violated" }>> {
  const result = await explore(made, { executions: 200 });
  if (result.outcome !== "violated") throw new Error(`"${made.name}" ${result.outcome}`);
  return result;
}

async function graphOf(made: Scenario): Promise<WaitGraph> {
  const { violation } = await violated(made);
  if (violation.waits === undefined) throw new Error(`"${made.name}" has no wait-for graph: ${violation.detail}`);
  return violation.waits;
}

/** In one line, with the comments that stand at the lines. */
function brief({ who, links, made, root }: Wait): string {
  const way = links.map(({ how, at }) => `${how}${marked(at)}`);
  const end = links.at(-1)?.made ?? made;
  if (root.kind === "other") return [who, ...way, `other ${root.who}`].join(" | ");
  const what = "delivery" in root ? `${root.kind} ${root.delivery}` : root.kind;
  const where = end === null ? "" : `, made at${marked(end.at)} by ${end.by} in ${end.within}`;
  return [who, ...way, `${what}${where}`].join(" | ");
}

function marked(at: { readonly file: string; readonly line: number } | null): string {
  if (at === null) return "";
  expect(at.file).toBe("repro/wait-graph.test.ts");
  const comment = /\/\/ (.*)$/.exec(source[at.line - 1] ?? "")?.[1];
  return comment === undefined ? "" : ` '${comment}'`;
}
