/**
 * The programs of `wait-graph.test.ts` and `liveness.test.ts` in which somebody is left waiting, as a text, so that they run
 * as they are and lowered. Lines are found by the comments that mark them.
 */
import { compileFunction } from "node:vm";
import { lower } from "../../sim/lowering/lower.ts";
import { type Scenario, scenario } from "../../sim/scenario.ts";
import "../../sim/microtask/runtime.ts";

/** What they are called in stacks; the second one is known as lowered. */
const files = {
  plain: `${import.meta.dirname}/plain-programs.js`,
  lowered: `${import.meta.dirname}/lowered-programs.js`,
};

export type Programs = Readonly<Record<string, Scenario>>;

/** `older`: a promise of before every execution. */
const parameters = ["scenario", "older"];

/** As they are written. */
export function plainPrograms(text: string): Programs {
  return run(text, files.plain);
}

export function loweredPrograms(text: string): Programs {
  return run(lower(text, { file: files.lowered, sourceType: "script" }).code, files.lowered);
}

function run(text: string, filename: string): Programs {
  const program = compileFunction(text, parameters, { filename });
  return Reflect.apply(program, undefined, [scenario, Promise.resolve("settled before")]);
}

export const waitingPrograms = `
class Lock {
  #held = false;
  #waiters = [];
  async acquire() {
    if (this.#held) await new Promise((resolve) => this.#waiters.push(resolve)); // the waiter's entry
    this.#held = true;
  }
  release() {
    this.#held = false;
    this.#waiters.shift()?.();
  }
}

class Chain {
  #tail = Promise.resolve();
  async acquire() {
    const before = this.#tail;
    let release = () => undefined;
    this.#tail = new Promise((resolve) => (release = resolve)); // the holder's promise
    await before; // in the queue
    return release;
  }
}

class Driver {
  #idle = [];
  #running = null;
  #world;
  constructor(world) {
    this.#world = world;
  }
  wake() {
    if (this.#running === null) this.#running = this.#drive();
  }
  whenIdle() {
    if (this.#running === null) return Promise.resolve();
    return new Promise((resolve) => this.#idle.push(resolve)); // when idle
  }
  async #drive() {
    await this.#world.io("agent:model", () => undefined);
    for (const tell of this.#idle.splice(0)) tell();
    await this.#world.io("agent:close", () => undefined);
    this.#running = null;
  }
}

const run = (body) =>
  new Promise((resolve) => {
    const flow = body();
    const step = () => {
      const next = flow.next();
      if (next.done) resolve();
      else next.value.then(step); // step
    };
    step();
  });

const awaited = {
  null: async () => await null,
  undefined: async () => await undefined,
  "an object": async () => await { then: undefined },
  "a settled promise": async () => await Promise.resolve(1),
  "a promise of one's own class": async () => await (class extends Promise {}).resolve(1),
  "a call that has nothing to wait for": async () => await (async () => 1)(),
  "a thenable": async () => await { then: (resolve) => resolve() },
  "a delivery": async (world) => await world.delay("pause"),
};
const awaitedBefore = Object.entries(awaited).map(([what, wait]) => [
  "awaited before: " + what,
  scenario("awaited before", (world) => {
    const never = () => new Promise(() => undefined); // never
    world.actor("first", async () => {
      await wait(world);
      await never(); // the wait
    });
    world.actor("between", async () => {
      await world.delay("pause");
      await wait(world);
      for (let turn = 0; turn < 3; turn++) await wait(world);
      await never(); // a later wait
    });
  }),
]);
const itself = [["null", null], ["undefined", undefined], ["a settled promise", () => Promise.resolve(1)]];
const awaitedItself = itself.map(([what, value]) => [
  "awaits itself before: " + what,
  scenario("awaits itself before", (world) => {
    const given = typeof value === "function" ? value() : value;
    const inner = async () => {
      await given;
      await new Promise(() => undefined); // inside
    };
    world.actor("first", async () => {
      await given;
      await inner(); // the wait
    });
    world.actor("between", async () => {
      await world.delay("pause");
      for (let turn = 0; turn < 3; turn++) await given;
      await inner(); // a later wait
    });
  }),
]);

return {
  ...Object.fromEntries(awaitedBefore),
  ...Object.fromEntries(awaitedItself),
  "two locks": scenario("two locks", (world) => {
    const [f1, f2] = [new Lock(), new Lock()];
    const move = async (from, to) => {
      await from.acquire();
      await world.io("disk:want the other", () => undefined);
      await to.acquire(); // the second lock
      to.release();
      from.release();
    };
    world.actor("A", () => move(f1, f2));
    world.actor("B", () => move(f2, f1));
  }),
  "two chains": scenario("two chains", (world) => {
    const [f1, f2] = [new Chain(), new Chain()];
    const move = async (from, to) => {
      const release = await from.acquire();
      await world.io("disk:want the other", () => undefined);
      const releaseOther = await to.acquire(); // the other lock
      releaseOther();
      release();
    };
    world.actor("A", () => move(f1, f2));
    world.actor("B", () => move(f2, f1));
  }),
  "each other": scenario("each other", (world) => {
    const flows = [];
    const first = (async () => {
      await world.delay("begin");
      await flows[1]; // the second
    })();
    const second = first.then(() => "done"); // the first
    flows.push(world.settles("first", first), world.settles("second", second));
  }),
  "lost wake-up": scenario("lost wake-up", (world) => {
    let wake = () => undefined;
    world.actor("driver", async () => {
      await world.io("look", () => undefined);
      await new Promise((resolve) => (wake = resolve)); // asleep
    });
    world.events("user", [["send", () => wake()]]);
  }),
  hung: scenario("hung", (world) => {
    const read = async () => world.io("disk:read", () => 1, { mayHang: true }); // hung
    world.actor("A", async () => {
      await Promise.all([world.delay("pause"), read()]); // both
    });
  }),
  cancelled: scenario("cancelled", (world) => {
    let timer;
    const sleep = () => new Promise((resolve) => (timer = setTimeout(resolve, 100))); // nap
    world.actor("A", () => sleep().then(() => "rested")); // rested
    world.events("user", [["cancel", () => clearTimeout(timer)]]);
  }),
  "when idle": scenario("when idle", (world) => {
    const driver = new Driver(world);
    world.events("user", [["send", () => driver.wake()]]);
    world.actor("waiter", async () => {
      await world.delay("a while");
      await world.settles("idle", driver.whenIdle()); // waits
    });
  }),
  compiled: scenario("compiled", (world) => {
    world.actor("A", () =>
      run(function* () {
        yield world.delay("one");
        yield world.delay("two");
        yield new Promise(() => undefined); // nobody
      }),
    );
  }),
  thenable: scenario("thenable", (world) => {
    const callsNobody = { then: () => undefined };
    world.actor("A", async () => {
      await null;
      await callsNobody; // thenable
    });
  }),
  "thousand waiters": scenario("crowd", { stepLimit: 2_000 }, (world) => {
    const waiters = [];
    world.actor("crowd", () =>
      Promise.all(
        Array.from({ length: 1_000 }, (_, at) =>
          world.settles("waiter " + at, new Promise((resolve) => waiters.push(resolve))), // one of them
        ),
      ),
    );
  }),
  polling: scenario("polling", { stepLimit: 50 }, (world) => {
    const poll = () => world.io("service:poll", () => 0); // polls
    let served = () => undefined;
    const turn = new Promise((resolve) => (served = resolve)); // the turn
    world.actor("shop", async () => {
      await null;
      while ((await poll()) === 0); // for ever
      served();
    });
    world.actor("guest", async () => {
      await turn; // behind it
    });
  }),
  again: scenario("again", { stepLimit: 50 }, (world) => {
    const again = () => {
      world.note("again");
      setTimeout(again, 1); // again
    };
    again();
    setTimeout(() => undefined, 60_000);
  }),
  "retries for ever": scenario("retries for ever", { stepLimit: 60 }, (world) => {
    let stopped = false;
    let answered = false;
    world.actor("agent", async () => {
      await world.io("model", () => (answered = !stopped));
      while (!answered) {
        await world.io("poll", () => undefined); // polls
        await world.io("retry", () => undefined); // retries
      }
    });
    world.events("user", [
      ["look", () => undefined],
      ["stop", () => (stopped = true)],
    ]);
    world.actor("other", () => world.delay("pause"));
  }),
  "woken by somebody else": scenario("woken", (world) => {
    let wake = () => undefined;
    const gate = new Promise((resolve) => (wake = resolve)); // the gate
    const never = () => new Promise(() => undefined); // never
    world.actor("A", async () => {
      await gate;
      await never(); // woken
    });
    world.actor("B", () => gate.then(() => never())); // then
    world.actor("C", async () => {
      let made;
      await new Promise((resolve) => queueMicrotask(() => process.nextTick(() => void gate.then(resolve))));
      await new Promise((resolve) => queueMicrotask(() => resolve((made = never())))); // microtask
      return made;
    });
    world.events("user", [["send", () => wake()]]);
  }),
  "a promise with resolvers": scenario("resolvers", (world) => {
    const gate = async (promise) => {
      await promise; // at the gate
    };
    let open;
    world.actor("A", () => gate(new Promise((resolve) => (open = resolve))).finally(() => open)); // finally
  }),
  "the first of several": scenario("the first of several", (world) => {
    const never = () => new Promise(() => undefined); // never
    world.actor("race", async () => {
      await Promise.race([never(), never()]); // raced
    });
    world.actor("any", async () => {
      await Promise.any([never(), Promise.reject(new Error("no"))]); // any
    });
    world.actor("all settled", async () => {
      await Promise.allSettled([1, Promise.resolve(2), never(), never()]); // all of them
    });
  }),
  "resolved with another": scenario("resolved with another", (world) => {
    const inner = () => new Promise(() => undefined); // inner
    world.actor("A", async () => {
      await world.delay("pause");
      const outer = new Promise((resolve) => resolve(inner())); // outer
      await outer; // the wait
    });
    world.actor("B", async () => inner());
  }),
};
`;
