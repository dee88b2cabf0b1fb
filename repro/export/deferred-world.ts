/**
 * A world made of deferreds: whatever the code under test asks for waits here, and one thing at a time is let go, first
 * come first served but for the orderings that broke it. After each, all microtasks run.
 */
import { vi } from "vitest";

type Plan = {
  orderings: { first: string; then: string }[];
  /** What is made to fail or never to answer. */
  faults: { at: string; kind: string }[];
  /** Which option each choice of data takes. */
  data: number[];
  script: unknown[];
};
type Waiting = { name: string; source: string; go: () => unknown };
type Timer = Waiting & { deadlineMs: number; ref(): Timer; unref(): Timer; hasRef(): boolean };
type Step = [label: string, act: () => unknown, options?: { mayReject?: boolean }];
type Options = { key?: string };

const realSetImmediate = setImmediate;

class DeferredWorld {
  nowMs = 0;
  readonly #plan: Plan;
  readonly #io: Waiting[] = [];
  #timers: Timer[] = [];
  readonly #steps: Waiting[][] = [];
  readonly #numbers = new Map<string, number>();
  readonly #ran = new Set<string>();
  readonly #always: [string, () => boolean | string][] = [];
  readonly #atQuiescence: [string, () => boolean | string][] = [];
  readonly #unsettled = new Set<string>();
  readonly #broken: unknown[] = [];
  #source = "main";
  #choices = 0;

  constructor(plan: Plan) {
    this.#plan = plan;
  }

  actor(name: string, body: () => unknown): void {
    this.#steps.push([{ name: `${name}:start#1`, source: name, go: () => this.#flow(name, body()) }]);
  }

