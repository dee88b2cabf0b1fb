/**
 * A small synchronous stand-in for the engines, for tests of this folder only: it asks a chooser the same questions in
 * the same order, but its microtasks are a plain queue and an execution is one function call.
 */
import type { Chooser, DeliveryKind, Execution, PossibleDelivery, TraceNote, TraceStep } from "../../sim/execution.ts";
import type { Fault, Violation } from "../../sim/result.ts";
import { untouchedDelivery, untouchedStep } from "../../sim/testing/untouched.ts";

export type Toy = {
  /** One delivery each, in this order. */
  events(source: string, steps: readonly (readonly [label: string, act: () => void])[]): void;
  /** `settled` runs in the drain of its completion, with false when it was made to fail. */
  io(source: string, label: string, settled: (ok: boolean) => void, options?: IoOptions): void;
  /** Possible only when no I/O is pending; never arrives inside a drain. */
  timer(source: string, label: string, fired: () => void): void;
  /** Queues a microtask. */
  later(job: () => void): void;
  choose(label: string, count: number): number;
  note(event: string): void;
  violate(name: string): void;
};
export type IoOptions = { readonly mayFail?: boolean; readonly mayHang?: boolean };
export type ToyScenario = (toy: Toy) => void;
export type ToySettings = { readonly jitter: boolean; readonly most: number };

type Pending = PossibleDelivery & IoOptions & { readonly perform: (fault: "fail" | "hang" | null) => void };

const stepLimit = 200;

/** Runs one execution. */
export function runToy(scenario: ToyScenario, chooser: Chooser, settings: ToySettings): Execution {
  return new ToyEngine(chooser, settings).run(scenario);
}

class ToyEngine {
  readonly #chooser: Chooser;
  readonly #settings: ToySettings;
  readonly #io: Pending[] = [];
  readonly #timers: Pending[] = [];
  readonly #events: Pending[][] = [];
  readonly #occurrences = new Map<string, number>();
  readonly #jobs: (() => void)[] = [];
  readonly #steps: TraceStep[] = [];
  readonly #faults: Fault[] = [];
  readonly #data: number[] = [];
  #notes: TraceNote[] = [];
  #violation: Violation | null = null;

  constructor(chooser: Chooser, settings: ToySettings) {
    this.#chooser = chooser;
    this.#settings = settings;
  }

  run(scenario: ToyScenario): Execution {
    scenario(this.#toy());
    this.#drain();
    while (this.#violation === null && this.#steps.length < stepLimit && this.#step()) this.#drain();
    const left = [...this.#io, ...this.#timers, ...this.#events.flat()].map(({ name }) => name);
    return {
      opening: [],
      steps: this.#steps,
      violation: this.#violation,
      data: this.#data,
      faults: this.#faults,
      ambiguous: [],
      left,
    };
  }

  #step(): boolean {
    const possible = [...this.#io, ...(this.#io.length === 0 ? this.#timers : []), ...this.#heads()];
    if (possible.length === 0) return false;
    const chosen = possible.length === 1 ? 0 : this.#chooser.delivery(possible, possible.length);
    this.#place(possible, chosen, 0);
    return true;
  }

  #place(possible: readonly Pending[], chosen: number, tick: number): void {
    const delivery = possible[chosen];
    if (delivery === undefined) throw new RangeError(`No delivery ${chosen} of ${possible.length}`);
    this.#take(delivery);
    const names = possible.map(({ name }) => name);
    const fault = this.#fault(delivery);
    if (tick > 0) this.#faults.push({ at: delivery.name, kind: "late", arg: tick });
    if (fault !== null) this.#faults.push({ at: delivery.name, kind: fault });
    this.#notes = [];
    this.#steps.push({
      ...untouchedStep,
      name: delivery.name,
      possible: names,
      chosen,
      tick,
      fault,
      nowMs: 0,
      askedBy: null,
      notes: this.#notes,
    });
    delivery.perform(fault);
    this.#chooser.delivered(delivery);
    if (this.#settings.jitter) this.#offerCompanion(delivery);
  }

  #fault(delivery: Pending): "fail" | "hang" | null {
    const kinds: ("none" | "fail" | "hang")[] = ["none"];
    if (delivery.mayFail === true) kinds.push("fail");
    if (delivery.mayHang === true) kinds.push("hang");
    const kind = kinds.length === 1 ? "none" : kinds[this.#chooser.fault(delivery, kinds)];
    return kind === undefined || kind === "none" ? null : kind;
  }

  #offerCompanion(after: Pending): void {
    const candidates = [...this.#io, ...this.#heads()];
    if (candidates.length === 0 || this.#violation !== null) return;
    const index = this.#chooser.companion(candidates, candidates.length, after);
    const companion = candidates[index - 1];
    if (companion === undefined) return;
    const ticks = this.#chooser.ticks(this.#settings.most, companion);
    this.#take(companion);
    const wait = (left: number): void => {
      if (left > 1) this.#jobs.push(() => wait(left - 1));
      else this.#jobs.push(() => this.#place(candidates, index - 1, ticks));
    };
    wait(ticks);
  }

  #drain(): void {
    for (let job = this.#jobs.shift(); job !== undefined; job = this.#jobs.shift()) {
      if (this.#violation === null) job();
    }
  }

  #heads(): Pending[] {
    return this.#events.flatMap((steps) => steps.slice(0, 1));
  }

  #take(delivery: Pending): void {
    for (const list of [this.#io, this.#timers, ...this.#events]) {
      const at = list.indexOf(delivery);
      if (at >= 0) list.splice(at, 1);
    }
  }

  #ask(kind: DeliveryKind, source: string, label: string, options: IoOptions, perform: Pending["perform"]): Pending {
    const occurrence = (this.#occurrences.get(`${source}:${label}`) ?? 0) + 1;
    this.#occurrences.set(`${source}:${label}`, occurrence);
    return { ...untouchedDelivery, ...options, kind, source, name: `${source}:${label}#${occurrence}`, perform };
  }

  #toy(): Toy {
    return {
      events: (source, steps) => {
        this.#events.push(steps.map(([label, act]) => this.#ask("event", source, label, {}, () => act())));
      },
      io: (source, label, settled, options = {}) => {
        const complete = (fault: "fail" | "hang" | null): void => {
          if (fault !== "hang") this.#jobs.push(() => settled(fault === null));
        };
        this.#io.push(this.#ask("io", source, label, options, complete));
      },
      timer: (source, label, fired) => {
        this.#timers.push(this.#ask("timer", source, label, {}, () => fired()));
      },
      later: (job) => {
        this.#jobs.push(job);
      },
      choose: (label, count) => {
        const index = count === 1 ? 0 : this.#chooser.data(label, count);
        if (count > 1) this.#data.push(index);
        return index;
      },
      note: (event) => {
        this.#notes.push({ event, data: null });
      },
      violate: (name) => {
        const at = this.#steps.at(-1)?.name ?? null;
        this.#violation ??= { kind: "always", name, detail: name, at };
      },
    };
  }
}
