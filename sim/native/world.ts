import { checkLabel } from "../names.ts";
import { type EventStep, type IoOptions, ScenarioError, type Touches, type World } from "../scenario.ts";
import { describeValue } from "../words.ts";
import type { Delivery, Resolve } from "./delivery.ts";
import type { Engine } from "./engine.ts";
import { ownJobs } from "./free-jobs.ts";
import { isThenable } from "./thenable.ts";

/** The world of one execution. A call that comes after the end of its execution is refused by name. */
export class EngineWorld implements World {
  readonly #engine: Engine;
  readonly #execution: number;
  readonly random: () => number;

  constructor(engine: Engine) {
    this.#engine = engine;
    this.#execution = engine.execution;
    this.random = () => engine.worldRandom();
  }

  get nowMs(): number {
    return this.#engine.readClock();
  }

  actor(name: string, body: () => unknown, options?: { readonly touches?: Touches }): void {
    const engine = this.#live("actor");
    const source = engine.names.source(name, "an actor");
    mustBeFunction(body, `actor "${name}"`);
    const delivery = engine.askStep("start", engine.names.family(source, "start", "an actor"), null);
    if (delivery.name !== delivery.family.nameOf(1)) {
      throw new ScenarioError(
        `Cannot declare the actor "${name}": expected a name of its own, found it declared before`,
      );
    }
    delivery.act = body;
    delivery.touches = touchesOf(options, `the actor "${name}"`);
    engine.addSteps({ deliveries: [delivery], next: 0 });
  }

  events(source: string, steps: readonly EventStep[]): void {
    const engine = this.#live("events");
    const owner = engine.names.source(source, "an events source");
    if (!Array.isArray(steps)) {
      throw new ScenarioError(
        `Cannot declare the events of "${source}": expected a list of steps, found ${describeValue(steps)}`,
      );
    }
    const deliveries: Delivery[] = [];
    for (const step of steps) {
      const found: unknown = step;
      if (!Array.isArray(found)) {
        throw new ScenarioError(
          `Cannot declare an event of "${source}": expected [label, act], found ${describeValue(found)}`,
        );
      }
      const [label, act, options] = step;
      mustBeFunction(act, `event "${source}:${label}"`);
      const family = engine.names.family(owner, checkLabel(label, `an event of "${source}"`), "an event");
      const delivery = engine.askStep("event", family, deliveries.at(-1) ?? null);
      delivery.act = act;
      delivery.mayReject = options?.mayReject ?? false;
      delivery.touches = touchesOf(options, `the event "${source}:${label}"`);
      deliveries.push(delivery);
    }
    engine.addSteps({ deliveries, next: 0 });
  }

  delay(label = "delay", options?: { readonly key?: string; readonly touches?: Touches }): Promise<void> {
    const engine = this.#live("delay");
    const promise = new Promise<void>(capture);
    const delivery = engine.askIo(label, options?.key, "a delay");
    delivery.touches = touchesOf(options, `the delay "${label}"`);
    delivery.resolve = capturedResolve;
    engine.gave(promise, delivery);
    return promise;
  }

  io<T>(label: string, produce: () => T, options?: IoOptions): Promise<T> {
    const engine = this.#live("io");
    mustBeFunction(produce, `io "${label}"`);
    const delivery = engine.askIo(label, options?.key, "an I/O");
    delivery.produce = produce;
    if (options !== undefined) {
      delivery.mayFail = options.mayFail ?? false;
      delivery.mayHang = options.mayHang ?? false;
      delivery.touches = touchesOf(options, `the I/O "${label}"`);
    }
    const promise = new Promise<T>(capture);
    delivery.resolve = capturedResolve;
    delivery.reject = capturedReject;
    engine.gave(promise, delivery);
    return promise;
  }

  choose<T>(label: string, options: readonly T[]): T {
    const engine = this.#live("choose");
    checkLabel(label, "a choice");
    if (!Array.isArray(options) || options.length === 0) {
      throw new ScenarioError(`Cannot choose "${label}": expected at least one option, found none`);
    }
    const [first, ...rest] = options;
    const index = engine.choose(label, options);
    return index === 0 ? first : rest[index - 1];
  }

