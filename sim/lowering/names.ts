/** The names that functions get from where they stand, for what is told of them. */
import type { AnyNode } from "acorn";
import type { Pass } from "./pass.ts";
import { isFunction } from "./syntax.ts";

export function noteName(pass: Pass, key: AnyNode, value: AnyNode | null | undefined): void {
  if (value === null || value === undefined || !isFunction(value) || !value.async) return;
  if (key.type === "Identifier") pass.namesGiven.set(value, key.name);
  else if (key.type === "PrivateIdentifier") pass.namesGiven.set(value, `#${key.name}`);
  else if (key.type === "Literal" && typeof key.value === "string") pass.namesGiven.set(value, key.value);
}
