/**
 * p-queue with its priorities, its rate limit and its time-outs in virtual time. What it promises holds in every order.
 * That an empty queue is not an idle one, and that a task which timed out still runs, is in its documentation and breaks
 * the code around it.
 */
import { scenario, type World } from "microloom";
import PQueue from "p-queue";

/** A printer that counts who prints at the same time. */
function printer(world: World) {
  const started: string[] = [];
  const counts = { printing: 0 };
  const print = (page: string) => async () => {
    started.push(page);
    counts.printing++;
    await world.io(`printer:${page}`, () => page);
    counts.printing--;
  };
  world.always("one page at a time", () => counts.printing <= 1 || `${counts.printing} pages at a time`);
  return { started, counts, print };
}

export const priorities = scenario("p-queue: one at a time, the urgent first, paused and resumed", (world) => {
  const queue = new PQueue({ concurrency: 1 });
  const { started, counts, print } = printer(world);
  world.actor("office", () =>
    Promise.all([queue.add(print("report")), queue.add(print("letter")), queue.add(print("alarm"), { priority: 1 })]),
  );
  world.events("operator", [
    ["pause", () => queue.pause()],
    ["resume", () => queue.start()],
  ]);
  world.sometimes("paused between two pages", () => queue.isPaused && counts.printing === 0 && queue.size === 2);
  world.atQuiescence("all were printed, the alarm before what waited with it", () => {
    const order = started.join(", ");
    return order === "report, alarm, letter" || order === "alarm, report, letter" || order;
  });
});

/** clear() leaves the promises of what it forgets unsettled. onIdle() resolves all the same, when nothing runs. */
export const cleared = scenario("p-queue: onIdle() comes when nothing runs, also after clear()", (world) => {
  const queue = new PQueue({ concurrency: 1 });
  const { started, counts, print } = printer(world);
  let idle = false;
  world.actor("office", async () => {
    for (const page of ["a", "b", "c"]) void queue.add(print(page));
    await queue.onIdle();
    idle = true;
  });
  world.events("operator", [["clear", () => queue.clear()]]);
  world.always("idle means that nothing runs", () => !idle || (counts.printing === 0 && queue.size === 0));
  world.sometimes("two pages were forgotten", () => idle && started.length === 1);
});

/** Three calls through a queue that allows one a second. */
function rateLimited(world: World, queue: PQueue) {
  const startedMs: number[] = [];
  const call = (name: string) =>
    queue.add(() => {
      startedMs.push(world.nowMs);
      return world.io(`api:${name}`, () => name);
    });
  world.actor("ada", () => Promise.all([call("a"), call("b")]));
  world.actor("bob", () => call("c"));
  world.always("a second lies between two starts", () => {
    const [first = 0, second = first + 1_000, third = second + 1_000] = startedMs;
    return (second - first >= 1_000 && third - second >= 1_000) || `started at ${startedMs.join(", ")}`;
  });
  world.sometimes("the third starts after two seconds", () => startedMs[2] === 2_000);
  world.atQuiescence("all were started", () => startedMs.length === 3);
}

export const strictLimit = scenario("p-queue: at most one start a second, strictly", (world) => {
  rateLimited(world, new PQueue({ intervalCap: 1, interval: 1_000, strict: true }));
});

/**
 * Without `strict`, windows of a second are counted. A queue that was idle and is resumed by a timer at the very end of
 * a window believes that it has to wait once more, for 0 ms, and starts somebody all the same; that second wait then
 * opens the next window a millisecond later. With real timers it happens just so, whenever the timer is on time.
 */
export const burst = scenario("p-queue: two starts a millisecond apart, where one a second is allowed", (world) => {
  rateLimited(world, new PQueue({ intervalCap: 1, interval: 1_000 }));
});

/**
 * onEmpty() says that nothing waits any more, not that nothing runs; onIdle() would. With a concurrency of one the
 * mistake hides: the queue looks whether it is empty when a task ends, and the last one that ends was the last to start.
 */
export const emptyIsNotIdle = scenario("p-queue: an empty queue is not an idle one", (world) => {
  const queue = new PQueue({ concurrency: 2 });
  let open = true;
  const insert = (row: string) => async () => {
    await world.io(`database:insert ${row}`, () => {
      if (!open) throw new Error(`${row} was inserted into a closed database`);
    });
  };
  world.actor("import", async () => {
    const inserted = Promise.all(["a", "b", "c"].map((row) => queue.add(insert(row))));
    await queue.onEmpty();
    await world.io("database:close", () => {
      open = false;
    });
    await inserted;
  });
});

/** A time-out rejects the promise of the task and lets the next one start. The task itself goes on. */
export const timedOutTasksRun = scenario("p-queue: a task that timed out runs beside the next one", (world) => {
  const queue = new PQueue({ concurrency: 1, timeout: 1_000 });
  const { print } = printer(world);
  world.actor("office", () => Promise.allSettled([queue.add(print("a")), queue.add(print("b"))]));
});
