/**
 * Functions that the realm replaces because hooks do not see them, or because what they start must not be started. Each
 * records a leak at the line that calls it; where there is nothing right to return, it throws.
 */
import { webcrypto } from "node:crypto";
import type { Patch } from "../realm/patch.ts";
import { type LeakKind, remedies } from "./kinds.ts";

/** Something was asked for that no schedule can decide. */
export class LeakError extends Error {
  override readonly name = "LeakError";
}

const { deref } = WeakRef.prototype;
// Unknown to the types of a program without the DOM.
const webAssembly: object = Reflect.get(globalThis, "WebAssembly");
const subtle: object = Object.getPrototypeOf(webcrypto.subtle);
const subtleMethods = Object.getOwnPropertyNames(subtle).filter((name) => name !== "constructor");

/** Makes the replacements; `leaked` is told of each use, in the stack of the caller. */
export function leakPatches(leaked: (kind: LeakKind) => void): Patch[] {
  function refusing(name: string, kind: LeakKind) {
    return function refused(): never {
      leaked(kind);
      throw new LeakError(`Cannot use ${name} in an execution: ${remedies[kind]}`);
    };
  }
  function telling(real: (...args: never[]) => unknown, kind: LeakKind) {
    return function told(this: unknown, ...args: never[]): unknown {
      leaked(kind);
      return Reflect.apply(real, this, args);
    };
  }
  // No async function: its promise would be a native one on every engine.
  const rejecting = (name: string, kind: LeakKind) => (): Promise<never> =>
    new Promise((resolve) => resolve(refusing(name, kind)()));

  const patches: Patch[] = [
    { target: globalThis, key: "fetch", value: rejecting("fetch()", "network I/O") },
    { target: globalThis, key: "WebSocket", value: refusing("WebSocket", "network I/O") },
    { target: globalThis, key: "EventSource", value: refusing("EventSource", "network I/O") },
    { target: Atomics, key: "waitAsync", value: refusing("Atomics.waitAsync()", "shared memory") },
    // Goes on, because fetch() compiles its parser by it, once and for the whole process.
    ...["compile", "instantiate", "compileStreaming", "instantiateStreaming"].map((key) => ({
      target: webAssembly,
      key,
      value: telling(Reflect.get(webAssembly, key), "WebAssembly"),
    })),
    // Newer Nodes make the same resource for these as for the synchronous functions, so hooks cannot tell.
    ...subtleMethods.map((key) => ({
      target: subtle,
      key,
      value: rejecting(`crypto.subtle.${key}()`, "cryptography"),
    })),
    { target: WeakRef.prototype, key: "deref", value: telling(deref, "weak reference") },
    {
      target: FinalizationRegistry.prototype,
      key: "register",
      value(): void {
        leaked("finalization callback");
      },
    },
  ];
  // What this platform does not have must not appear on it.
  return patches.filter(({ target, key }) => Reflect.has(target, key));
}
