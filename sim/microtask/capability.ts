/** A promise of any constructor, with the two functions that settle it. */
import { isOwn, OwnPromise, pendingPromise } from "./promise.ts";
import { type Resolving, resolve, resolvingFunctions } from "./resolution.ts";
import { type Callable, isCallable, isConstructor, shown } from "./shapes.ts";

export type Capability = { readonly promise: object; readonly resolve: Callable; readonly reject: Callable };

export function newCapability(maker: unknown): Capability {
  if (maker === OwnPromise) return ownCapability();
  if (!isConstructor(maker)) throw new TypeError(`${shown(maker)} is not a constructor`);
  const given: unknown[] = [undefined, undefined];
  const promise = new maker(executorFor(given));
  const [resolve, reject] = given;
  if (!isCallable(resolve) || !isCallable(reject)) {
    throw new TypeError("Promise resolve or reject function is not callable");
  }
  return { promise, resolve, reject };
}

/** Gives a promise of this constructor as it is, and any other value as one that is resolved with it. */
export function promiseResolve(maker: unknown, value: unknown): object {
  if (isOwn(value) && value.constructor === maker) return value;
  if (maker === OwnPromise) return resolvedWith(value);
  const { promise, resolve } = newCapability(maker);
  resolve(value);
  return promise;
}

/** The same for Promise itself. */
export function ownResolve(value: unknown): OwnPromise {
  return isOwn(value) && value.constructor === OwnPromise ? value : resolvedWith(value);
}

function resolvedWith(value: unknown): OwnPromise {
  const promise = pendingPromise();
  resolve(promise, value);
  return promise;
}

function ownCapability(): Capability {
  const promise = pendingPromise();
  const { resolve, reject }: Resolving = resolvingFunctions(promise);
  return { promise, resolve, reject };
}

/** Keeps what the constructor gives; the second time only if the first was nothing. */
function executorFor(given: unknown[]): (resolve: unknown, reject: unknown) => void {
  return (resolve, reject) => {
    if (given[0] !== undefined || given[1] !== undefined) {
      throw new TypeError("Promise executor has already been invoked with non-undefined arguments");
    }
    given[0] = resolve;
    given[1] = reject;
  };
}
