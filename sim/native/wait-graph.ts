/**
 * The wait-for graph of an execution in which somebody is left waiting: from each unsettled actor or registered promise
 * the way to the promise at its root, and why that is not settled. It is read from what was kept of the promises, and
 * does not guess.
 */
import type { CausalLog, Promised, Reader, Reading, Waiting } from "../causality.ts";
import type { MadePromise, Violation, Wait, WaitGraph, WaitLink, WaitRoot } from "../result.ts";

/** Of so many of the unsettled the way is looked for. */
const waitsRead = 100;
const waitsTold = 20;
const linksTold = 30;
/** With more unsettled than this, those that wait alike are told as one. */
const toldSingly = 8;

/** The name of the violation when nobody has handled a rejection. */
export const unhandledRejection = "unhandled rejection";

/** True for the violations of which more is known once promises were watched. */
export function hasCauses(violation: Violation | null): boolean {
  if (violation?.kind === "error") return violation.name === unhandledRejection;
  return hasWaits(violation);
}

/** True for the violations in which somebody may be left waiting. */
export function hasWaits(violation: Violation | null): boolean {
  return violation?.kind === "stuck" || violation?.kind === "liveness";
}

/** Reads who waits for what. `sawAll` says that nothing was missed to the end. */
export function waitGraph(
  waiting: readonly Waiting[],
  log: CausalLog,
  sawAll: boolean,
  pending: { left(): readonly string[] },
): WaitGraph {
  if (!log.on || (log.empty && !sawAll)) {
    const waits = waiting.slice(0, waitsTold).map(({ name }) => unknownWait(name));
    return { seen: "none", waits, more: waiting.length - waits.length, cycle: [] };
  }
  log.on = false;
  const all = log.read(new Set(pending.left()), new Ways(waiting));
  const groups = all.length > toldSingly ? grouped(all) : all;
  const waits = groups.slice(0, waitsTold);
  const told = waits.reduce((sum, { alike }) => sum + 1 + alike, 0);
  const seen = sawAll && !log.overflown ? "all" : "part";
  return { seen, waits, more: waiting.length - told, cycle: cycleOf(all) };
}

class Ways implements Reader<readonly Wait[]> {
  readonly #waiting: readonly Waiting[];

  constructor(waiting: readonly Waiting[]) {
    this.#waiting = waiting;
  }

  read<P extends Promised>(reading: Reading<P>): readonly Wait[] {
    const names = new Map<number, string>();
    for (const { name, promise } of this.#waiting) {
      const made = reading.of(promise);
      if (made !== null && !names.has(made.id)) names.set(made.id, name);
    }
    return this.#waiting.slice(0, waitsRead).map((each) => wayOf(each, reading, names));
  }
}

function wayOf<P extends Promised>(
  { name, promise }: Waiting,
  reading: Reading<P>,
  names: ReadonlyMap<number, string>,
): Wait {
  const start = reading.of(promise);
  if (start === null) return unknownWait(name);
  const links: WaitLink[] = [];
  let at = start;
  let root: WaitRoot | null = null;
  const passed = new Set<number>();
  while (root === null && links.length < linksTold) {
    passed.add(at.id);
    const step = reading.step(at, passed);
    if (step === null || step.to === "foreign") {
      root = step === null ? reading.root(at) : { kind: "foreign" };
      break;
    }
    at = step.to;
    links.push({ how: step.how, at: step.at, made: toldPromise(at), beside: step.beside });
    const other = names.get(at.id);
    if (other !== undefined && other !== name) root = { kind: "other", who: other };
  }
  return { who: name, alike: 0, made: toldPromise(start), links, root: root ?? { kind: "unknown" } };
}

export function toldPromise({ at, callers, within, flow }: Promised): MadePromise {
  return { at, ...(callers.length === 0 ? {} : { calledBy: callers }), within: within?.name ?? null, by: flow };
}

function unknownWait(who: string): Wait {
  return { who, alike: 0, made: null, links: [], root: { kind: "unknown" } };
}

/** Tells as one who waits at the same lines for the same kind of thing. */
function grouped(waits: readonly Wait[]): Wait[] {
  const groups = new Map<string, Wait>();
  for (const wait of waits) {
    const key = JSON.stringify([
      wait.links.map(({ how, at, made }) => [how, at, made.at]),
      wait.made?.at,
      wait.root.kind,
    ]);
    const group = groups.get(key);
    groups.set(key, group === undefined ? wait : { ...group, alike: group.alike + 1 });
  }
  return [...groups.values()];
}

/** The first cycle among the unsettled, from the first of its members. */
function cycleOf(waits: readonly Wait[]): readonly string[] {
  const next = new Map<string, string>();
  const names = new Set(waits.map(({ who }) => who));
  for (const { who, links, root } of waits) {
    const maker = root.kind === "code" ? links.at(-1)?.made.by : undefined;
    const other = root.kind === "other" ? root.who : maker;
    if (other !== undefined && other !== who && names.has(other) && !next.has(who)) next.set(who, other);
  }
  for (const start of names) {
    const path = [start];
    for (let at = next.get(start); at !== undefined && path.length <= next.size; at = next.get(at)) {
      if (at === start) return path;
      path.push(at);
    }
  }
  return [];
}
