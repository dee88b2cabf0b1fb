/**
 * The reference program with everything async in closures that each execution makes anew, as in much code of today:
 * the same awaits and pauses, in the same order.
 */
import type { Ledger, Outside } from "./agent-program.ts";

export function agentInClosures(outside: Outside): { ledger: Ledger; done: Promise<void> } {
  const { signal } = new AbortController();
  const ledger: Ledger = { total: 0, turns: 0, aborts: 0, finished: false };
  const items: number[] = [];
  let waiter: ((item: number | null) => void) | null = null;
  let closed = false;
  const wake = (item: number | null): void => {
    const waking = waiter;
    waiter = null;
    waking?.(item);
  };
  const take = async (): Promise<number | null> => {
    const item = items.shift();
    if (item !== undefined) return item;
    if (closed) return null;
    return new Promise((resolve) => {
      waiter = resolve;
    });
  };
  const driver = async (): Promise<void> => {
    for (;;) {
      const item = await take();
      if (item === null) return;
      try {
        await outside.pause("model");
        signal.throwIfAborted();
        await outside.pause("tool");
        ledger.total += item;
        ledger.turns++;
      } catch {
        ledger.aborts++;
      }
    }
  };
  const producer = async (): Promise<void> => {
    for (let item = 1; item <= 5; item++) {
      await outside.pause("prompt");
      if (waiter === null) items.push(item);
      else wake(item);
    }
    closed = true;
    if (waiter !== null) wake(null);
  };
  const observer = async (): Promise<void> => {
    for (let look = 0; look < 2; look++) {
      await outside.pause("look");
      if (signal.aborted || ledger.turns > 5) throw new Error("the ledger counts more turns than prompts");
    }
  };
  const done = Promise.all([driver(), producer(), observer()]).then(() => {
    ledger.finished = true;
  });
  return { ledger, done };
}
