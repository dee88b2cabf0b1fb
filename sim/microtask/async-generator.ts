/** The objects that async generators are. One works in both modes: each of its steps belongs to the mode it runs in. */

import { newDeferred } from "./deferred.ts";
import { define, defineConstant } from "./define.ts";
import { GeneratorActivation } from "./generator-activation.ts";
import type { Body, BodyFunction } from "./lowered.ts";
import { goesNext, goesReturn, goesThrow } from "./resumption.ts";
import { isObject, shown } from "./shapes.ts";

const nativePrototype: object = Object.getPrototypeOf(async function* () {}).prototype;
const nativeFunctionPrototype: unknown = Reflect.get(nativePrototype, "constructor");

let activationOf: (value: unknown) => GeneratorActivation | undefined;

class AsyncGeneratorObject {
  readonly #activation: GeneratorActivation;

  constructor(activation: GeneratorActivation) {
    this.#activation = activation;
  }

  static {
    activationOf = (value) =>
      typeof value === "object" && value !== null && #activation in value ? value.#activation : undefined;
  }
}

const prototype = AsyncGeneratorObject.prototype;
// What for-await asks for, Symbol.asyncIterator, is inherited from where native async generators have it.
Object.setPrototypeOf(prototype, Object.getPrototypeOf(nativePrototype));
define(prototype, {
  next(this: unknown, value: unknown): object {
    return ask(this, "next", goesNext, value);
  },
  return(this: unknown, value: unknown): object {
    return ask(this, "return", goesReturn, value);
  },
  throw(this: unknown, reason: unknown): object {
    return ask(this, "throw", goesThrow, reason);
  },
});
defineConstant(prototype, "constructor", nativeFunctionPrototype);
defineConstant(prototype, Symbol.toStringTag, "AsyncGenerator");

export function makeAsyncGenerator(body: Body, ownPrototype: unknown, name: string): object {
  const made = new AsyncGeneratorObject(new GeneratorActivation(body, name));
  if (isObject(ownPrototype)) Object.setPrototypeOf(made, inheriting(ownPrototype));
  return made;
}

export function makeAsyncGeneratorWith(
  make: BodyFunction,
  self: unknown,
  parameters: ArrayLike<unknown>,
  ownPrototype: unknown,
  name: string,
): object {
  return makeAsyncGenerator(Reflect.apply(make, self, parameters), ownPrototype, name);
}

function ask(receiver: unknown, method: string, kind: number, value: unknown): object {
  const answer = newDeferred();
  const activation = activationOf(receiver);
  if (activation === undefined) {
    answer.reject(new TypeError(`${method} method called on incompatible receiver ${shown(receiver)}`));
  } else {
    activation.ask({ kind, value, answer });
  }
  return answer.promise;
}

/** The prototype of the function that was lowered: an ordinary function's, until its first generator is made. */
function inheriting(ownPrototype: object): object {
  if (Object.getPrototypeOf(ownPrototype) === Object.prototype) {
    Object.setPrototypeOf(ownPrototype, prototype);
    if (Object.hasOwn(ownPrototype, "constructor")) Reflect.deleteProperty(ownPrototype, "constructor");
  }
  return ownPrototype;
}
