/**
 * Remembers what an execution did. While searching only the choices and a hash are kept, in reused arrays; a detailed
 * run also keeps what was possible at every choice point, and can tell the whole Execution.
 */

import type { Execution, TraceNote, TraceStep } from "../execution.ts";
import type { Fault, Violation } from "../result.ts";
import type { Delivery } from "./delivery.ts";
import { emptyList } from "./emptied.ts";
import type { Family } from "./name-table.ts";

const nothing = { reads: [], writes: [] };

export class Tracer {
  /** With detail, what was possible and what was noted is kept too. */
  detailed = false;
  /** The answers of the chooser, in order; playing them back gives the same execution. */
  readonly choices: number[] = [];
  /** Deliveries placed so far, companions included, and jobs at level free. */
  length = 0;
  /** Of these, jobs. */
  jobs = 0;
  /** Tells two executions apart; equal traces have equal hashes. */
  hash = 0;
  /** How many deliveries there were when the fair phase began. */
  fairFrom = Number.POSITIVE_INFINITY;
  readonly #deliveries: Delivery[] = [];
  readonly #ticks: number[] = [];
  readonly #faults: ("fail" | "hang" | null)[] = [];
  readonly #times: number[] = [];
  #possible: (readonly string[])[] = [];
  #chosen: number[] = [];
  #notes: TraceNote[][] = [];
  readonly #data: number[] = [];

  reset(): void {
    emptyList(this.choices);
    this.length = 0;
    this.jobs = 0;
    this.fairFrom = Number.POSITIVE_INFINITY;
    this.hash = 0x811c9dc5;
    emptyList(this.#data);
    if (this.detailed) {
      this.#possible = [];
      this.#chosen = [];
      this.#notes = [[]];
    }
  }

  chose(answer: number): void {
    this.choices.push(answer);
  }

  /** The next delivery is the one at `chosen` of the first `count`. */
  possible(possible: readonly Delivery[], count: number, chosen: number): void {
    if (!this.detailed) return;
    const names: string[] = [];
    for (let index = 0; index < count; index++) names.push(possible[index]?.name ?? "");
    this.#possible.push(names);
    this.#chosen.push(chosen);
  }

  delivered(delivery: Delivery, tick: number, fault: "fail" | "hang" | null, nowMs: number): void {
    const at = this.length++;
    if (delivery.kind === "job") this.jobs++;
    this.#deliveries[at] = delivery;
    this.#ticks[at] = tick;
    this.#faults[at] = fault;
    this.#times[at] = nowMs;
    this.#mix(delivery.family.id);
    this.#mix(delivery.sequence);
    this.#mix(tick);
    if (this.detailed) this.#notes[this.length] = [];
  }

  note(event: string, data: unknown, byCondition = false): void {
    for (let index = 0; index < event.length; index++) this.#mix(event.charCodeAt(index));
    if (this.detailed) this.#notes[this.length]?.push(byCondition ? { event, data, byCondition } : { event, data });
  }

  data(index: number): void {
    this.#data.push(index);
    this.#mix(index);
  }

  /** The families of what was delivered in the fair phase, in order. */
  fairly(): readonly Family[] {
    const families: Family[] = [];
    for (let at = this.fairFrom; at < this.length; at++) {
      const family = this.#deliveries[at]?.family;
      if (family !== undefined) families.push(family);
    }
    return families;
  }

  /** Tells the execution in full; only after a detailed run. */
  tell(violation: Violation | null, ambiguous: readonly string[], left: readonly string[]): Execution {
    const steps: TraceStep[] = [];
    const faults: Fault[] = [];
    for (let at = 0; at < this.length; at++) {
      const delivery = this.#deliveries[at];
      if (delivery === undefined) continue;
      const tick = this.#ticks[at] ?? 0;
      const fault = this.#faults[at] ?? null;
      const takenBack = delivery.observed?.takenBack ?? [];
      if (tick > 0) faults.push({ at: delivery.name, kind: "late", arg: tick });
      if (fault !== null) faults.push({ at: delivery.name, kind: fault });
      steps.push({
        name: delivery.name,
        possible: this.#possible[at] ?? [delivery.name],
        chosen: this.#chosen[at] ?? 0,
        tick,
        fault,
        nowMs: this.#times[at] ?? 0,
        askedBy: delivery.askedBy?.name ?? null,
        source: delivery.source,
        touches: delivery.touches,
        observed: delivery.observed?.touches ?? nothing,
        cancelled: takenBack.map(({ name }) => name),
        ...(takenBack.length === 0 ? {} : { takenBack }),
        notes: this.#notes[at + 1] ?? [],
        ...(at < this.fairFrom ? {} : { fair: true }),
      });
    }
    return { opening: this.#notes[0] ?? [], steps, violation, data: [...this.#data], faults, ambiguous, left };
  }

  #mix(value: number): void {
    this.hash = Math.imul(this.hash ^ value, 0x01000193) ^ (this.hash >>> 15);
  }
}
