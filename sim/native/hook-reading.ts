/**
 * Reads who waits for which promise from what async hooks have told: who follows which promise and who made it. They do
 * not tell who is going to call a resolve function, and nobody guesses.
 *
 * How the way is found: `then` and `await` make a promise that is triggered by the one they follow. An async function's own
 * promise is made where the function is entered; its first await has the same stack below the function, and each further
 * await is made while the continuation of the one before is running, with the function alone on the stack. To await what is
 * no promise (`await null`) makes one around it first, which is triggered by the function's own promise.
 */
import type { Reading, Step } from "../causality.ts";
import type { SourceLocation, WaitRoot } from "../result.ts";
import type { StackLine } from "../stack.ts";
import type { Delivery } from "./delivery.ts";
import { rootOf } from "./delivery-root.ts";
import { isDrain, placeOf } from "./place.ts";
import type { Made, PromiseLog } from "./promise-log.ts";

type Way = Step<Made>;

/** How many promises after that of an async function are looked at to find its first await. */
const lookedAt = 200;

const following = /^\s+at (?:\w+\.)?(?:then|catch|finally) \(<anonymous>\)$/;
const combining = /^\s+at (?:\w+\.)?(all|race|any|allSettled) \(<anonymous>\)$/;
const constructing = /^\s+at new \w+ \(<anonymous>\)$/;
const handingOut = /^\s+at (?:\w+\.)?withResolvers \(<anonymous>\)$/;
const builtin = / \(<anonymous>\)$/;

export class HookReading implements Reading<Made> {
  readonly #log: PromiseLog;
  readonly #open: ReadonlySet<string>;
  /** By the promise whose reaction was running when they were made; in order. */
  readonly #within = new Map<number, Made[]>();
  readonly #first: number;

  constructor(log: PromiseLog, open: ReadonlySet<string>) {
    this.#log = log;
    this.#open = open;
    let first = Number.POSITIVE_INFINITY;
    for (const made of log.made.values()) {
      first = Math.min(first, made.id);
      const list = this.#within.get(made.parent);
      if (list === undefined) this.#within.set(made.parent, [made]);
      else list.push(made);
    }
    this.#first = first;
  }

  of(promise: object): Made | null {
    return this.#log.of(promise);
  }

  step(made: Made, passed: ReadonlySet<number>): Way | null {
    // What stands around an awaited thenable is triggered by the function that awaits it, and does not wait for that.
    if (made.resolved || (passed.has(made.trigger) && follows(made))) return null;
    const resolution = this.#resolution(made);
    if (resolution !== null) return this.#follow(resolution, "resolved with", null);
    if (follows(made)) return this.#follow(made, following.test(top(made)) ? "then" : "await", placeOf(made.lines));
    if (combining.test(top(made))) return this.#combined(made);
    if (constructing.test(top(made))) return this.#executed(made);
    if (builtin.test(top(made))) return null;
    const last = this.#lastAwait(made);
    return last === null ? null : this.#follow(last, "await", placeOf(last.lines));
  }

