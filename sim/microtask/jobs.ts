/** Our own queue, as the engine sees it. */
import type { ChosenJobs, Context, JobHost, ReadyJob } from "../jobs.ts";
import { OwnPromiseLog } from "./promise-log.ts";
import type { Host } from "./queue.ts";
import { runtime } from "./runtime.ts";

// Lowered code may have found a runtime of another copy of this package: that one runs it.
const { begin, end, drain, fill, run, microtask } = runtime.microtasks;
const { setCounting, setNaming, currentFrame, enterFrame } = runtime.microtasks;

export class MicrotaskJobs implements ChosenJobs {
  readonly engine = "microtask";
  readonly promises = new OwnPromiseLog(runtime.microtasks);
  #host: JobHost | null = null;
  #onReady: ((job: ReadyJob) => void) | null = null;
  readonly #told: Host = {
    ran: () => this.#host?.jobRan(),
    enqueued: (job) => this.#onReady?.(job),
    unhandled: (reason, promise) => this.#host?.unhandled(reason, promise),
    uncaught: (error) => this.#host?.uncaught(error),
    foreign: () => this.#host?.leaked("foreign promise"),
    importing: () => this.#host?.leaked("dynamic import"),
  };

  begin(host: JobHost): void {
    this.#host = host;
    begin(this.#told);
    setNaming(false);
  }

  end(): void {
    end();
  }

  drain(): void {
    drain();
  }

  tick(act: () => void): void {
    microtask(act);
  }

  count(on: boolean): void {
    setCounting(on);
  }

  context(): Context {
    return currentFrame();
  }

  enter(owner: object, context: Context): void {
    enterFrame(context?.owner === owner ? context : { owner, stores: context?.stores ?? null });
  }

  back(context: Context): void {
    enterFrame(context);
  }

  tell(onReady: (job: ReadyJob) => void): void {
    this.#onReady = onReady;
    setNaming(true);
  }

  fill(into: (ReadyJob | null)[]): number {
    return fill(into);
  }

  run(index: number): void {
    run(index);
  }
}
