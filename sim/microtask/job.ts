/** One thing that the microtask queue can run next. */
import { currentFrame, type Frame } from "./frame.ts";

/** What a job is. Small integers, because an engine may count them by index. */
export const jobKinds = { continuation: 0, reaction: 1, thenable: 2, microtask: 3, tick: 4 };

// The fields of jobs are declared and set by constructors: fields with initial values make an async call a sixth dearer.
export abstract class Job {
  /** The frame of the code that registered it; it runs in this one. */
  declare frame: Frame | null;
  /** Belongs to the engine; null before the job has become ready for the first time. */
  declare delivery: unknown;

  constructor() {
    this.frame = currentFrame();
    this.delivery = null;
  }

  /** One of `jobKinds`. */
  abstract get kind(): number;
  /** A short stable string, for its name: "await drive", "then", "thenable", "microtask", "tick". */
  abstract get label(): string;
  abstract run(): void;
}
