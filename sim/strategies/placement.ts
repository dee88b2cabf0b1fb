/**
 * Placement sweep: take a schedule that ran, move one delivery ahead of another that came before it, run that, and go
 * on from the traces this gives, breadth first and nearest first. A move is an ordering over the schedule it started
 * from, so what is found is already the encoding that shrinking and replay use. At level jitter a move also lets a
 * delivery arrive at each tick of the drain of an earlier one.
 *
 * Idea: the reversal of races in trace order of R4 and IOSimPOR, and the delay of a single task in CHESS (Musuvathi et
 * al., 2008); deviation: moves are orderings over names, so they survive into the next trace, and pairs of which one
 * asked for the other are never tried. When the sweep is exhausted, random pairs of moves are drawn from the seed.
 */
import type { Chooser, Execution, TraceStep } from "../execution.ts";
import { Random, type StreamSeed } from "../random.ts";
import type { Level } from "../result.ts";
import { firstComeSchedule, type Schedule, ScheduleChooser } from "../schedule.ts";
import type { Ended, Strategy } from "../strategy.ts";

type Move = { readonly schedule: Schedule; readonly distance: number };

export class Placement implements Strategy {
  readonly name = "placement";
  readonly active = "placement";
  readonly detailed = true;
  readonly exhausted = null;
  readonly estimate = null;
  readonly #level: Level;
  readonly #random: Random;
  readonly #seen = new Set<string>();
  readonly #tried = new Set<string>();
  readonly #queue: Schedule[] = [firstComeSchedule];
  #at = 0;
  #running: { readonly schedule: Schedule; readonly chooser: PlacementChooser } | null = null;

  constructor(seed: StreamSeed, level: Level) {
    this.#random = new Random(seed);
    this.#level = level;
  }

  /** False once every move was tried. */
  get sweeping(): boolean {
    return this.#at < this.#queue.length;
  }

  next(index: number): Chooser | null {
    this.#random.restart(index);
    const schedule = this.#queue[this.#at] ?? this.#randomPair();
    if (schedule === null) return null;
    this.#at++;
    return this.#run(schedule);
  }

  again(): Chooser {
    return this.#run(this.#running?.schedule ?? firstComeSchedule);
  }

  ended(end: Ended): void {
    const running = this.#running;
    if (running === null || end.violated) return;
    const execution = end.tell();
    const trace = execution.steps.map((step) => `${step.name}@${step.tick}`).join();
    if (this.#seen.has(trace)) return;
    this.#seen.add(trace);
    const moves = movesOf(execution, running.schedule, running.chooser.drains);
    moves.sort((a, b) => a.distance - b.distance);
    for (const { schedule } of moves) this.#enqueue(schedule);
  }

  #run(schedule: Schedule): Chooser {
    const chooser = new PlacementChooser(schedule, this.#level === "jitter");
    this.#running = { schedule, chooser };
    return chooser;
  }

  #enqueue(schedule: Schedule): void {
    const key = keyOf(schedule);
    if (this.#tried.has(key)) return;
    this.#tried.add(key);
    this.#queue.push(schedule);
  }

  /** Joins two schedules of the sweep; null when there are too few. */
  #randomPair(): Schedule | null {
    if (this.#queue.length < 3) return null;
    const one = this.#queue[this.#random.below(this.#queue.length)] ?? firstComeSchedule;
    const other = this.#queue[this.#random.below(this.#queue.length)] ?? firstComeSchedule;
    const orderings = [...one.orderings, ...other.orderings];
    return { orderings, faults: [...one.faults, ...other.faults], data: one.data };
  }
}

/** Remembers how long the drain after each delivery was. */
class PlacementChooser extends ScheduleChooser {
  override readonly measures: boolean;
  /** By position in the trace. */
  readonly drains: number[] = [];
  #placed = 0;

  constructor(schedule: Schedule, measures: boolean) {
    super(schedule);
    this.measures = measures;
  }

  override delivered(delivery: Parameters<ScheduleChooser["delivered"]>[0]): void {
    super.delivered(delivery);
    this.#placed++;
  }

  override drained(ticks: number): void {
    this.drains[this.#placed - 1] = ticks;
  }
}

function movesOf(execution: Execution, schedule: Schedule, drains: readonly number[]): Move[] {
  const { steps } = execution;
  const byName = new Map(steps.map((step) => [step.name, step]));
  const moves: Move[] = [];
  for (let later = 1; later < steps.length; later++) {
    const moved = steps[later];
    if (moved === undefined) continue;
    for (let earlier = later - 1; earlier >= 0; earlier--) {
      const passed = steps[earlier];
      if (passed === undefined) continue;
      if (asksFor(passed, moved, byName)) break;
      const distance = later - earlier;
      const ordering = { first: moved.name, then: passed.name };
      moves.push({ distance, schedule: { ...schedule, orderings: [...schedule.orderings, ordering] } });
    }
    pushArrivals(moves, execution, later, schedule, drains);
  }
  return moves;
}

/** Level jitter: `moved` arrives at each tick of the drain of every earlier delivery after which it was possible. */
function pushArrivals(
  moves: Move[],
  { steps }: Execution,
  later: number,
  schedule: Schedule,
  drains: readonly number[],
): void {
  const moved = steps[later];
  if (moved === undefined || moved.tick > 0 || isTimer(moved)) return;
  for (let anchor = later - 1; anchor >= 0; anchor--) {
    const after = steps[anchor];
    const possibleThen = anchor + 1 === later || steps[anchor + 1]?.possible.includes(moved.name) === true;
    if (after === undefined || !possibleThen) return;
    for (let tick = 1; tick <= (drains[anchor] ?? 0); tick++) {
      const orderings = [...schedule.orderings, { first: after.name, then: moved.name }];
      const faults = [...schedule.faults, { at: moved.name, kind: "late" as const, arg: tick }];
      moves.push({ distance: later - anchor, schedule: { ...schedule, orderings, faults } });
    }
  }
}

function isTimer(step: TraceStep): boolean {
  return /:(timer|interval|immediate)( \d+)?#\d+$/.test(step.name);
}

/** True when `moved` is there only because `passed` was delivered. */
function asksFor(passed: TraceStep, moved: TraceStep, byName: ReadonlyMap<string, TraceStep>): boolean {
  let ancestor = moved.askedBy;
  for (let depth = 0; ancestor !== null && depth < byName.size; depth++) {
    if (ancestor === passed.name) return true;
    ancestor = byName.get(ancestor)?.askedBy ?? null;
  }
  return false;
}

function keyOf({ orderings, faults }: Schedule): string {
  const parts = orderings.map(({ first, then }) => `${first}<${then}`);
  for (const { at, kind, arg } of faults) parts.push(`${at}~${kind}${arg ?? ""}`);
  return parts.sort().join();
}
