/** Which constructor makes the promise that `then()` returns. */
import { OwnPromise } from "./promise.ts";
import { type Constructor, isConstructor, isObject } from "./shapes.ts";

export function speciesOf(promise: OwnPromise): Constructor {
  return speciesFrom(promise.constructor);
}

/** Takes what the property `constructor` held. */
export function speciesFrom(property: unknown): Constructor {
  if (property === undefined) return OwnPromise;
  if (!isObject(property)) throw new TypeError("The .constructor property is not an object");
  const species = property[Symbol.species];
  if (species === OwnPromise || species === undefined || species === null) return OwnPromise;
  if (isConstructor(species)) return species;
  throw new TypeError("object.constructor[Symbol.species] is not a constructor");
}
