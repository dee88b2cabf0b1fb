/**
 * What else has to be tried, seen from one execution: for each race the other order, and for each delivery that was
 * possible until another one disabled it, itself first.
 *
 * The source sets of P. Abdulla, S. Aronis, B. Jonsson, K. Sagonas, Source sets: a foundation for optimal dynamic partial
 * order reduction (JACM 2017). Here one delivery can disable another (a timer waits for I/O and for earlier timers, a check
 * phase lets nobody in between, a timer is cleared), so races are looked for wherever a delivery waits and is not possible,
 * as if it came there.
 */
import type { TakenBack, TraceStep } from "../../execution.ts";
import { comesBefore, type HappensBefore, type Placed, type Standing } from "./happens-before.ts";
import type { Node } from "./path.ts";

/** The delivery that would come earlier; null: what it would be answered is not known. */
type Last = { readonly name: string; readonly answers: readonly number[] | null };
type Trace = { readonly nodes: readonly Node[]; readonly steps: readonly TraceStep[]; readonly order: HappensBefore };

/** Demands at the nodes what the deliveries `from` … `count - 1` of this trace call for. */
export function demandReversals(trace: Trace, from: number, count: number): void {
  // Where there are timers or immediates; nothing else is ever kept waiting.
  const waits = trace.steps.some((step) => step.observed.writes.includes("clock"));
  for (let then = from; then < count; then++) {
    const standing = trace.order.standing(then);
    const last = { name: trace.steps[then]?.name ?? "", answers: trace.nodes[then]?.answered() ?? null };
    for (const first of standing.races) demandReversal(trace, first, last, then, standing);
  }
  // Also of what runs where everything is asleep: it may have waited since before.
  for (let then = from; waits && then < trace.steps.length; then++) {
    const step = trace.steps[then];
    if (step === undefined || step.fair === true) break;
    demandEarlier(trace, step, trace.nodes[then]?.answered() ?? null, Math.min(then - 1, count));
    for (const taken of step.takenBack ?? []) demandEarlier(trace, neverCame(taken), null, Math.min(then + 1, count));
  }
  for (let at = from; at < count; at++) demandDisabled(trace, at);
}

/** Wherever a delivery waited without being possible, up to `end`: whoever disabled it may come after it. */
function demandEarlier(trace: Trace, step: Placed, answers: Last["answers"], end: number): void {
  const { steps, order } = trace;
  const asked = order.asker(step, end + 1) + 1;
  for (let at = asked; at <= end; at++) {
    if (steps[at]?.possible.includes(step.name) === true) continue;
    const standing = order.pending(step, at);
    // Races with those before the last one were met where that was still to come.
    for (const first of standing.races) {
      if (at === asked || first === at - 1) demandReversal(trace, first, { name: step.name, answers }, at, standing);
    }
  }
}

/** What is known of a timer or immediate without its callback: what makes it possible, or keeps it waiting. */
function neverCame({ name, source, kind, askedBy }: TakenBack): Placed {
  const writes = kind === "timer" ? ["clock", "loop"] : ["clock", "loop", "turn"];
  return { name, source, askedBy, touches: null, observed: { writes } };
}

/**
 * What lies between `first` and `end` and does not come after `first`, followed by `then`, can run from the node of
 * `first`. It is tried where one of its initials is: a delivery of it that nothing in it comes before.
 */
function demandReversal(trace: Trace, first: number, then: Last, end: number, standing: Standing): void {
  const { nodes, steps, order } = trace;
  const node = nodes[first];
  if (node === undefined) return;
  const members: number[] = [];
  let found: string | null = null;
  for (let at = first + 1; at <= end; at++) {
    const last = at === end;
    const { past } = last ? standing : order.standing(at);
    if (!last && comesBefore(past, first)) continue;
    const initial = !members.some((member) => comesBefore(past, member));
    members.push(at);
    const name = last ? then.name : steps[at]?.name;
    if (!initial || name === undefined) continue;
    if (node.demanded.has(name) || node.asleep.has(name)) return;
    const answers = last ? then.answers : (nodes[at]?.answered() ?? null);
    if (answers !== null && node.asleep.hasVariant(name, answers)) return;
    if (found === null && node.possible.includes(name)) found = name;
  }
  // None possible: nothing but `first`, or what depends on it, makes `then` possible. Such races are looked at themselves.
  if (found !== null) node.demanded.add(found);
}

/** What was possible until this delivery, and is not any more: it comes first in some order. */
function demandDisabled({ nodes, steps }: Trace, at: number): void {
  const node = nodes[at];
  const next = steps[at + 1];
  if (node === undefined || next?.fair === true) return;
  for (const name of node.possible) {
    if (name !== node.name && next?.possible.includes(name) !== true && !node.asleep.has(name)) node.demanded.add(name);
  }
}
