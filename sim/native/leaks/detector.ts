/**
 * Sees what escapes from an execution. Everything that Node itself waits for is an async resource; `async_hooks` tell of
 * each the moment it is made, and there the stack still names the line. Where Node makes it later, on behalf of what a
 * line has asked for before (a stream that opens its file), the way leads back over the resource that was running then.
 *
 * Hooks cost, so they are on in the first execution, in every determinism check, and when a failure is run again. What
 * the realm refuses by itself (fetch, WeakRef and the like) is recorded in every execution.
 */
import { asyncWrapProviders, createHook, executionAsyncId } from "node:async_hooks";
import timers from "node:timers";
import { types } from "node:util";
import type { SourceLocation } from "../../result.ts";
import { userFrames } from "../../stack.ts";
import { original } from "../original.ts";
import { PromiseLog, type Stack, stackBelow } from "../promise-log.ts";
import { kindOf, type LeakKind, nativePromiseKind, remedies, tellsMore } from "./kinds.ts";

export type Leak = { readonly kind: LeakKind; readonly where: SourceLocation | null };

/** Where a resource was made, and in which other one's callback. */
type Origin = { readonly stack: Stack; readonly parent: number };
type Suspect = {
  readonly kind: LeakKind;
  readonly type: string;
  readonly resource: object | null;
  readonly origin: Origin;
};

// Both are made at their first use, and that is no leak of whoever comes first.
structuredClone(0);
const outputs: readonly unknown[] = [process.stdout, process.stderr].map((stream) => Reflect.get(stream, "_handle"));

const clearTimeout = original(timers.clearTimeout);
const clearImmediate = original(timers.clearImmediate);
// On the microtask engine the global one is ours, and no resource.
const NativePromise = Promise;
const realNow = performance.now.bind(performance);
/** Of one execution: how many resources are seen at all, and of how many of these the stack is kept. */
const resourcesSeen = 100_000;
const originsKept = 5_000;
const leaksTold = 5;

/**
 * `off`: no hooks. `resources`: what Node waits for is seen, its line only where the stack names it. `origins`: every
 * promise keeps the stack it was made in, which takes fifty times as long; leaks and rejections are told in full.
 */
export type Watch = "off" | "resources" | "origins";

