/**
 * util.promisify: what it makes gives native promises outside executions and ours inside, whenever it was made. Modules
 * promisify when they are loaded, so it has to be in its place before.
 */
import { createRequire, syncBuiltinESMExports } from "node:module";
import { promisify as nodePromisify } from "node:util";
import { original } from "../../native/original.ts";
import type { Patch } from "../../native/realm/patch.ts";
import { runtime } from "../runtime.ts";
import { type Callable, isCallable } from "../shapes.ts";

const utilModule: object = createRequire(import.meta.url)("node:util");
// Taken now: the binding follows the module.
const real = original(nodePromisify);
const { custom } = nodePromisify;
// The global one, as long as executions run.
const OwnPromise: unknown = runtime.microtasks.Promise;
Object.defineProperty(promisify, "custom", { value: custom, writable: true, enumerable: true, configurable: true });

/** Those who promisify inside an execution need nothing to have been in its place before. */
export function promisifyPatches(): Patch[] {
  return [{ target: utilModule, key: "promisify", value: promisify }];
}

/** Puts ours in the place of Node's, for good: outside of executions, what it makes does what Node's would. */
export function installPromisify(): void {
  if (Reflect.get(utilModule, "promisify") !== real) return;
  Object.defineProperty(utilModule, "promisify", { value: promisify, writable: true, configurable: true });
  syncBuiltinESMExports();
}

/** Takes anything, because Node's own says what is wrong with it. */
export function promisify(takesCallback: unknown): unknown {
  const outside: unknown = Reflect.apply(real, undefined, [takesCallback]);
  if (!isCallable(takesCallback) || !isCallable(outside) || isPromisifiedBy(takesCallback, outside)) return outside;
  const inside = takesCallback;
  const native = outside;
  function promisified(this: unknown, ...args: unknown[]): unknown {
    return Promise === OwnPromise ? promiseOf(inside, this, args) : Reflect.apply(native, this, args);
  }
  Object.setPrototypeOf(promisified, Object.getPrototypeOf(native));
  // As Node does: what is promisified gives itself when it is promisified again.
  return Object.defineProperties(promisified, {
    ...Object.getOwnPropertyDescriptors(native),
    [custom]: { value: promisified, configurable: true },
  });
}

/** The author of the function has said what to take instead; or it is Node's own, and its results have names. */
function isPromisifiedBy(takesCallback: object, outside: unknown): boolean {
  if (Reflect.get(takesCallback, custom) === outside) return true;
  const names = Object.getOwnPropertySymbols(takesCallback);
  return names.some(({ description }) => description === "customPromisifyArgs");
}

function promiseOf(takesCallback: Callable, self: unknown, args: readonly unknown[]): object {
  return new Promise((resolve, reject) => {
    const callback = (error: unknown, value: unknown): void => (error ? reject(error) : resolve(value));
    Reflect.apply(takesCallback, self, [...args, callback]);
  });
}
