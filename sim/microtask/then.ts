/** `then`, `catch` and `finally`. */
import { newCapability, promiseResolve } from "./capability.ts";
import { define, defineConstant } from "./define.ts";
import { foreignThen } from "./foreign.ts";
import { invokeThen } from "./invoke.ts";
import { isOwn, OwnPromise, pendingPromise, rejected, settle, subscribe } from "./promise.ts";
import { CapabilityReaction, Forward, ThenReaction } from "./reactions.ts";
import { adoptWith, resolvingFunctions } from "./resolution.ts";
import { type Callable, type Constructor, isCallable, isObject } from "./shapes.ts";
import { speciesFrom, speciesOf } from "./species.ts";
import { listener } from "./told.ts";

const methods = {
  then(this: unknown, onFulfilled: unknown, onRejected: unknown): object {
    if (isOwn(this)) {
      const whenFulfilled = isCallable(onFulfilled) ? onFulfilled : null;
      return register(this, speciesOf(this), whenFulfilled, isCallable(onRejected) ? onRejected : null);
    }
    return foreignThen(this, onFulfilled, onRejected);
  },
  catch(this: unknown, onRejected: unknown): unknown {
    return invokeThen(this, undefined, onRejected);
  },
  finally(this: unknown, onFinally: unknown): unknown {
    if (!isObject(this)) {
      throw new TypeError("Promise.prototype.finally called on a non-object");
    }
    const species = speciesFrom(this.constructor);
    if (!isCallable(onFinally)) return invokeThen(this, onFinally, onFinally);
    return invokeThen(this, ...finallyHandlers(species, onFinally));
  },
};

/** Called once, by the runtime. */
export function installThen(): void {
  define(OwnPromise.prototype, methods);
  defineConstant(OwnPromise.prototype, Symbol.toStringTag, "Promise");
  adoptWith(methods.then, adopt);
}

/** Does what `then()` does when it is called with the two functions that settle `promise`. */
function adopt(promise: OwnPromise, source: OwnPromise): void {
  let species: Constructor;
  try {
    species = speciesOf(source);
  } catch (error) {
    settle(promise, rejected, error);
    return;
  }
  if (species === OwnPromise) {
    // Nobody can see the promise that then() would return, nor the two functions.
    const forward = new Forward(source, promise);
    const told = listener();
    if (told !== null) told.queued(forward, null);
    subscribe(source, forward);
    return;
  }
  const { resolve, reject } = resolvingFunctions(promise);
  try {
    register(source, species, resolve, reject);
  } catch (error) {
    reject(error);
  }
}

function register(
  source: OwnPromise,
  species: Constructor,
  onFulfilled: Callable | null,
  onRejected: Callable | null,
): object {
  const told = listener();
  if (species === OwnPromise) {
    const derived = pendingPromise();
    const reaction = new ThenReaction(source, onFulfilled, onRejected, derived);
    if (told !== null) told.reacting(reaction, source, derived);
    subscribe(source, reaction);
    return derived;
  }
  const capability = newCapability(species);
  const reaction = new CapabilityReaction(source, onFulfilled, onRejected, capability);
  if (told !== null) told.reacting(reaction, source, capability.promise);
  subscribe(source, reaction);
  return capability.promise;
}

function finallyHandlers(species: Constructor, onFinally: Callable): readonly [Callable, Callable] {
  return [
    (value) => invokeThen(promiseResolve(species, onFinally()), () => value),
    (reason) =>
      invokeThen(promiseResolve(species, onFinally()), () => {
        throw reason;
      }),
  ];
}
