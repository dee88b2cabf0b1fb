import { describeReason } from "../../sim/native/reasons.ts";
import { describeValue } from "../../sim/words.ts";
import { isThenable } from "../kit/thenable.ts";
import type { Subject } from "./application.ts";
import { type Complaints, fieldOf, mustTake } from "./complaints.ts";
import type { LeaseSchedulerUnderTest, LeaseSpawn } from "./ports.ts";

/**
 * A scheduler whose methods behave in any case: somebody else's may return nothing, or throw. A refusal is an answer and
 * no complaint. All methods are the scheduler's own, called on the scheduler itself.
 */
export function tamed(scheduler: LeaseSchedulerUnderTest, complaints: Complaints): Subject {
  const { badShapes } = complaints;
  /** Children that surely are there: only whoever is told about a stranger may say so by an error. */
  const children = new Map<string, string>();
  const tame: Subject = {
    acquire(request) {
      let answer: unknown;
      try {
        // A copy: what the scheduler writes into a request of its own must not change the script.
        answer = scheduler.acquire({ ...request, footprint: { ...request.footprint } });
      } catch (error) {
        badShapes.push(`expected acquire() to return a promise, and it threw: ${describeReason(error)}`);
        return Promise.reject(error);
      }
      // What it resolves with is looked at by whoever hears of it, and not a job later.
      if (isThenable(answer)) return answer;
      badShapes.push(`expected acquire() to return a promise, found ${describeValue(answer)}`);
      return new Promise(() => {});
    },
    spawn(spawn) {
      const answer: unknown = scheduler.spawn({ ...spawn, paths: [...spawn.paths] });
      if (!isThenable(answer)) return claimOf(answer, spawn);
      const what = `spawn ${spawn.child}`;
      complaints.open.add(what);
      return Promise.resolve(answer)
        .finally(() => complaints.open.delete(what))
        .then((claim) => claimOf(claim, spawn));
    },
    finish(child) {
      if (children.delete(child)) mustTake(`finish ${child}`, () => scheduler.finish(child), complaints);
      else mayThrow(() => scheduler.finish(child));
    },
  };
  const claimOf = (claim: unknown, { child, owner }: LeaseSpawn): unknown => {
    children.set(child, owner);
    const fence = fieldOf(claim, "fence");
    const finish = fieldOf(claim, "finish");
    // Only a claim that knows which one it is can be told from a later one of the same child.
    if (typeof fence !== "number" || typeof finish !== "function") return {};
    const ends = () => mustTake(`finish ${child}`, () => finish.call(claim), complaints);
    return { fence, finish: ends };
  };
  const { close } = scheduler;
  if (close === undefined) return tame;
  return {
    ...tame,
    close(owner) {
      // Whom the stuck limit may strike need not be known any more.
      for (const [child, its] of [...children]) if (its === owner) children.delete(child);
      mustTake(`close ${owner}`, () => scheduler.close?.(owner), complaints);
    },
  };
}

function mayThrow(give: () => unknown): void {
  try {
    const answer = give();
    if (isThenable(answer)) answer.then(undefined, () => undefined);
  } catch {
    // It says that it knows no such child, which is true.
  }
}
