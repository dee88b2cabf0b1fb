/** Runs the jobs: all in Node's order, or one at a time in the order that somebody chooses. */
import { enterFrame } from "./frame.ts";
import type { Job } from "./job.ts";
import { isHandled, resultOf } from "./promise.ts";
import { liveHost, microtasks, ticks } from "./queue.ts";
import { takeRejections } from "./rejections.ts";

let counting = false;
let runningJob: Job | null = null;
/** Node has begun to run microtasks: ticks asked for now come when no microtask is left. */
let amongMicrotasks = false;

/** Says whether the host is told before each job. */
export function setCounting(on: boolean): void {
  counting = on;
}

/** The job under way; null: the code of a delivery runs. */
export function running(): Job | null {
  return runningJob;
}

/** Nothing is under way, wherever the code before was ended. */
export function rest(): void {
  runningJob = null;
  amongMicrotasks = false;
}

/** Runs everything to the end: ticks, then microtasks, again until both are empty, then rejections nobody handled. */
export function drain(): void {
  do {
    for (let job = takeNext(); job !== null; job = takeNext()) runJob(job);
  } while (reportRejections());
}

/** How many jobs are ready. When none is, `drain()` still has to report the rejections. */
export function ready(): number {
  return ticks.length + microtasks.length;
}

/** Writes the ready jobs into a list, in the order in which Node would run them, and gives their number. */
export function fill(into: (Pick<Job, "label" | "frame" | "delivery"> | null)[]): number {
  const first = nextQueue();
  return other(first).fill(into, first.fill(into, 0));
}

/** The ready job at an index; Node would run that at index 0 next. */
export function at(index: number): Job | null {
  const first = nextQueue();
  return index < first.length ? first.at(index) : other(first).at(index - first.length);
}

/** Runs the ready job at an index. */
export function run(index: number): void {
  const first = nextQueue();
  const fromFirst = index < first.length;
  const job = fromFirst ? first.take(index) : other(first).take(index - first.length);
  if (job === null) return;
  if (fromFirst && first === microtasks) amongMicrotasks = true;
  runJob(job);
}

function takeNext(): Job | null {
  if (amongMicrotasks) {
    const job = microtasks.shift();
    if (job !== null) return job;
    amongMicrotasks = false;
  }
  const job = ticks.shift();
  if (job !== null) return job;
  amongMicrotasks = microtasks.length > 0;
  return microtasks.shift();
}

/** The queue that Node would take from next. */
function nextQueue(): typeof ticks {
  if (microtasks.length === 0) amongMicrotasks = false;
  return amongMicrotasks || ticks.length === 0 ? microtasks : ticks;
}

function other(queue: typeof ticks): typeof ticks {
  return queue === ticks ? microtasks : ticks;
}

function runJob(job: Job): void {
  const host = liveHost();
  if (host === null) return;
  if (counting) host.ran();
  runningJob = job;
  const before = enterFrame(job.frame);
  try {
    job.run();
  } catch (error) {
    host.uncaught(error);
  }
  enterFrame(before);
  runningJob = null;
}

/** True when somebody was told, who may have made new jobs. */
function reportRejections(): boolean {
  const host = liveHost();
  if (host === null) return false;
  let told = false;
  for (const promise of takeRejections()) {
    if (isHandled(promise)) continue;
    host.unhandled(resultOf(promise), promise);
    told = true;
  }
  return told;
}
