import { Mutex } from "async-mutex";
import PQueue from "p-queue";
import type { TakeLock } from "./lock-as-scheduler.ts";

/** One lock for the whole workspace. */
export function mutex(): TakeLock {
  const mutex = new Mutex();
  return () => mutex.acquire();
}

/** A lock for each path, as it is written. */
export function mutexForEachPath(): TakeLock {
  const mutexes = new Map<string, Mutex>();
  return ({ footprint }) => {
    const path = footprint.kind === "file" ? footprint.path : ".";
    const mutex = mutexes.get(path) ?? new Mutex();
    mutexes.set(path, mutex);
    return mutex.acquire();
  };
}

/** A queue that runs one task at a time; the task is to wait until the lock is given back. */
export function queue(): TakeLock {
  const queue = new PQueue({ concurrency: 1 });
  return ({ signal }) =>
    new Promise((resolve, reject) => {
      const task = () => new Promise<void>((release) => resolve(release));
      queue.add(task, { signal }).catch(reject);
    });
}

/** Reads beside reads, a write alone; who came first goes first. */
export function readWriteLock(): TakeLock {
  let readers = 0;
  let writing = false;
  const waiting: { readonly writes: boolean; readonly go: () => void }[] = [];
  const admit = (): void => {
    for (let first = waiting[0]; first !== undefined; first = waiting[0]) {
      if (writing || (first.writes && readers > 0)) return;
      waiting.shift();
      if (first.writes) writing = true;
      else readers++;
      first.go();
    }
  };
  return ({ footprint }) => {
    const writes = footprint.kind !== "none";
    return new Promise((resolve) => {
      const release = (): void => {
        if (writes) writing = false;
        else readers--;
        admit();
      };
      waiting.push({ writes, go: () => resolve(release) });
      admit();
    });
  };
}
