/**
 * `(async () => {}).constructor` and `Object.getPrototypeOf(async function* () {})` ask what async functions are, and run
 * nothing. They stay as they are.
 */
import type { AnyNode, CallExpression, MemberExpression } from "acorn";
import { isFunction } from "./syntax.ts";

const askedFor = new Set(["constructor", "prototype", "__proto__"]);

export function isAskedForItsKind(node: MemberExpression | CallExpression): boolean {
  if (node.type === "MemberExpression") {
    return (
      !node.computed && node.property.type === "Identifier" && askedFor.has(node.property.name) && isEmpty(node.object)
    );
  }
  const [argument] = node.arguments;
  return argument !== undefined && node.arguments.length === 1 && isEmpty(argument) && isGetPrototypeOf(node.callee);
}

function isGetPrototypeOf(callee: AnyNode): boolean {
  return (
    callee.type === "MemberExpression" &&
    callee.object.type === "Identifier" &&
    (callee.object.name === "Object" || callee.object.name === "Reflect") &&
    callee.property.type === "Identifier" &&
    callee.property.name === "getPrototypeOf"
  );
}

function isEmpty(node: AnyNode): boolean {
  if (!isFunction(node) || !node.async || node.params.length > 0) return false;
  return node.body.type === "BlockStatement" && node.body.body.length === 0;
}
