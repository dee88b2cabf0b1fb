/**
 * fast-check's scheduler, which our strategies drive and which shrinks. It is fast-check's own object: what it schedules,
 * waits for and reports is its code. Only which task is next is ours: it asks a custom order for the ids of tasks one by
 * one, and that order is made up as it goes.
 */
import {
  Arbitrary,
  cloneMethod,
  type Random,
  type Scheduler,
  type SchedulerConstraints,
  Stream,
  schedulerFor,
  Value,
} from "fast-check";
import type { PossibleDelivery } from "../../sim/execution.ts";
import { allHolds, HoldKeeper, type Holds, lesserHolds } from "./holds.ts";
import { type Placing, placingOf } from "./plans.ts";
import { orderingLines, type Release, taskPhrase } from "./schedule-words.ts";
import { Tasks, type WaitingTask } from "./tasks.ts";

/** A run of the scheduler: equal plans give equal runs of the same code. */
type Plan = { readonly seed: string; readonly holds: Holds };

/**
 * In place of `fc.scheduler()`: explores with strategies that make a task wait long, in a stream of its own that repeats
 * nothing of the values beside it, and shrinks towards the order in which tasks were scheduled.
 */
export function scheduler<TMetaData = unknown>(constraints?: SchedulerConstraints): Arbitrary<Scheduler<TMetaData>> {
  return new SchedulerArbitrary<TMetaData>(constraints);
}

class SchedulerArbitrary<TMetaData> extends Arbitrary<Scheduler<TMetaData>> {
  readonly #constraints: SchedulerConstraints | undefined;
  readonly #plans = new WeakMap<object, Plan>();

  constructor(constraints: SchedulerConstraints | undefined) {
    super();
    this.#constraints = constraints;
  }

  override generate(random: Random): Value<Scheduler<TMetaData>> {
    // Drawn, so that the value beside it is made of something else, and hashed later on.
    const seed = `${random.nextInt()},${random.nextInt()}`;
    return this.#value({ seed, holds: allHolds });
  }

  override canShrinkWithoutContext(value: unknown): value is Scheduler<TMetaData> {
    return typeof value === "object" && value !== null && this.#plans.has(value);
  }

  override shrink(value: Scheduler<TMetaData>): Stream<Value<Scheduler<TMetaData>>> {
    const plan = this.#plans.get(value);
    if (plan === undefined) return Stream.nil();
    const { seed, holds } = plan;
    return new Stream(lesserHolds(holds)).map((lesser) => this.#value({ seed, holds: lesser }));
  }

  #value(plan: Plan): Value<Scheduler<TMetaData>> {
    return new Value(this.#scheduler(plan), undefined);
  }

  #scheduler(plan: Plan): Scheduler<TMetaData> {
    const order = new TaskOrder(plan);
    const made = schedulerFor<TMetaData>(order.asList(), this.#constraints);
    const report = made.toString.bind(made);
    order.follow(() => made.report());
    this.#plans.set(made, plan);
    Object.defineProperties(made, {
      toString: { value: () => `${report()}${order.inWords()}` },
      // Whoever runs a scheduler again, beside another value, begins with the same plan.
      [cloneMethod]: { value: () => this.#scheduler(plan) },
    });
    return made;
  }
}

type Report = () => readonly (WaitingTask & { readonly status: string })[];

/** The order of the tasks of one run, made up as it is asked for. */
class TaskOrder {
  readonly #placing: Placing;
  readonly #keeper: HoldKeeper;
  readonly #tasks = new Tasks();
  readonly #releases: Release[] = [];
  #report: Report = () => [];
  #last: PossibleDelivery | null = null;
  /** How many tasks were released, and which one is next. */
  #asked = -1;
  #next = 0;

  constructor({ seed, holds }: Plan) {
    this.#placing = placingOf(seed);
    this.#keeper = new HoldKeeper(holds);
  }

  /** `report` tells which tasks wait. */
  follow(report: Report): void {
    this.#report = report;
  }

  /** Looks like an endless list of ids. */
  asList(): number[] {
    return new Proxy<number[]>([], {
      get: (target, key) => {
        if (key === "length") return Number.POSITIVE_INFINITY;
        return typeof key === "string" && /^\d+$/.test(key) ? this.#at(Number(key)) : Reflect.get(target, key);
      },
    });
  }

  inWords(): string {
    const lines = orderingLines(this.#releases);
    // A comment, so that the report can still be pasted; a label must not end it.
    return lines.length === 0 ? "" : ` /*\n${lines.map((line) => `  ${line.replaceAll("*/", "* /")}`).join("\n")}\n*/`;
  }

  /** It is asked for once for every task that waits. */
  #at(place: number): number {
    if (place !== this.#asked) {
      this.#asked = place;
      this.#next = this.#choose();
    }
    return this.#next;
  }

  #choose(): number {
    const waiting = this.#report().filter(({ status }) => status === "pending");
    const possible = waiting.map((task) => this.#tasks.delivery(task, this.#last));
    const ids = waiting.map(({ taskId }) => taskId);
    const wanted = possible.length > 1 ? this.#placing.delivery(possible, possible.length) : 0;
    const chosen = this.#keeper.choose(ids, wanted);
    const [task, delivery] = [waiting[chosen], possible[chosen]];
    if (task === undefined || delivery === undefined) return 0;
    this.#placing.delivered(delivery);
    this.#last = delivery;
    if (chosen > 0) {
      const [phrase = "", ...overtaken] = [task, ...waiting.slice(0, chosen)].map((each) =>
        taskPhrase(each.taskId, each.label),
      );
      this.#releases.push({ task: phrase, overtaken });
    }
    return task.taskId;
  }
}
