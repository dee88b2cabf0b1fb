/**
 * How a history may be read that has commands from inside port calls. An agent may take such a command at once, or after
 * what it is doing: it has decided things by then that it shows only afterwards. From outside the two look alike, so both
 * are right. Each place within the synchronous stretch in which the command was given, where the agent shows something, is
 * a place at which it may have been taken; what was written down stands for all of these histories. A promise is broken
 * when it is broken in each of them.
 */
import type { Invariant } from "../invariant.ts";
import type { History, Observation } from "./history.ts";

/** Reads `invariant` so. What is said of a breach is what was written down shows, command first. */
export function inEveryReading(invariant: Invariant<History>): Invariant<History> {
  return {
    ...invariant,
    violation(history) {
      const asWritten = invariant.violation(history);
      if (asWritten === undefined) return undefined;
      for (const reading of otherReadings(history)) if (invariant.violation(reading) === undefined) return undefined;
      return asWritten;
    },
  };
}

/** A command, and the observations after any one of which it may have been taken; the first is its own. */
type Movable = { readonly command: number; readonly places: readonly number[] };
/** Where each movable command is put, in the order of the commands. */
type Placing = readonly number[];

// Scripts of a check rarely have more. Beyond that the oldest commands are taken at once or at the end, then at once.
const placingsMost = 512;

function* otherReadings(history: History): Generator<History> {
  const movables = movablesOf(history);
  if (movables.length === 0) return;
  const readings = knownReadings(history);
  for (const placing of placingsOf(bounded(movables))) {
    const moved = movables.flatMap(({ command }, index) => {
      const place = placing[index] ?? command;
      return place === command ? [] : [{ command, place }];
    });
    if (moved.length === 0) continue;
    const key = moved.map(({ command, place }) => `${command}>${place}`).join();
    const reading = readings.get(key) ?? new Reading(history, moved);
    readings.set(key, reading);
    yield reading.upToDate();
  }
}

function movablesOf({ observations }: History): readonly Movable[] {
  return observations.flatMap((seen, command) => {
    if (seen.type !== "command" || seen.inside === undefined) return [];
    const places = [command];
    for (let at = command + 1; at < observations.length; at++) {
      const later = observations[at];
      if (later === undefined || endsStretch(later, command, observations)) break;
      if (shows(later)) places.push(at);
    }
    return places.length === 1 ? [] : [{ command, places }];
  });
}

/** A promise job has run, or somebody has given a command from elsewhere. */
function endsStretch(seen: Observation, command: number, observations: readonly Observation[]): boolean {
  if (seen.type === "returned") return true;
  if (seen.type === "command") return seen.inside === undefined;
  // What was asked before is answered in a promise job, but for the record inside whose call the command was given.
  return seen.type === "settled" && seen.call < command && observations[seen.call]?.type !== "append";
}

/** Where nothing is shown, to be taken before or after is the same. */
function shows({ type }: Observation): boolean {
  return type !== "settled" && type !== "when-idle" && type !== "command";
}

function bounded(movables: readonly Movable[]): readonly Movable[] {
  let fewer = movables;
  const coarser: readonly ((movable: Movable) => readonly number[])[] = [
    ({ command, places }) => [command, places.at(-1) ?? command],
    ({ command }) => [command],
  ];
  for (const places of coarser) {
    for (let oldest = 0; oldest < fewer.length && countOf(fewer) > placingsMost; oldest++) {
      fewer = fewer.map((movable, at) => (at === oldest ? { ...movable, places: places(movable) } : movable));
    }
  }
  return fewer;
}

function countOf(movables: readonly Movable[]): number {
  return movables.reduce((product, { places }) => product * places.length, 1);
}

/** The newest command is moved first: what was broken last is most likely to hang on it. A queue keeps its order. */
function* placingsOf(movables: readonly Movable[], after = -1): Generator<Placing> {
  const [first, ...rest] = movables;
  if (first === undefined) {
    yield [];
    return;
  }
  for (const place of first.places) {
    if (place < after) continue;
    for (const later of placingsOf(rest, place)) yield [place, ...later];
  }
}

const known = new WeakMap<History, Map<string, Reading>>();

function knownReadings(history: History): Map<string, Reading> {
  const readings = known.get(history) ?? new Map<string, Reading>();
  known.set(history, readings);
  return readings;
}

type Moved = { readonly command: number; readonly place: number };

/** The history with commands moved towards its end, numbered anew. Grows with it. */
class Reading implements History {
  readonly policy: History["policy"];
  readonly observations: Observation[] = [];
  readonly #history: History;
  /** The new number of each observation. */
  readonly #numbers = new Map<number, number>();
  #read: number;

  constructor(history: History, moved: readonly Moved[]) {
    this.policy = history.policy;
    this.#history = history;
    this.#read = history.observations.length;
    const order = orderOf(history, moved);
    for (const [number, at] of order.entries()) this.#numbers.set(at, number);
    for (const at of order) this.#add(at);
  }

  upToDate(): this {
    for (; this.#read < this.#history.observations.length; this.#read++) {
      this.#numbers.set(this.#read, this.#read);
      this.#add(this.#read);
    }
    return this;
  }

  #add(at: number): void {
    const seen = this.#history.observations[at];
    if (seen === undefined) return;
    const number = this.observations.length;
    this.observations.push(
      "call" in seen ? { ...seen, at: number, call: this.#numberOf(seen.call) } : { ...seen, at: number },
    );
  }

  #numberOf(at: number): number {
    return this.#numbers.get(at) ?? at;
  }
}

/** A command takes the answer along that it had got before its new place. */
function orderOf({ observations }: History, moved: readonly Moved[]): readonly number[] {
  const takenAfter = new Map<number, number[]>();
  const away = new Set<number>();
  for (const { command, place } of moved) {
    const answer = observations.findIndex((seen) => seen.type === "settled" && seen.call === command);
    const taken = answer >= 0 && answer < place ? [command, answer] : [command];
    for (const at of taken) away.add(at);
    takenAfter.set(place, [...(takenAfter.get(place) ?? []), ...taken]);
  }
  return observations.flatMap((_, at) => [...(away.has(at) ? [] : [at]), ...(takenAfter.get(at) ?? [])]);
}
