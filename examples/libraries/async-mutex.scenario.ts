/**
 * async-mutex hands its lock over in the microtasks of the release. The lock is exclusive in every order, down to the
 * tick at which a waiter arrives. A forgotten lock, a second `release()`, a `cancel()` taken for a revocation and a
 * `tryAcquire()` taken for immediate are found.
 */
import { E_CANCELED, E_TIMEOUT, Mutex, Semaphore, tryAcquire, withTimeout } from "async-mutex";
import { scenario, type World } from "microloom";

/** A balance that is read, and written one I/O later. */
function account(world: World) {
  const state = { balance: 100 };
  const deposit = async (who: string, amount: number) => {
    const read = await world.io(`bank:read by ${who}`, () => state.balance);
    await world.io(`bank:write by ${who}`, () => {
      state.balance = read + amount;
    });
  };
  return { state, deposit };
}

export const exclusive = scenario("async-mutex: no update is lost", (world) => {
  const mutex = new Mutex();
  const { state, deposit } = account(world);
  world.actor("ada", () => mutex.runExclusive(() => deposit("ada", 1)));
  world.actor("bob", async () => {
    const release = await mutex.acquire();
    await deposit("bob", 2);
    // The function that acquire() gives releases once, however often it is called.
    release();
    release();
  });
  world.actor("cleo", () => mutex.runExclusive(() => deposit("cleo", 4)));
  world.sometimes("cleo comes before bob", () => state.balance === 105);
  world.atQuiescence("all were counted, and the lock is free", () => {
    return (state.balance === 107 && !mutex.isLocked()) || `the balance is ${state.balance}`;
  });
});

export const forgotten = scenario("async-mutex: one path forgets the lock", (world) => {
  const mutex = new Mutex();
  const { state, deposit } = account(world);
  world.actor("ada", () => mutex.runExclusive(() => deposit("ada", 1)));
  world.actor("interest", () => deposit("interest", 5));
  world.atQuiescence("both were counted", () => state.balance === 106 || `the balance is ${state.balance}`);
});

/** mutex.release() releases the lock of whoever holds it now. */
export const releasedTwice = scenario("async-mutex: a second release() frees somebody else's lock", (world) => {
  const mutex = new Mutex();
  const { state, deposit } = account(world);
  const depositWithReceipt = async (who: string, amount: number) => {
    await mutex.acquire();
    try {
      await deposit(who, amount);
      mutex.release();
      await world.io(`mail:receipt for ${who}`, () => who);
    } finally {
      mutex.release();
    }
  };
  world.actor("ada", () => depositWithReceipt("ada", 1));
  world.actor("bob", () => depositWithReceipt("bob", 2));
  world.actor("cleo", () => depositWithReceipt("cleo", 4));
  world.atQuiescence("all were counted", () => state.balance === 107 || `the balance is ${state.balance}`);
});

export const weights = scenario("async-mutex: a semaphore of two seats, weights included", (world) => {
  const semaphore = new Semaphore(2);
  const riding = new Map<string, number>();
  const ride = (who: string, seats: number) =>
    semaphore.runExclusive(async () => {
      riding.set(who, seats);
      await world.io(`ride:of ${who}`, () => who);
      riding.delete(who);
    }, seats);
  world.actor("ada", () => ride("ada", 1));
  world.actor("bob", () => ride("bob", 1));
  world.actor("group", () => ride("group", 2));
  world.always("no more than two seats are taken", () => {
    return [...riding.values()].reduce((sum, seats) => sum + seats, 0) <= 2 || [...riding.keys()].join(", ");
  });
  world.sometimes("ada and bob ride together", () => riding.has("ada") && riding.has("bob"));
  world.atQuiescence("all seats are free", () => semaphore.getValue() === 2);
});

/** Whoever gave up waiting is handed the lock all the same; withTimeout() gives it back at once. */
export const timeout = scenario("async-mutex: withTimeout() leaves no lock behind", (world) => {
  const mutex = new Mutex();
  let gaveUp = false;
  world.actor("ada", () => mutex.runExclusive(() => world.io("disk:slow write", () => undefined)));
  world.actor("bob", async () => {
    try {
      await withTimeout(mutex, 1_000).runExclusive(() => world.io("disk:write", () => undefined));
    } catch (error) {
      if (error !== E_TIMEOUT) throw error;
      gaveUp = true;
    }
  });
  world.sometimes("bob gives up after a second", () => gaveUp && world.nowMs === 1_000 && mutex.isLocked());
  world.atQuiescence("the lock is free", () => !mutex.isLocked());
});

/** tryAcquire() is a time-out of 0: it waits for one timer, and gets a lock that is freed before that fires. */
export const tryWaits = scenario("async-mutex: tryAcquire() gets a lock that was taken when it was called", (world) => {
  const mutex = new Mutex();
  let both = 0;
  const backup = async () => {
    await world.io("disk:backup", () => undefined);
  };
  world.actor("nightly", () => mutex.runExclusive(backup));
  world.actor("manual", async () => {
    const busy = mutex.isLocked();
    await tryAcquire(mutex)
      .runExclusive(backup)
      .then(
        () => (both += busy ? 1 : 0),
        () => world.note("refused, as it should be"),
      );
  });
  world.atQuiescence("who finds it busy is refused", () => both === 0);
});

/** cancel() ends the waiting, not the holding. */
export const cancelled = scenario("async-mutex: cancel() does not revoke the lock", (world) => {
  const mutex = new Mutex();
  let deleted = false;
  const write = async (part: string) => {
    if (deleted) return;
    await world.io(`disk:${part}`, () => {
      if (deleted) throw new Error(`${part} was written into a deleted file`);
    });
  };
  world.actor("upload", async () => {
    try {
      await Promise.all(["part 1", "part 2"].map((part) => mutex.runExclusive(() => write(part))));
    } catch (error) {
      if (error !== E_CANCELED) throw error;
    }
  });
  world.events("user", [
    [
      "cancel",
      () => {
        mutex.cancel();
        deleted = true;
      },
    ],
  ]);
});
