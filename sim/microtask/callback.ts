/** A callback of queueMicrotask() or process.nextTick(). What it throws goes to the host. */
import { Job, jobKinds } from "./job.ts";

export class Callback extends Job {
  readonly #kind: number;
  readonly #callback: (...args: never[]) => void;
  readonly #args: readonly unknown[];

  constructor(kind: number, callback: (...args: never[]) => void, args: readonly unknown[]) {
    super();
    this.#kind = kind;
    this.#callback = callback;
    this.#args = args;
  }

  get kind(): number {
    return this.#kind;
  }

  get label(): string {
    return this.#kind === jobKinds.tick ? "tick" : "microtask";
  }

  run(): void {
    Reflect.apply(this.#callback, undefined, this.#args);
  }
}
