/**
 * Random programs over event targets and abort signals, to compare one set of classes with another: the same seed makes
 * the same program, and what it logs is all that can be seen from outside, tick by tick.
 */
import { addAbortListener, getEventListeners } from "node:events";
import type { Random } from "../random.ts";

type Target = {
  addEventListener(...args: readonly unknown[]): void;
  removeEventListener(...args: readonly unknown[]): void;
  dispatchEvent(event: Event): boolean;
};
type Signal = Target & {
  readonly aborted: boolean;
  readonly reason: unknown;
  onabort: unknown;
  throwIfAborted(): void;
};
type Controller = { readonly signal: Signal; abort(reason?: unknown): void };

export type EventClasses = {
  readonly EventTarget: new () => object;
  readonly AbortController: new () => object;
  readonly AbortSignal: { any(signals: never): unknown; abort(reason?: unknown): unknown };
};

const stepsOfProgram = 30;
const nestedMost = 40;
const ticksAfter = 6;
const types = ["x", "y", "abort"];

/** Runs one program to its end and returns its log. */
export async function runEventProgram(random: Random, classes: EventClasses): Promise<readonly string[]> {
  const program = new EventProgram(random, classes);
  const { nextTick: realNextTick, emitWarning: realEmitWarning } = process;
  process.nextTick = (callback: (...args: never[]) => unknown, ...args: unknown[]): void => {
    try {
      Reflect.apply(callback, undefined, args);
    } catch (error) {
      program.say(`uncaught ${named(error)}`);
    }
  };
  // Node warns of a listener that is none, and of many listeners; that is not compared.
  process.emitWarning = () => undefined;
  try {
    for (let step = 0; step < stepsOfProgram; step++) program.step(step);
    for (let tick = 1; tick <= ticksAfter; tick++) {
      await null;
      program.say(`tick ${tick}`);
    }
  } finally {
    process.nextTick = realNextTick;
    process.emitWarning = realEmitWarning;
  }
  return program.log;
}

class EventProgram {
  readonly log: string[] = [];
  readonly #random: Random;
  readonly #classes: EventClasses;
  readonly #targets: Target[];
  readonly #controllers: Controller[] = [];
  readonly #signals: Signal[] = [];
  readonly #disposables: { [Symbol.dispose](): void }[] = [];
  readonly #callbacks: object[] = [];
  #nested = 0;

  constructor(random: Random, classes: EventClasses) {
    this.#random = random;
    this.#classes = classes;
    this.#targets = [new classes.EventTarget(), new classes.EventTarget()].filter(isTarget);
    for (let id = 0; id < 6; id++) this.#callbacks.push(this.#listener(id));
  }

  say(line: string): void {
    this.log.push(line);
  }

  step(number: number): void {
    try {
      this.#act(this.#random.below(16), `${number}`);
    } catch (error) {
      this.say(`threw ${named(error)}`);
    }
  }

