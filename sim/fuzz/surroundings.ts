/** What a program is given, alike on both sides but for its I/O: a log above all. */
import { AsyncLocalStorage, AsyncResource } from "node:async_hooks";
import { EventEmitter, on, once } from "node:events";
import { createRequire } from "node:module";
import { promisify } from "node:util";
import { Appointments } from "./appointments.ts";
import type { Compiled } from "./compiled.ts";

/** What a run of a program shows: its log, and the first failure that nobody caught. */
export type Outcome = { readonly log: readonly string[]; readonly failure: string | null };

export type Started = { readonly body: () => void; readonly steps: readonly (() => void)[] };

const checks: unknown = createRequire(import.meta.url)("node:timers/promises");
// One for all of them: in older versions of Node every promise visits every storage.
const storage = new AsyncLocalStorage<number>();
const linesMost = 400;
/** Events that a program may send: listeners can set each other off for ever. */
const fuelGiven = 60;

export class Surroundings {
  readonly log: string[] = [];
  readonly appointments: Appointments;
  /** Grows whenever something happens that can be seen. */
  activity = 0;
  #fuel = fuelGiven;
  readonly #held: unknown[] = [];
  readonly #askIo: (label: string) => Promise<string>;
  readonly #onLine: (line: string) => void;

  constructor(unitMs: number, askIo: (label: string) => Promise<string>, onLine: (line: string) => void = () => {}) {
    this.appointments = new Appointments(unitMs);
    this.#askIo = askIo;
    this.#onLine = onLine;
  }

  /** Makes the functions of a program; none of them has run yet. */
  start(compiled: Compiled): Started {
    const { after, every, due, again, forget, mayCheck, mayWait } = this.appointments;
    const made = compiled({
      L: (label: string, value?: unknown) => this.#say(value === undefined ? label : `${label} ${shown(value)}`),
      io: (id: number) => this.#io(id),
      fuel: () => this.#fuel-- > 0,
      hold: (value: unknown) => this.#held.push(value),
      ...{
        after,
        every,
        due,
        again,
        forget,
        mayCheck,
        mayWait,
        checks,
        promisify,
        storage,
        AsyncLocalStorage,
        AsyncResource,
        EventEmitter,
        on,
        once,
      },
    });
    if (!isStarted(made)) throw new TypeError("The text of a program returns no functions");
    return made;
  }

  #say(line: string): void {
    this.activity++;
    if (this.log.length >= linesMost) return;
    const store = storage.getStore();
    const told = store === undefined ? line : `${line} (in ${store})`;
    this.log.push(told);
    this.#onLine(told);
  }

  /** Once timers fire there is none: how long a completion takes is not settled between it and them. */
  #io(id: number): Promise<string> {
    this.activity++;
    return this.appointments.begun ? Promise.resolve(`io ${id}`) : this.#askIo(`io ${id}`);
  }
}

function isStarted(made: unknown): made is Started {
  return typeof made === "object" && made !== null && "body" in made && "steps" in made;
}

/** Looks at a value without running any code of its own. */
function shown(value: unknown, depth = 0): string {
  if (typeof value === "function") return "a function";
  if (typeof value !== "object" || value === null) return String(value);
  if (value instanceof Promise) return "a promise";
  if (depth > 3) return "…";
  if (value instanceof AggregateError) return `AggregateError ${shown(value.errors, depth + 1)}`;
  // In marks that `words.ts` finds again.
  if (value instanceof TypeError) return `TypeError: «${value.message}»`;
  if (value instanceof Error) return `${value.name}: ${value.message}`;
  if (Array.isArray(value)) return `[${value.map((each) => shown(each, depth + 1)).join(", ")}]`;
  const parts = Object.entries(Object.getOwnPropertyDescriptors(value)).map(([key, descriptor]) => {
    return "value" in descriptor ? `${key}: ${shown(descriptor.value, depth + 1)}` : `${key} is computed`;
  });
  return `{ ${parts.join(", ")} }`;
}
