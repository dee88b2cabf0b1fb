/** One call on its way to its lease: the promise that its caller waits for, and the deadline of that wait. */
import type { Footprint } from "../../../core/lease/state.ts";
import type { LeaseRequest } from "../ports.ts";

export class Ticket {
  readonly id: string;
  readonly owner: string;
  readonly footprint: Footprint;
  readonly request: LeaseRequest;
  stage: "approving" | "waiting" | "runs" | "over" = "approving";
  fence = 0;
  deadlineMs = Number.POSITIVE_INFINITY;
  /** Resolves with the fence when the call may run. */
  readonly granted: Promise<number>;
  #resolve: (fence: number) => void = () => {};
  #reject: (reason: unknown) => void = () => {};
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(request: LeaseRequest, footprint: Footprint) {
    this.id = request.call;
    this.owner = request.owner;
    this.footprint = footprint;
    this.request = request;
    this.granted = new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
    });
  }

  get isOpen(): boolean {
    return this.stage === "approving" || this.stage === "waiting";
  }

  /** Gives it `ms` from now; a second deadline takes the place of the first. */
  expiresIn(ms: number, onTime: () => void): void {
    clearTimeout(this.#timer);
    this.deadlineMs = performance.now() + ms;
    this.#timer = setTimeout(onTime, ms);
  }

  runs(fence: number): void {
    clearTimeout(this.#timer);
    this.stage = "runs";
    this.fence = fence;
    this.#resolve(fence);
  }

  ends(reason: unknown): void {
    clearTimeout(this.#timer);
    this.stage = "over";
    this.#reject(reason);
  }
}