  #act(what: number, tag: string): void {
    const { AbortController, AbortSignal } = this.#classes;
    const signal = this.#any(this.#signals);
    const target = this.#random.below(4) === 0 ? (signal ?? this.#any(this.#targets)) : this.#any(this.#targets);
    switch (what) {
      case 0:
      case 1:
        this.#keep(new AbortController());
        return;
      case 2:
        // Made before the batch, as far as the classes under test are concerned.
        this.#keep(new globalThis.AbortController());
        return;
      case 3:
      case 4: {
        const list = Array.from({ length: this.#random.below(4) }, () => this.#any(this.#signals));
        const made: unknown = Reflect.apply(AbortSignal.any, AbortSignal, [list.filter((each) => each !== undefined)]);
        if (isSignal(made)) this.#signals.push(made);
        this.say(`any ${this.#state(this.#signals.at(-1))}`);
        return;
      }
      case 5: {
        const made = AbortSignal.abort(...this.#reason(tag));
        if (isSignal(made)) this.#signals.push(made);
        return;
      }
      case 6:
        this.#any(this.#controllers)?.abort(...this.#reason(tag));
        this.say("aborted");
        return;
      case 7:
      case 8: {
        const id = this.#signals.length;
        const heard = (event: Event): void => this.say(`${tag} heard ${this.#state(signal)} ${this.#described(event)}`);
        signal?.addEventListener("abort", heard, this.#options());
        this.say(`listen ${id}`);
        return;
      }
      case 9:
        if (signal === undefined) return;
        signal.onabort = this.#random.below(4) === 0 ? this.#any([null, 5, undefined]) : this.#any(this.#callbacks);
        this.say(
          `onabort ${this.#callbacks.findIndex((callback) => Object.is(callback, signal.onabort))} ${signal.onabort === null}`,
        );
        return;
      case 10:
      case 11:
        target?.addEventListener(this.#any(types), this.#any(this.#callbacks), this.#options());
        return;
      case 12:
        target?.removeEventListener(this.#any(types), this.#any(this.#callbacks), this.#options());
        return;
      case 13: {
        const event = new Event(this.#any(types) ?? "x", { cancelable: this.#random.below(2) === 0 });
        this.say(`dispatched ${target?.dispatchEvent(event)} ${this.#described(event)}`);
        return;
      }
      case 14: {
        const counted = types.map((type) => (target === undefined ? -1 : countOf(target, type)));
        this.say(`${counted} ${this.#state(signal)}`);
        signal?.throwIfAborted();
        return;
      }
      default:
        if (signal instanceof globalThis.AbortSignal && this.#random.below(3) > 0)
          this.#disposables.push(addAbortListener(signal, () => this.say(`${tag} listened`)));
        else this.#any(this.#disposables)?.[Symbol.dispose]();
    }
  }

  #listener(id: number): object {
    const act = this.#random.below(12);
    const say = (receiver: unknown, event: Event): unknown => {
      this.say(`#${id} ${this.#described(event)} ${receiver === event.target}`);
      if (this.#nested++ > nestedMost) return undefined;
      switch (act) {
        case 0:
          event.stopImmediatePropagation();
          return 7;
        case 1:
          event.preventDefault();
          event.stopPropagation();
          return null;
        case 2:
          throw new Error(`error of #${id}`);
        case 3:
          return Promise.reject(new Error(`rejection of #${id}`));
        case 4:
          return isTarget(receiver) ? receiver.dispatchEvent(event) : undefined;
        case 5:
          return isTarget(receiver)
            ? receiver.removeEventListener(event.type, this.#callbacks[(id + 1) % 6])
            : undefined;
        case 6:
          return isTarget(receiver) ? receiver.addEventListener(event.type, this.#callbacks[(id + 2) % 6]) : undefined;
        default:
          return this.#act(3 + this.#random.below(13), `in #${id}`);
      }
    };
    if (id === 4) return { handleEvent: (event: Event) => say(undefined, event) };
    if (id === 5) return { handleEvent: "no function" };
    return function (this: unknown, event: Event): unknown {
      return say(this, event);
    };
  }

  #keep(made: object): void {
    if (!isController(made)) return;
    this.#controllers.push(made);
    // The other controllers make their signal when they abort.
    if (this.#random.below(4) > 0) this.#signals.push(made.signal);
  }

  #reason(tag: string): unknown[] {
    return this.#any([[], [undefined], [null], [`reason ${tag}`]]) ?? [];
  }

  #options(): unknown {
    const signal = this.#any(this.#signals);
    return this.#any([
      undefined,
      undefined,
      null,
      true,
      false,
      { once: true },
      { capture: true },
      { once: true, capture: true, passive: true },
      { signal },
      { signal, once: true },
      { signal, capture: true },
      "wrong",
    ]);
  }

  #any<T>(list: readonly T[]): T | undefined {
    return list[this.#random.below(list.length + (list.length === 0 ? 1 : 0))];
  }

  #state(signal: Signal | undefined): string {
    if (signal === undefined) return "none";
    const same = this.#signals.findIndex(({ reason }) => reason === signal.reason);
    return `${signal.aborted} ${named(signal.reason)} as ${same}`;
  }

  #described(event: Event): string {
    const { type, eventPhase, defaultPrevented, cancelable, isTrusted, returnValue, cancelBubble } = event;
    const holder = [...this.#targets, ...this.#signals].findIndex((target) => Object.is(target, event.target));
    const current = event.currentTarget === event.target;
    const facts = {
      type,
      eventPhase,
      defaultPrevented,
      cancelable,
      isTrusted,
      returnValue,
      cancelBubble,
      holder,
      current,
    };
    return `${JSON.stringify(facts)} ${event.composedPath().length}`;
  }
}

function countOf(target: Target, type: string): number {
  return Reflect.apply(getEventListeners, undefined, [target, type]).length;
}

function named(value: unknown): string {
  if (!(value instanceof Error)) return String(value);
  const code = String(Reflect.get(value, "code"));
  // What V8 says of a type error depends on how far it has compiled, and Node's assertions ask for a report, with a stack.
  const isStable = code !== "ERR_INTERNAL_ASSERTION" && (code !== "undefined" || !(value instanceof TypeError));
  return `${value.name} ${isStable ? value.message : ""} ${code}`;
}

function isTarget(value: unknown): value is Target {
  return value instanceof EventTarget;
}

function isSignal(value: unknown): value is Signal {
  return value instanceof AbortSignal;
}

function isController(value: unknown): value is Controller {
  return value instanceof AbortController;
}
