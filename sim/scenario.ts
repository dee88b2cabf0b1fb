/**
 * A scenario is a small world to explore: a name, and a body that builds the code under test and says what must hold.
 * The body runs once per execution, so everything it makes is fresh.
 */
import { describeValue } from "./words.ts";

/** All that a delivery and its drain touch. Undeclared means everything. */
export type Touches = { readonly reads?: readonly string[]; readonly writes?: readonly string[] };

export type EventStep = readonly [
  label: string,
  act: () => unknown,
  options?: { readonly mayReject?: boolean; readonly touches?: Touches },
];

export type IoOptions = {
  readonly key?: string;
  readonly touches?: Touches;
  readonly mayFail?: boolean;
  readonly mayHang?: boolean;
};

export type World = {
  /**
   * Declares a named flow. Its start is a delivery; after that it yields where it awaits something of the world. `touches`
   * is what the start touches, up to the first such await.
   */
  actor(name: string, body: () => unknown, options?: { readonly touches?: Touches }): void;
  /** Declares what comes from outside: one delivery each, in this order. */
  events(source: string, steps: readonly EventStep[]): void;
  /** Resolves when the scheduler says. */
  delay(label?: string, options?: { readonly key?: string; readonly touches?: Touches }): Promise<void>;
  /** Resolves with what `produce` returns at the time of the delivery; rejects when it throws or is made to fail. */
  io<T>(label: string, produce: () => T, options?: IoOptions): Promise<T>;
  /** Makes a choice of data, explored like an ordering. */
  choose<T>(label: string, options: readonly T[]): T;
  /** Registers a promise that must settle before quiescence, or the execution is stuck. */
  settles<T>(name: string, promise: Promise<T>): Promise<T>;
  /**
   * Checked after every delivery, synchronously; a string says what was seen. `why` says in a report why the promise
   * matters. A condition that returns anything else is a ScenarioError.
   */
  always(name: string, holds: () => boolean | string, why?: string): void;
  /** Must be reached by the campaign, or it did not test much. */
  sometimes(name: string, holds: () => boolean): void;
  /** Checked when nothing is left to deliver. */
  atQuiescence(name: string, holds: () => boolean | string, why?: string): void;
  /** Writes one line into the trace. */
  note(event: string, data?: unknown): void;
  /** Virtual time in milliseconds. Starts at 0 and moves only when a timer is delivered. */
  readonly nowMs: number;
  /** A stream of its own, independent of the schedule's. */
  readonly random: () => number;
};

export type ScriptSchema = { parse(json: unknown): readonly unknown[] };

export type ScenarioOptions = {
  readonly script?: ScriptSchema;
  readonly isolate?: () => Promise<unknown>;
  readonly stepLimit?: number;
};

/** Opaque; made by `scenario()`. */
export type Scenario = { readonly name: string };

export type ScenarioBody = (world: World, script: readonly unknown[], isolated?: unknown) => unknown;

/** What a scenario is made of; read by the engines only. */
export type ScenarioParts = {
  readonly options: ScenarioOptions;
  readonly body: ScenarioBody;
  /** Holds the stack of whoever made it. */
  readonly made: { readonly stack?: string };
};

/** A scenario was built or named in a way that cannot work. */
export class ScenarioError extends Error {
  override readonly name: string = "ScenarioError";
}

// Registered under a global symbol, so that a scenario made by one copy of the package runs under another.
const partsKey = Symbol.for("microloom.scenario");

export function scenario(name: string, body: (world: World) => unknown): Scenario;
export function scenario(name: string, options: ScenarioOptions, body: ScenarioBody): Scenario;
/** Makes a scenario. Nothing runs before it is explored or replayed. Throws ScenarioError on a wrong shape. */
export function scenario(
  name: string,
  optionsOrBody: ScenarioOptions | ((world: World) => unknown),
  bodyAfterOptions?: ScenarioBody,
): Scenario {
  if (typeof name !== "string" || name.trim() === "") {
    throw new ScenarioError(`Cannot make a scenario: expected a name, found ${describeValue(name)}`);
  }
  const body = typeof optionsOrBody === "function" ? optionsOrBody : bodyAfterOptions;
  const options = typeof optionsOrBody === "function" ? {} : optionsOrBody;
  if (typeof body !== "function" || typeof options !== "object" || options === null) {
    throw new ScenarioError(
      `Cannot make the scenario "${name}": expected (name, body) or (name, options, body), found no body`,
    );
  }
  const parts: ScenarioParts = { options, body, made: new Error() };
  const made = { name };
  Object.defineProperty(made, partsKey, { value: parts });
  return Object.freeze(made);
}

export function isScenario(value: unknown): value is Scenario {
  return typeof value === "object" && value !== null && partsKey in value;
}

/** Returns what the scenario is made of. Throws ScenarioError when it was not made by `scenario()`. */
export function scenarioParts(value: Scenario): ScenarioParts {
  if (!isScenario(value)) {
    throw new ScenarioError("Cannot explore this value: expected a scenario made by scenario(name, body)");
  }
  return Reflect.get(value, partsKey);
}
