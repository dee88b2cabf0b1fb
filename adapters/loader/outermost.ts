/**
 * Module hooks that come after all others: what tsx makes of a file is what is to be lowered, whoever was loaded first.
 * The hook that was registered last gets the last word, so ours is registered again whenever another one was.
 */
import Module, { createRequire, syncBuiltinESMExports } from "node:module";
import { dirname, extname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { type Loaded, loweredLoad } from "./loaded.ts";

/** A registration in the thread of hooks: only the latest does anything. */
export type Turn = { readonly turn: number; readonly latest: Int32Array<SharedArrayBuffer> };

type Callable = (...args: readonly unknown[]) => unknown;
type NextSync = (url: string, context: object) => Loaded;

// In the main thread, from Node 22.15 on.
const registerHooks: unknown = Reflect.get(Module, "registerHooks");
const { register } = Module;

export function registerOutermost(): void {
  const registered = isCallable(registerHooks) ? inMainThread(registerHooks) : inHooksThread();
  registered();
  for (const name of ["register", "registerHooks"]) followedBy(name, registered);
  syncBuiltinESMExports();
}

function inMainThread(registerHooks: Callable): () => void {
  let before: unknown = null;
  const load = (url: string, context: object, next: NextSync): Loaded => loweredLoad(url, next(url, context));
  return () => {
    const deregister: unknown =
      typeof before === "object" && before !== null ? Reflect.get(before, "deregister") : null;
    if (isCallable(deregister)) Reflect.apply(deregister, before, []);
    before = registerHooks({ load });
  };
}

function inHooksThread(): () => void {
  // By the package's name: where this is bundled into is not said.
  const entry = createRequire(import.meta.url).resolve("microloom/loader");
  const latest = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
  return () => {
    const turn = Atomics.add(latest, 0, 1) + 1;
    const hooks = pathToFileURL(join(dirname(entry), `hooks${extname(entry)}`));
    // A module of its own for each registration: they have to know which one they are.
    hooks.search = String(turn);
    register(hooks, { data: { turn, latest } satisfies Turn });
  };
}

function followedBy(name: string, again: () => void): void {
  const theirs: unknown = Reflect.get(Module, name);
  if (!isCallable(theirs)) return;
  Reflect.set(Module, name, (...args: readonly unknown[]): unknown => {
    const registered = theirs(...args);
    again();
    return registered;
  });
}

function isCallable(value: unknown): value is Callable {
  return typeof value === "function";
}