export class LeakDetector {
  #watch: Watch = "off";
  /** Other code runs between the deliveries of an execution, and what it does cannot be told apart. */
  deaf = false;
  /** Hooks do not work in this process any more, so nothing can be said about leaks. */
  blind = false;
  /** `leak`: every promise should be ours, as on the microtask engine, and a native one has escaped. */
  nativePromises: "usual" | "leak" = "usual";
  /** Real time by which hooks must be off: long before the watchdog. */
  givesUpAtMs = Number.POSITIVE_INFINITY;
  readonly #origins = new Map<number, Origin>();
  #promises = new WeakSet<object>();
  /** Resources made in this execution. */
  #count = 0;
  #hooked = false;
  /** Of the first promise of this execution: smaller ones are older. */
  #firstId = 0;
  /** Reactions to promises of before the execution that have not been settled. */
  readonly #waiting = new Map<number, Origin>();
  #suspects: Suspect[] = [];
  /** What the engine itself does at the moment is nobody's leak. */
  #unseen = false;
  /** What is kept for the wait-for graph, where that is wanted. */
  readonly promises = new PromiseLog();
  readonly #init = (id: number, type: string, trigger: number, resource: object): void =>
    this.#made(id, type, trigger, resource);
  readonly #hook = createHook({
    init: this.#init,
    promiseResolve: (id) => {
      if (this.#waiting.size > 0) this.#waiting.delete(id);
      if (this.promises.on) this.promises.resolved(id);
    },
  });

  /** Starts an execution. */
  begin(asked: Watch): void {
    const watch = this.deaf ? "off" : asked;
    this.promises.begin(this.promises.wanted && watch === "origins");
    if (this.#suspects.length > 0) this.#suspects = [];
    if (watch === this.#watch && watch === "off") return;
    this.#origins.clear();
    this.#promises = new WeakSet();
    this.#count = 0;
    this.#firstId = 0;
    this.#waiting.clear();
    this.#hookUp(watch !== "off");
    this.#watch = watch;
  }

  detach(): void {
    this.#hookUp(false);
    this.#watch = "off";
  }

  /** Where Node was once terminated inside of somebody's hook, it takes up no new one. */
  #try(): void {
    const before = this.#count;
    void NativePromise.resolve(null);
    this.blind = this.#count === before;
    // The one above escapes nobody.
    this.#suspects = [];
  }

  #hookUp(wanted: boolean): void {
    if (wanted === this.#hooked) return;
    this.#hooked = wanted;
    if (wanted) this.#hook.enable();
    else this.#hook.disable();
    if (wanted) this.#try();
  }

  /** Records a leak that the realm has seen by itself, at the line that is running, or at the one that `stack` tells. */
  record(kind: LeakKind, stack: Stack = stackBelow()): void {
    if (this.deaf) return;
    this.#suspects.push({ kind, type: "", resource: null, origin: { stack, parent: executionAsyncId() } });
  }

  /** Does something of the engine's own. */
  unseen(act: () => void): void {
    this.#unseen = true;
    act();
    this.#unseen = false;
  }

  /** True when this promise was not made in the current execution, and hooks would have seen it. */
  isForeign(promise: unknown): boolean {
    const known = this.#watch === "origins" && this.#hooked;
    return known && types.isPromise(promise) && !this.#promises.has(promise);
  }

  /** The hooks saw all of the execution to its end. */
  get sawAll(): boolean {
    return this.#watch === "origins" && this.#hooked && !this.blind;
  }

  /** True when nothing was recorded: then `leaks` need not be asked. */
  get clean(): boolean {
    return this.#suspects.length === 0;
  }

  /** Takes back what can be: a real timer would fire long after its execution has ended. */
  end(): void {
    for (const { kind, resource } of this.#suspects) if (kind === "timer" && resource !== null) cancel(resource);
  }

  /** Tells what has escaped in this execution, in order, each place once. Ask when it has ended. */
  leaks(): readonly Leak[] {
    const places = new Map<string, Leak>();
    for (const suspect of this.#suspects) {
      const frames = this.#frames(suspect.origin);
      if (isIdle(suspect) || frames.consoled) continue;
      const { where } = frames;
      const kind = frames.importing ? "dynamic import" : frames.fetching ? "network I/O" : refined(suspect, where);
      const place = where === null ? kind : `${where.file}:${where.line}:${where.column}`;
      const known = places.get(place);
      if (known === undefined || tellsMore(kind, known.kind)) places.set(place, { kind, where });
    }
    return [...places.values()];
  }

  /**
   * An endless loop makes resources without end, and the watchdog must not find it in here: Node would count as being inside
   * of a hook for ever, and no hook of this process would work again.
   */
  #made(id: number, type: string, trigger: number, resource: object): void {
    if (this.#unseen) return;
    this.#count++;
    if (this.#count > resourcesSeen || (this.#count % 64 === 0 && realNow() > this.givesUpAtMs)) {
      this.#hookUp(false);
      return;
    }
    if (this.promises.on) this.promises.resource(id, executionAsyncId());
    if (type === "PROMISE") {
      if (this.nativePromises === "leak") this.#madeNatively(id, type);
      if (this.#watch === "origins") this.#madePromise(id, trigger, resource);
      return;
    }
    const kind = kindOf(type, Object.hasOwn(asyncWrapProviders, type));
    if (kind === null && this.#count > originsKept) return;
    const origin = { stack: stackBelow(), parent: executionAsyncId() };
    this.#origins.set(id, origin);
    if (kind !== null) this.#suspects.push({ kind, type, resource, origin });
  }

  #madeNatively(id: number, type: string): void {
    if (this.#count > originsKept) return;
    const origin = { stack: stackBelow(this.#init), parent: executionAsyncId() };
    this.#origins.set(id, origin);
    this.#suspects.push({ kind: "untransformed async code", type, resource: null, origin });
  }

  #madePromise(id: number, trigger: number, promise: object): void {
    this.#promises.add(promise);
    const parent = executionAsyncId();
    const logged = this.promises.on && !this.promises.full;
    // A stack costs more than all the rest.
    if (this.#count > originsKept && !logged) {
      this.promises.overflown = true;
      return;
    }
    const origin = { stack: stackBelow(this.#init), parent };
    if (logged) this.promises.promise(id, trigger, parent, promise, origin.stack);
    if (this.#count > originsKept) return;
    this.#origins.set(id, origin);
    if (this.#firstId === 0) this.#firstId = id;
    // A reaction to a promise of before: nobody in this execution can settle that.
    if (trigger < this.#firstId && trigger !== parent) this.#waiting.set(id, origin);
  }

  /** Records that the execution waits for promises of before it; called where it is stuck. */
  recordForeign(): void {
    for (const origin of this.#waiting.values()) {
      this.#suspects.push({ kind: "foreign promise", type: "PROMISE", resource: null, origin });
    }
  }

  /** The nearest line of user code: in the stack itself, or in that of whatever was running. */
  #frames(origin: Origin): Frames {
    let told: Frames = { where: null, consoled: false, importing: false, fetching: false };
    const seen = new Set<Origin>();
    for (let at: Origin | undefined = origin; at !== undefined && !seen.has(at); at = this.#origins.get(at.parent)) {
      seen.add(at);
      const text = at.stack.stack ?? "";
      told = {
        where: userFrames(text)[0]?.at ?? null,
        consoled: told.consoled || /\(node:(internal\/)?console/.test(text),
        importing: told.importing || text.includes("(node:internal/modules/esm/"),
        fetching: told.fetching || text.includes("(node:internal/deps/undici/"),
      };
      if (told.where !== null) return told;
    }
    return told;
  }
}

type Frames = {
  readonly where: SourceLocation | null;
  readonly consoled: boolean;
  readonly importing: boolean;
  readonly fetching: boolean;
};

/** Puts leaks into one line: the first in full, of the others the places. */
export function describeLeaks(leaks: readonly Leak[]): string {
  const [first, ...others] = leaks;
  if (first === undefined) return "";
  const places = others.map(({ kind, where }) => `${kind}${where === null ? "" : ` at ${where.file}:${where.line}`}`);
  const more = places.length > leaksTold ? `, and ${places.length - leaksTold} more` : "";
  const also = places.length === 0 ? "" : `; also ${places.slice(0, leaksTold).join(", ")}${more}`;
  return `${first.kind} outside of the scheduler's hands: ${remedies[first.kind]}${also}`;
}

/** Where no line of anybody made a native promise, we did, to hear of one that was awaited. */
function refined({ kind, type, origin }: Suspect, where: SourceLocation | null): LeakKind {
  if (type !== "PROMISE" || kind === "foreign promise") return kind;
  return where === null ? "foreign promise" : nativePromiseKind(origin.stack.stack ?? "");
}

/** Some resources are made by the synchronous functions, too; only who waits for an answer has set a callback. */
function isIdle({ kind, type, resource }: Suspect): boolean {
  if (resource === null) return false;
  if (kind === "cryptography") return typeof Reflect.get(resource, "ondone") !== "function";
  if (kind === "compression") return typeof Reflect.get(resource, "cb") !== "function";
  return type === "WRITEWRAP" && outputs.includes(Reflect.get(resource, "handle"));
}

function cancel(timer: object): void {
  Reflect.apply(clearTimeout, undefined, [timer]);
  Reflect.apply(clearImmediate, undefined, [timer]);
}