  settles<T>(name: string, promise: Promise<T>): Promise<T> {
    const engine = this.#live("settles");
    if (!isThenable(promise)) {
      throw new ScenarioError(`Cannot register "${name}": expected a promise, found ${describeValue(promise)}`);
    }
    const settled = engine.conditions.unsettled(name, promise);
    const context = engine.jobs.context();
    engine.jobs.enter(ownJobs, context);
    promise.then(settled, settled);
    engine.jobs.back(context);
    return promise;
  }

  always(name: string, holds: () => boolean | string, why?: string): void {
    mustBeNamed(name, "always");
    mustBeFunction(holds, `always "${name}"`);
    mustSayWhy(why, `always "${name}"`);
    this.#live("always").conditions.always(name, holds, why);
  }

  sometimes(name: string, holds: () => boolean): void {
    mustBeNamed(name, "sometimes");
    mustBeFunction(holds, `sometimes "${name}"`);
    this.#live("sometimes").conditions.sometimes(name, holds);
  }

  atQuiescence(name: string, holds: () => boolean | string, why?: string): void {
    mustBeNamed(name, "atQuiescence");
    mustBeFunction(holds, `atQuiescence "${name}"`);
    mustSayWhy(why, `atQuiescence "${name}"`);
    this.#live("atQuiescence").conditions.atQuiescence(name, holds, why);
  }

  note(event: string, data?: unknown): void {
    this.#live("note").note(event, data);
  }

  #live(method: string): Engine {
    const engine = this.#engine;
    if (engine.conditions.looking && method !== "note") {
      throw new ScenarioError(`Cannot call world.${method}() from a condition: a condition looks, and changes nothing`);
    }
    if (engine.execution !== this.#execution || !engine.live) {
      const limbo = engine.limbo();
      if (limbo !== null) return limbo;
      throw new ScenarioError(
        `Cannot call world.${method}(): its execution has ended; build everything that uses the world inside the scenario's body`,
      );
    }
    return engine;
  }
}

// One static executor instead of a closure per promise: this runs once per I/O of every execution.
let capturedResolve: Resolve | null = null;
let capturedReject: Resolve | null = null;
function capture(resolve: (value: never) => void, reject: (reason: unknown) => void): void {
  capturedResolve = resolve;
  capturedReject = reject;
}

function mustBeFunction(value: unknown, what: string): void {
  if (typeof value !== "function") {
    throw new ScenarioError(`Cannot declare ${what}: expected a function, found ${describeValue(value)}`);
  }
}

/** What is declared; null: nothing. Wrong names here would make a certificate lie, so the shape is checked. */
function touchesOf(options: { readonly touches?: Touches } | undefined, what: string): Touches | null {
  const touches = options?.touches;
  if (touches === undefined) return null;
  const found: unknown = touches;
  if (!isPlain(found)) {
    throw new ScenarioError(
      `Cannot declare what ${what} touches: expected { reads, writes }, found ${describeValue(found)}`,
    );
  }
  for (const key in touches) {
    if (key === "reads" || key === "writes") mustBeNames(touches[key], key, what);
    else throw new ScenarioError(`Cannot declare what ${what} touches: expected reads or writes, found "${key}"`);
  }
  return touches;
}

/** A Map or a Promise has no keys of its own, and would say that nothing is touched. */
function isPlain(value: unknown): value is object {
  if (typeof value !== "object" || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}

function mustBeNames(list: unknown, key: string, what: string): void {
  if (list === undefined || (Array.isArray(list) && list.every((name) => typeof name === "string"))) return;
  throw new ScenarioError(`Cannot declare what ${what} ${key}: expected a list of names, found ${describeValue(list)}`);
}

function mustBeNamed(name: unknown, what: string): void {
  if (typeof name !== "string" || name.trim() === "") {
    throw new ScenarioError(`Cannot declare ${what}: expected a name, found ${describeValue(name)}`);
  }
}

function mustSayWhy(why: unknown, what: string): void {
  if (why !== undefined && typeof why !== "string") {
    throw new ScenarioError(`Cannot declare ${what}: expected a sentence that says why, found ${describeValue(why)}`);
  }
}