  events(source: string, steps: readonly Step[]): void {
    const act = ([label, act, options]: Step): Waiting => {
      const go = () => (options?.mayReject ? this.#forgiven(act) : this.#watched(act()));
      return { name: this.#number(source, label), source, go };
    };
    this.#steps.push(steps.map(act));
  }

  delay(label = "delay", options?: Options): Promise<void> {
    return this.io(label, () => undefined, options);
  }

  io<T>(label: string, produce: () => T, options?: Options): Promise<T> {
    const colon = label.indexOf(":");
    const source = colon < 0 ? this.#source : label.slice(0, colon);
    const key = options?.key === undefined ? "" : `[${options.key}]`;
    const name = this.#number(source, `${label.slice(colon + 1)}${key}`);
    const fault = this.#plan.faults.find(({ at }) => at === name)?.kind;
    return new Promise((resolve, reject) => {
      const go = () => {
        try {
          if (fault === "fail") throw new Error(`${name} was made to fail`);
          if (fault !== "hang") resolve(produce());
        } catch (error) {
          reject(error);
        }
      };
      this.#io.push({ name, source, go });
    });
  }

  choose<T>(_label: string, options: readonly T[]): T {
    const index = options.length > 1 ? (this.#plan.data[this.#choices++] ?? 0) : 0;
    return options[index] as T;
  }

  settles<T>(name: string, promise: Promise<T>): Promise<T> {
    this.#unsettled.add(name);
    const settled = () => this.#unsettled.delete(name);
    promise.then(settled, settled);
    return promise;
  }

  always(name: string, holds: () => boolean | string): void {
    this.#always.push([name, holds]);
  }

  atQuiescence(name: string, holds: () => boolean | string): void {
    this.#atQuiescence.push([name, holds]);
  }

  get random(): never {
    throw new Error("This test was written from a repro, which does not carry random numbers");
  }

  sometimes(): void {}

  note(): void {}

  /** Runs the body and lets go of one thing after the other, until nothing is left. Throws what broke. */
  async run(body: (world: DeferredWorld) => unknown): Promise<void> {
    vi.stubGlobal("setTimeout", (act: () => void, ms = 1, ...args: []) => this.#arm("timer", act, ms, args));
    vi.stubGlobal("setInterval", (act: () => void, ms = 1, ...args: []) => this.#arm("interval", act, ms, args));
    vi.stubGlobal("setImmediate", (act: () => void, ...args: []) => this.#arm("immediate", act, 0, args));
    for (const clear of ["clearTimeout", "clearInterval", "clearImmediate"]) {
      vi.stubGlobal(clear, (timer: unknown) => {
        this.#timers = this.#timers.filter((armed) => armed !== timer);
      });
    }
    vi.useFakeTimers({ toFake: ["Date"], now: 0 });
    const onRejection = (reason: unknown) => this.#broken.push(reason);
    process.on("unhandledRejection", onRejection);
    try {
      this.#flow("the scenario's body", body(this));
      await this.#drain();
      for (let next = this.#next(); next !== undefined; next = this.#next()) {
        this.#source = next.source;
        this.#ran.add(next.name);
        this.#watched(next.go());
        await this.#drain();
        for (const condition of this.#always) check(condition, next.name);
      }
      if (this.#unsettled.size > 0) throw new Error(`Stuck: ${[...this.#unsettled].join(", ")}`);
      for (const condition of this.#atQuiescence) check(condition, "everything");
      this.#wasAsPlanned();
    } finally {
      process.off("unhandledRejection", onRejection);
      vi.useRealTimers();
      vi.unstubAllGlobals();
    }
  }

  /** What held under another order than the plan's proves nothing. */
  #wasAsPlanned(): void {
    const ran = [...this.#ran];
    const { orderings, faults, data } = this.#plan;
    const named = [...orderings.flatMap(({ first, then }) => [first, then]), ...faults.map(({ at }) => at)];
    const missing = named.find((name) => !this.#ran.has(name));
    const unmet = orderings.find(({ first, then }) => ran.indexOf(first) > ran.indexOf(then));
    const unmade = this.#choices < data.length;
    if (missing === undefined && unmet === undefined && !unmade) return;
    const order = unmet === undefined ? `${data.length} choices of data` : `${unmet.first} before ${unmet.then}`;
    const expected = missing === undefined ? order : `${missing}, which never came`;
    const found = `${ran.slice(0, 20).join(", ")}${ran.length > 20 ? `, and ${ran.length - 20} more` : ""}`;
    throw new Error(
      `This test proves nothing any more: expected ${expected}, found ${found}. If the code was changed on purpose, look for the failure again and write the test anew`,
    );
  }

  /** All microtasks run before a macrotask does; so do the rejections that nobody handles come up. */
  async #drain(): Promise<void> {
    await new Promise((resolve) => realSetImmediate(resolve));
    if (this.#broken.length > 0) throw this.#broken[0];
  }

  /** The oldest I/O that is not held back, then the timers with the earliest deadline, then the next step. */
  #next(): Waiting | undefined {
    const earliest = Math.min(...this.#timers.map(({ deadlineMs }) => deadlineMs));
    const due = this.#timers.filter(({ deadlineMs }) => deadlineMs === earliest);
    const possible = [...this.#io, ...due, ...this.#steps.flatMap((steps) => steps.slice(0, 1))];
    const next = possible.find((waiting) => !this.#isHeld(waiting.name)) ?? possible[0];
    for (const list of [this.#io, this.#timers, ...this.#steps] as Waiting[][]) {
      if (next !== undefined && list.includes(next)) list.splice(list.indexOf(next), 1);
    }
    return next;
  }

  #isHeld(name: string): boolean {
    return this.#plan.orderings.some(({ first, then }) => then === name && !this.#ran.has(first));
  }

  #arm(kind: string, act: (...args: []) => void, ms: number, args: []): Timer {
    const source = this.#source;
    const delayMs = kind === "immediate" ? 0 : Math.max(1, Math.trunc(ms));
    const name = this.#number(source, kind === "immediate" ? kind : `${kind} ${delayMs}`);
    const timer: Timer = {
      name,
      source,
      deadlineMs: this.nowMs + delayMs,
      ref: () => timer,
      unref: () => timer,
      hasRef: () => true,
      go: () => {
        this.nowMs = Math.max(this.nowMs, timer.deadlineMs);
        vi.setSystemTime(this.nowMs);
        if (kind === "interval") {
          timer.deadlineMs = this.nowMs + delayMs;
          timer.name = this.#number(source, `interval ${delayMs}`);
          this.#timers.push(timer);
        }
        return act(...args);
      },
    };
    this.#timers.push(timer);
    return timer;
  }

  #number(source: string, label: string): string {
    const number = (this.#numbers.get(`${source}:${label}`) ?? 0) + 1;
    this.#numbers.set(`${source}:${label}`, number);
    return `${source}:${label}#${number}`;
  }

  #flow(name: string, returned: unknown): unknown {
    return returned instanceof Promise ? this.settles(name, returned) : returned;
  }

  #watched(returned: unknown): void {
    if (returned instanceof Promise) returned.catch((reason) => this.#broken.push(reason));
  }

  async #forgiven(act: () => unknown): Promise<void> {
    try {
      await act();
    } catch {
      // The scenario says that this one may be refused.
    }
  }
}

function check([name, holds]: [string, () => boolean | string], after: string): void {
  const answer = holds();
  if (answer !== true) throw new Error(`${name}: ${answer} (seen after ${after})`);
}

type Body = (world: DeferredWorld, script: readonly unknown[]) => unknown;
type ScenarioOptions = { script?: { parse(json: unknown): readonly unknown[] } };

const scenarios = new Map<string, { options: ScenarioOptions; body: Body }>();

/** Stands in for the scenario() of the package that found this. */
export function scenario(name: string, ...given: readonly [Body] | readonly [ScenarioOptions, Body]): string {
  const [options, body] = given.length === 1 ? [{}, given[0]] : given;
  scenarios.set(name, { options, body });
  return name;
}

/** Runs a scenario in the order of the plan. Throws what broke. */
export async function play(name: string, plan: Plan): Promise<void> {
  const found = scenarios.get(name);
  if (found === undefined) throw new Error(`No scenario is named ${JSON.stringify(name)}`);
  const script = found.options.script?.parse(plan.script) ?? plan.script;
  try {
    await new DeferredWorld(plan).run((world) => found.body(world, script));
  } catch (error) {
    throw withFewCauses(error);
  }
}

const causesMost = 5;

/** The error, or a copy with fewer causes: a chain of causes that leads back to itself would be printed without end. */
function withFewCauses(error: unknown): unknown {
  const chain: Error[] = [];
  for (let at = error; at instanceof Error; at = at.cause) {
    if (chain.length > causesMost || chain.includes(at)) {
      return chain.reduceRight<unknown>((cause, each) => copied(each, cause), "further causes are left out");
    }
    chain.push(at);
  }
  return error;
}

function copied({ name, message, stack }: Error, cause: unknown): Error {
  return Object.assign(new Error(message, { cause }), { name, stack });
}
