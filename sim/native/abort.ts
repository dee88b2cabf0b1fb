/**
 * The virtual realm's AbortController and AbortSignal. Node's own cost a fifth of an execution, and its signals hang on
 * weak references, so that the garbage collector has a say in who hears of an abort. Here a source holds who follows it;
 * a controller makes its signal when somebody asks for it, a signal its storage when somebody listens.
 */
import { AbortEvent } from "./abort-event.ts";
import { DefaultReason, reasonOrDefault } from "./abort-reason.ts";
import { habits, NodeAbortController, NodeAbortSignal, nodeAny } from "./event-internals.ts";
import { dispatch, listenersOf, VirtualEventTarget } from "./event-target.ts";
import { type AnySignal, Followers, type Following, followersOf } from "./foreign-signal.ts";
import { HandlerSlot } from "./handler-slot.ts";
import { observing } from "./observing.ts";
import { countLike, standIn } from "./stand-in.ts";

const aborted: unique symbol = Symbol("aborted");
const reason: unique symbol = Symbol("reason");
const slot: unique symbol = Symbol("slot");
const followers: unique symbol = Symbol("followers");
const followed: unique symbol = Symbol("followed");
const signal: unique symbol = Symbol("signal");
const permit = Symbol("permit");

export class VirtualAbortSignal extends VirtualEventTarget {
  [aborted]: boolean;
  [reason]: unknown;
  [slot]: HandlerSlot | null;
  /** Signals made by any() that follow this one. */
  [followers]: Followers | null;
  /** Of a signal made by any(): whom it follows, none of them made by any(). */
  [followed]: Followers[] | null;

  constructor(given?: unknown) {
    if (given !== permit) throw coded(new TypeError("Illegal constructor"), "ERR_ILLEGAL_CONSTRUCTOR");
    super();
    this[aborted] = false;
    this[reason] = undefined;
    this[slot] = null;
    this[followers] = null;
    this[followed] = null;
  }

  static abort(why?: unknown): VirtualAbortSignal {
    const made = new VirtualAbortSignal(permit);
    made[aborted] = true;
    made[reason] = reasonOrDefault(why);
    return made;
  }

  /** Goes to Node's own, which the realm replaces. */
  static timeout(delayMs: unknown): unknown {
    return Reflect.apply(NodeAbortSignal.timeout, NodeAbortSignal, [delayMs]);
  }

  static any(signals: unknown): VirtualAbortSignal {
    const made = new VirtualAbortSignal(permit);
    const found: Followers[] = [];
    made[followed] = found;
    for (const each of signalsIn(signals)) {
      if (each.aborted) {
        abortSignal(made, isOurs(each) ? each[reason] : each.reason);
        return made;
      }
      for (const source of sourcesOf(each)) {
        if (source.of.aborted) {
          // The source is aborted, the signal that follows it not yet. Where Node marks both at once, this is the first sign.
          if (!habits.dependentsFirst) throw coded(new Error("A followed signal is aborted"), "ERR_INTERNAL_ASSERTION");
          abortSignal(made, source.of.reason);
          return made;
        }
        if (found.includes(source)) continue;
        found.push(source);
        observing.by?.touched(source.of, true);
        source.list.push(made);
      }
    }
    return made;
  }

  get aborted(): boolean {
    observing.by?.touched(this, false);
    return this[aborted];
  }

  get reason(): unknown {
    observing.by?.touched(this, false);
    const why = this[reason];
    return why instanceof DefaultReason ? why.exception : why;
  }

  throwIfAborted(): void {
    observing.by?.touched(this, false);
    if (this[aborted]) throw this.reason;
  }

  get onabort(): unknown {
    observing.by?.touched(this, false);
    return this[slot]?.handler ?? null;
  }

  set onabort(given: unknown) {
    observing.by?.touched(this, true);
    const handler = habits.handlersAreObjects && !isObject(given) ? null : given;
    const taken = this[slot];
    if (taken === null) {
      const made = new HandlerSlot(handler);
      this.addEventListener("abort", made.listener);
      this[slot] = made;
      return;
    }
    if (typeof taken.handler === "function") count(this, -1);
    taken.handler = handler;
    if (typeof handler === "function" && !count(this, 1)) this.addEventListener("abort", taken.listener);
  }
}

