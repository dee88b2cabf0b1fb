/** A promise of the mode we are in, ours or native, for those who settle it themselves. */
import { NativePromise } from "./native-promise.ts";
import { type OwnPromise, pendingPromise, rejected, settle } from "./promise.ts";
import { liveHost } from "./queue.ts";
import { resolve } from "./resolution.ts";

export type Deferred = {
  readonly promise: object;
  resolve(value: unknown): void;
  reject(reason: unknown): void;
};

export function newDeferred(): Deferred {
  return liveHost() === null ? new NativeDeferred() : new OwnDeferred();
}

class OwnDeferred implements Deferred {
  readonly promise: OwnPromise = pendingPromise();

  resolve(value: unknown): void {
    resolve(this.promise, value);
  }

  reject(reason: unknown): void {
    settle(this.promise, rejected, reason);
  }
}

class NativeDeferred implements Deferred {
  readonly promise: object;
  resolve: (value: unknown) => void = () => {};
  reject: (reason: unknown) => void = () => {};

  constructor() {
    this.promise = new NativePromise<unknown>((resolve, reject) => {
      this.resolve = resolve;
      this.reject = reject;
    });
  }
}
