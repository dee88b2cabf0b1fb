import { describeValue } from "../../sim/words.ts";
import type { Shape } from "./family.ts";

type Methods = { readonly needed: readonly string[]; readonly optional: Shape["absent"] };

/** Looks a subject over, method by method. What a getter throws is told like what is missing. */
export function shapeWith(made: unknown, what: string, { needed, optional }: Methods): Shape {
  if ((typeof made !== "object" && typeof made !== "function") || made === null) {
    const methods = needed.map((name) => `${name}()`).join(", ");
    return {
      wrong: [`expected the factory to return ${article(what)} ${what} with ${methods}, found ${describeValue(made)}`],
      absent: [],
    };
  }
  const wrong: string[] = [];
  const absent: Shape["absent"][number][] = [];
  for (const name of needed) {
    const found = read(made, name);
    if (typeof found !== "function") wrong.push(`expected ${name} to be a method of the ${what}, found ${told(found)}`);
  }
  for (const one of optional) {
    const found = read(made, one.method);
    if (found === undefined) absent.push(one);
    else if (typeof found !== "function")
      wrong.push(`expected ${one.method} to be a method of the ${what} or to be missing, found ${told(found)}`);
  }
  return { wrong, absent };
}

function article(noun: string): string {
  return /^[aeiou]/.test(noun) ? "an" : "a";
}

class Unreadable {}

function read(from: object, name: string): unknown {
  try {
    return Reflect.get(from, name);
  } catch {
    return new Unreadable();
  }
}

function told(found: unknown): string {
  return found instanceof Unreadable ? "a getter that throws" : describeValue(found);
}
