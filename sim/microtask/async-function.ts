/** Async functions: the generator of the body runs until it awaits, and on when that is settled. */
import { driveNatively } from "./ambient.ts";
import { bodyNext, bodyThrow } from "./body.ts";
import { awaitLabel, awaitValue, Continuation } from "./continuation.ts";
import type { Body, BodyFunction } from "./lowered.ts";
import { NativePromise } from "./native-promise.ts";
import { fulfilled, type OwnPromise, pendingPromise, rejected, settle } from "./promise.ts";
import { liveHost } from "./queue.ts";
import { resolve } from "./resolution.ts";

export function startAsync(body: Body, name: string): object {
  if (liveHost() === null) return driveNatively(body);
  const promise = pendingPromise();
  new Activation(body, name, promise).resume(fulfilled, undefined);
  return promise;
}

export function startAsyncWith(
  make: BodyFunction,
  self: unknown,
  parameters: ArrayLike<unknown>,
  name: string,
): object {
  let body: Body;
  try {
    body = Reflect.apply(make, self, parameters);
  } catch (error) {
    return rejectedPromise(error);
  }
  return startAsync(body, name);
}

function rejectedPromise(reason: unknown): object {
  if (liveHost() === null) return NativePromise.reject(reason);
  const promise = pendingPromise();
  settle(promise, rejected, reason);
  return promise;
}

class Activation extends Continuation {
  declare readonly body: Body;
  declare readonly name: string;
  declare readonly promise: OwnPromise;

  constructor(body: Body, name: string, promise: OwnPromise) {
    super();
    this.body = body;
    this.name = name;
    this.promise = promise;
  }

  get label(): string {
    return awaitLabel(this.name);
  }

  settles(): readonly object[] {
    return [this.promise];
  }

  resume(outcome: number, value: unknown): void {
    for (;;) {
      let step: IteratorResult<unknown, unknown>;
      try {
        step = outcome === fulfilled ? bodyNext.call(this.body, value) : bodyThrow.call(this.body, value);
      } catch (error) {
        settle(this.promise, rejected, error);
        return;
      }
      if (step.done === true) {
        resolve(this.promise, step.value);
        return;
      }
      try {
        awaitValue(this, step.value);
        return;
      } catch (error) {
        // The await itself threw: at its place in the body.
        outcome = rejected;
        value = error;
      }
    }
  }
}
