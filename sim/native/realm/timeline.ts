/**
 * performance.mark and measure on the virtual clock, with a timeline of their own for each execution: in Node's, entries
 * would pile up over thousands of executions, and one would find the marks of another. A PerformanceObserver is not told.
 */
import { PerformanceMark, PerformanceMeasure } from "node:perf_hooks";
import { perfHooks, performances } from "./clock.ts";
import type { RealmHost } from "./host.ts";
import { onEach, type Patch, patchesOf } from "./patch.ts";

type TimelineHost = Pick<RealmHost, "readClock" | "execution">;
type Entry = { readonly name: string; readonly entryType: string; readonly startTime: number };
type Options = Readonly<Record<"start" | "end" | "duration" | "startTime" | "detail", unknown>>;

const realMark: unknown = performance.mark.bind(performance);
const realMeasure: unknown = performance.measure.bind(performance);
const realEntries = performance.getEntriesByName.bind(performance);
/** Times of Node's own start, which measure() takes like marks; virtual time begins when Node is up. */
const startOfNode = ["nodeStart", "v8Start", "environment", "loopStart", "loopExit", "bootstrapComplete"];

export function timelinePatches(host: TimelineHost): Patch[] {
  const timeline = new Timeline(host);
  function VirtualMark(this: unknown, ...args: readonly unknown[]): Entry {
    return timeline.make(args, new.target === undefined ? VirtualMark.prototype : new.target.prototype);
  }
  Object.defineProperty(VirtualMark, "name", { value: "PerformanceMark" });
  Object.defineProperty(VirtualMark, "prototype", { value: PerformanceMark.prototype, writable: false });
  const functions = {
    mark: (...args: readonly unknown[]) => timeline.mark(args),
    measure: (...args: readonly unknown[]) => timeline.measure(args),
    getEntries: () => timeline.entries(() => true),
    getEntriesByName: (name: unknown, type?: unknown) =>
      timeline.entries((entry) => entry.name === String(name) && (type === undefined || entry.entryType === type)),
    getEntriesByType: (type: unknown) => timeline.entries((entry) => entry.entryType === String(type)),
    clearMarks: (name?: unknown) => timeline.clear("mark", name),
    clearMeasures: (name?: unknown) => timeline.clear("measure", name),
  };
  return [
    ...onEach(performances, (target) => patchesOf(target, functions)),
    ...onEach([globalThis, perfHooks], (target) => [{ target, key: "PerformanceMark", value: VirtualMark }]),
  ];
}

class Timeline {
  readonly #host: TimelineHost;
  #entries: Entry[] = [];
  #execution = 0;

  constructor(host: TimelineHost) {
    this.#host = host;
  }

  /** The entries of this execution, in the order of their start, as Node sorts them. */
  entries(wanted: (entry: Entry) => boolean): Entry[] {
    return this.#own()
      .filter(wanted)
      .sort((one, other) => one.startTime - other.startTime);
  }

  mark(args: readonly unknown[]): Entry {
    const mark = this.make(args, PerformanceMark.prototype);
    this.#own().push(mark);
    return mark;
  }

  make(args: readonly unknown[], prototype: object): Entry {
    const [name, given] = args;
    const startTime = optionsOf(given).startTime ?? this.#host.readClock();
    const isRight = typeof given === "object" || given === undefined;
    const isTime = typeof startTime === "number" && startTime >= 0;
    // Node's own throws what this Node throws.
    if (args.length === 0 || !isRight || Array.isArray(given) || !isTime || startOfNode.includes(String(name))) {
      call(realMark, args);
    }
    const { detail } = optionsOf(given);
    return madeOf(prototype, {
      name: String(name),
      entryType: "mark",
      startTime: Number(startTime),
      duration: 0,
      detail,
    });
  }

  measure(args: readonly unknown[]): Entry {
    const [name, from, endMark] = args;
    const { start, end, duration, detail } = optionsOf(from);
    const given = start !== undefined || end !== undefined;
    const tooMuch =
      given && (endMark !== undefined || (start !== undefined && end !== undefined && duration !== undefined));
    // Node's own throws what this Node throws.
    if (typeof name !== "string" || tooMuch) call(realMeasure, args);
    const until = this.#end(endMark ?? end, start, duration);
    const startTime =
      typeof from === "string" ? this.#time(from) : this.#start(start, until, given ? duration : undefined);
    const measure = madeOf(PerformanceMeasure.prototype, {
      name: String(name),
      entryType: "measure",
      startTime,
      duration: until - startTime,
      detail,
    });
    this.#own().push(measure);
    return measure;
  }

  clear(type: "mark" | "measure", name: unknown): void {
    this.#entries = this.#own().filter(
      (entry) => entry.entryType !== type || (name !== undefined && entry.name !== String(name)),
    );
  }

  #end(end: unknown, start: unknown, duration: unknown): number {
    if (end !== undefined) return this.#time(end);
    if (start !== undefined && duration !== undefined) return this.#time(start) + this.#time(duration);
    return this.#host.readClock();
  }

  #start(start: unknown, until: number, duration: unknown): number {
    if (start !== undefined) return this.#time(start);
    return duration === undefined ? 0 : until - this.#time(duration);
  }

  /** The time of a mark: the last of its name, or 0 where it was made before the batch. */
  #time(mark: unknown): number {
    if (typeof mark === "number") {
      if (mark < 0) call(realMeasure, ["", { start: mark }]);
      return mark;
    }
    const name = String(mark);
    const own = this.#own().findLast((entry) => entry.entryType === "mark" && entry.name === name);
    if (own !== undefined) return own.startTime;
    if (startOfNode.includes(name) || realEntries(name, "mark").length > 0) return 0;
    throw new DOMException(`The "${name}" performance mark has not been set`, "SyntaxError");
  }

  #own(): Entry[] {
    if (this.#execution !== this.#host.execution) {
      this.#execution = this.#host.execution;
      this.#entries = [];
    }
    return this.#entries;
  }
}

function optionsOf(value: unknown): Options {
  const of = (key: string): unknown =>
    typeof value === "object" && value !== null ? Reflect.get(value, key) : undefined;
  return {
    start: of("start"),
    end: of("end"),
    duration: of("duration"),
    startTime: of("startTime"),
    detail: of("detail"),
  };
}

/** Node's class lets nobody construct a measure, and keeps the times of marks for ever; its prototypes do for both. */
function madeOf(prototype: object, entry: Entry & { readonly duration: number; readonly detail: unknown }): Entry {
  const { detail } = entry;
  const fields = { ...entry, detail: detail === undefined || detail === null ? null : structuredClone(detail) };
  const made: Entry = Object.create(prototype);
  for (const [key, value] of Object.entries({ ...fields, toJSON: () => ({ ...fields }) })) {
    Object.defineProperty(made, key, { value, configurable: true });
  }
  return made;
}

function call(real: unknown, args: readonly unknown[]): void {
  if (typeof real === "function") Reflect.apply(real, undefined, args);
}