export class VirtualAbortController {
  [signal]: VirtualAbortSignal | null;

  constructor() {
    // Where somebody looks on, the signal gets its name now, and not from whoever happens to ask for it first.
    this[signal] = observing.by === null ? null : new VirtualAbortSignal(permit);
  }

  get signal(): VirtualAbortSignal {
    this[signal] ??= new VirtualAbortSignal(permit);
    return this[signal];
  }

  abort(why?: unknown): void {
    this[signal] ??= new VirtualAbortSignal(permit);
    abortSignal(this[signal], reasonOrDefault(why));
  }
}

standIn(VirtualAbortSignal, NodeAbortSignal);
countLike(VirtualAbortSignal, new NodeAbortController().signal);
standIn(VirtualAbortController, NodeAbortController);

function abortSignal(aborting: VirtualAbortSignal, why: unknown): void {
  observing.by?.touched(aborting, true);
  if (aborting[aborted]) return;
  aborting[aborted] = true;
  aborting[reason] = why;
  const following = aborting[followers];
  const marked = following !== null && habits.dependentsFirst ? mark(following, why) : null;
  fire(aborting);
  if (marked !== null) fireAll(marked);
  else if (following !== null) abortFollowers(following, why);
}

function mark({ list }: Followers, why: unknown): readonly VirtualAbortSignal[] {
  const marked = list.filter((each) => !each[aborted]);
  for (const each of marked) {
    each[aborted] = true;
    each[reason] = why;
  }
  return marked;
}

/** Who comes to follow meanwhile is aborted too. */
function abortFollowers({ list }: Followers, why: unknown): void {
  for (const each of list) abortSignal(each, why);
}

function fire(fired: VirtualAbortSignal): void {
  const listeners = listenersOf(fired, "abort");
  if (listeners?.next !== undefined) dispatch(fired, listeners, new AbortEvent());
}

function fireAll(marked: readonly VirtualAbortSignal[]): void {
  for (const each of marked) fire(each);
}

function sourcesOf(each: AnySignal): readonly Followers[] {
  if (!isOurs(each)) return [followersOf(each, followingForeign)];
  if (each[followed] !== null) return each[followed];
  each[followers] ??= new Followers(each);
  return [each[followers]];
}

const followingForeign: Following = {
  mark: (followers) => mark(followers, followers.of.reason),
  tell: fireAll,
  abort: (followers) => abortFollowers(followers, followers.of.reason),
};

/**
 * Changes the number of listeners by that of onabort. False: the list was dropped with the last one that Node had
 * counted, where Node takes the handler up again; older ones fail like this.
 */
function count(target: VirtualAbortSignal, by: number): boolean {
  const listeners = listenersOf(target, "abort");
  if (listeners !== undefined) listeners.size += by;
  else if (!habits.handlerComesBack) throw new TypeError("Cannot read properties of undefined (reading 'size')");
  return listeners !== undefined;
}

/** What any() was given; what Node refuses goes to Node's own, which throws. */
function signalsIn(given: unknown): readonly AnySignal[] {
  const list: unknown = habits.anyIterates && isIterable(given) ? [...given] : given;
  if (Array.isArray(list) && list.every(isSignal)) return list;
  Reflect.apply(nodeAny, NodeAbortSignal, [given]);
  return [];
}

function isObject(value: unknown): boolean {
  return typeof value === "function" || (typeof value === "object" && value !== null);
}

function isIterable(value: unknown): value is Iterable<unknown> {
  return typeof value === "object" && value !== null && Symbol.iterator in value;
}

function isSignal(value: unknown): value is AnySignal {
  return typeof value === "object" && value !== null && "aborted" in value;
}

function isOurs(value: AnySignal): value is VirtualAbortSignal {
  return slot in value;
}

function coded(error: Error, code: string): Error {
  return Object.assign(error, { code });
}
