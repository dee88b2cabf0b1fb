/** What a generator has to be handed because it has its own of it, or cannot have it. */
import { type Context, type HiddenNames, ownContext } from "./context.ts";
import { superArrows } from "./super.ts";
import type { Uses } from "./uses.ts";

export type HandedOver = {
  /** Parameters of the generator, before its own. */
  readonly names: readonly string[];
  readonly values: readonly string[];
  /** What its `this` is; null where it needs none. */
  readonly self: "this" | null;
  /** How the body of the generator writes what belongs to the function. */
  readonly inner: Context;
};

/** For a function that is no arrow: all but `super` can be the generator's own. */
export function handedByFunction(uses: Uses, hidden: HiddenNames, kind: Context["kind"], strict: boolean): HandedOver {
  const names: string[] = [];
  const values: string[] = [];
  const inner = { ...ownContext(kind, strict) };
  handSuper(uses, hidden, inner, names, values);
  if (names.length > 0 && uses.parameters !== null) {
    names.push(hidden.parameters);
    values.push("arguments");
    inner.parameters = hidden.parameters;
  }
  return { names, values, self: uses.self ? "this" : null, inner };
}

/** For an arrow: everything is of the function around, unless that one was lowered and has handed it over already. */
export function handedByArrow(uses: Uses, hidden: HiddenNames, around: Context, strict: boolean): HandedOver {
  const names: string[] = [];
  const values: string[] = [];
  const inner = { ...around, kind: "async", strict, generator: true, constructing: false } satisfies Context;
  const late = uses.self && around.self === "this" && around.constructing;
  if (late) {
    // Before `super()` has returned there is no `this`, and only who asks for it then may fail.
    names.push(hidden.self);
    values.push("() => this");
    inner.self = `${hidden.self}()`;
  }
  if (uses.parameters !== null && around.parameters === "arguments") {
    names.push(hidden.parameters);
    values.push("arguments");
    inner.parameters = hidden.parameters;
  }
  if (uses.newTarget && around.newTarget === "new.target") {
    names.push(hidden.newTarget);
    values.push("new.target");
    inner.newTarget = hidden.newTarget;
  }
  handSuper(uses, hidden, inner, names, values);
  return { names, values, self: uses.self && around.self === "this" && !late ? "this" : null, inner };
}

type Written = { -readonly [Key in keyof Context]: Context[Key] };

function handSuper(uses: Uses, hidden: HiddenNames, inner: Written, names: string[], values: string[]): void {
  if (uses.superGet && inner.superGet === null) {
    names.push(hidden.superGet);
    values.push(superArrows.get);
    inner.superGet = hidden.superGet;
  }
  if (uses.superReference && inner.superReference === null) {
    names.push(hidden.superReference);
    values.push(superArrows.reference);
    inner.superReference = hidden.superReference;
  }
  if (uses.superCall && inner.superCall === null) {
    names.push(hidden.superCall);
    values.push(superArrows.call);
    inner.superCall = hidden.superCall;
  }
}