  #follow(follower: Made, how: Way["how"], at: SourceLocation | null, beside = 0): Way | null {
    const to = this.#log.made.get(follower.trigger);
    // What awaits a thenable waits for a promise that counts as resolved.
    if (to !== undefined) return to.resolved && how !== "await" ? null : { how, at, to, beside };
    return follower.trigger < this.#first ? { how, at, to: "foreign", beside } : null;
  }

  /** Where a promise was resolved with another one, it stays pending: a job of its own puts a reaction on that. */
  #resolution(made: Made): Made | null {
    const jobs = this.#within.get(made.id) ?? [];
    return jobs.find((job) => follows(job) && following.test(top(job)) && isDrain(job.lines[1])) ?? null;
  }

  /** Of an async function, by its own promise: the await at which it stands. */
  #lastAwait(own: Made): Made | null {
    let last = this.#firstAwait(own);
    for (let next = last; next !== null; ) {
      last = next;
      const from = next;
      const made: readonly Made[] = this.#within.get(from.id) ?? [];
      next = made.find((each) => awaits(each) && isDrain(each.lines[1]) && each.trigger !== own.id) ?? null;
    }
    return last?.resolved === false ? last : null;
  }

  #firstAwait(made: Made): Made | null {
    const siblings = this.#within.get(made.parent) ?? [];
    const from = siblings.indexOf(made) + 1;
    const entered = top(made);
    for (const each of siblings.slice(from, from + lookedAt)) {
      if (!sameBelow(made.lines.slice(1), each.lines.slice(1))) continue;
      // Entered once more from the same line: the first call has returned before, without an await.
      if (!follows(each) && top(each) === entered) return null;
      if (each.trigger === made.id) {
        // What is awaited and no promise gets one around it: here this one is that, and no function's.
        if (top(each) === entered) return null;
        continue;
      }
      if (awaits(each) && nameIn(top(each)) === nameIn(entered)) return each;
    }
    return null;
  }

  /** Promise.all and the like follow each of their promises in the same call. */
  #combined(made: Made): Way | null {
    const how = combining.exec(top(made))?.[1];
    if (how !== "all" && how !== "race" && how !== "any" && how !== "allSettled") return null;
    const siblings = this.#within.get(made.parent) ?? [];
    const below = made.lines.slice(1);
    const reactions: Made[] = [];
    for (const each of siblings.slice(siblings.indexOf(made) + 1)) {
      const inCall = each.lines.findIndex(({ text }) => combining.test(text));
      if (inCall < 0 || !sameBelow(below, each.lines.slice(inCall + 1))) break;
      if (follows(each)) reactions.push(each);
    }
    const steps = reactions.flatMap((each) => this.#follow(each, how, placeOf(made.lines)) ?? []);
    const [first] = steps;
    return first === undefined ? null : { ...first, beside: steps.length - 1 };
  }

  /**
   * What the executor of a promise follows itself, and goes on to follow from the same line: so an async function that was
   * compiled for an older target drives its generator.
   */
  #executed(made: Made): Way | null {
    const siblings = this.#within.get(made.parent) ?? [];
    const from = siblings.indexOf(made) + 1;
    for (const each of siblings.slice(from, from + lookedAt)) {
      if (!follows(each) || !inExecutor(made, each.lines)) continue;
      const last = this.#again(each);
      const step = last.resolved ? null : this.#follow(last, "executor", placeOf(last.lines));
      if (step !== null) return step;
    }
    return null;
  }

  /** The last of the reactions of which each puts the next one on another promise, at the same line. */
  #again(reaction: Made): Made {
    let last = reaction;
    for (let next: Made | undefined = reaction; next !== undefined; ) {
      last = next;
      const line = last.lines[1]?.text;
      next = this.#within.get(last.id)?.find((each) => follows(each) && each.lines[1]?.text === line);
    }
    return last;
  }

  root(made: Made): WaitRoot {
    if (made.resolved) return { kind: "unknown" };
    const asked = this.#log.asked.get(made.id);
    if (asked !== undefined) return this.#delivery(asked) ?? { kind: "unknown" };
    if (!constructing.test(top(made)) && !handingOut.test(top(made))) return { kind: "unknown" };
    return this.#timer(made) ?? { kind: "code" };
  }

  #delivery(delivery: Delivery): WaitRoot | null {
    return rootOf(delivery, this.#log.hung, this.#open);
  }

  /** The timer that the executor has armed. */
  #timer(made: Made): WaitRoot | null {
    if (!constructing.test(top(made))) return null;
    for (const armed of this.#log.timers) {
      if (armed.parent !== made.parent || armed.after < made.id) continue;
      if (!inExecutor(made, armed.lines)) continue;
      return this.#delivery(armed.delivery);
    }
    return null;
  }
}

function top({ lines }: Made): string {
  return lines[0]?.text ?? "";
}

/** True for what `then` and `await` make. */
function follows({ trigger, parent }: Made): boolean {
  return trigger !== parent;
}

function awaits(made: Made): boolean {
  return follows(made) && !builtin.test(top(made));
}

/** Made while the executor of `made` was running. */
function inExecutor(made: Made, lines: readonly StackLine[]): boolean {
  const below = made.lines.slice(1);
  return lines.some(({ text }, at) => constructing.test(text) && sameBelow(below, lines.slice(at + 1)));
}

/** Stacks are cut off at a number of frames, so the longer one may go on. */
function sameBelow(one: readonly StackLine[], other: readonly StackLine[]): boolean {
  const length = Math.min(one.length, other.length);
  for (let at = 0; at < length; at++) if (one[at]?.text !== other[at]?.text) return false;
  return length > 0;
}

/** The function of a line, without its place. */
function nameIn(line: string): string {
  return /^\s+at (.*) \(/.exec(line)?.[1] ?? "";
}
