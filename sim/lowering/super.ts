/**
 * `super` does not exist in the generator that an async function became, so the function hands over arrows that ask it:
 * one to get a property, one that gives a reference to assign to, one to call the constructor.
 */
import type { CallExpression, MemberExpression, TaggedTemplateExpression, UnaryExpression } from "acorn";
import type { Context } from "./context.ts";
import type { Pass } from "./pass.ts";
import { tokenAt, tokenIf } from "./trivia.ts";
import { type Place, visit } from "./visit.ts";

export const superArrows = {
  get: "(key) => super[key]",
  reference:
    "((get, set) => (key) => ({ get value() { return get(key) }, set value(value) { set(key, value) } }))" +
    "((key) => super[key], (key, value) => super[key] = value)",
  call: "(...parameters) => super(...parameters)",
};

export function lowerSuper(pass: Pass, node: MemberExpression, place: Place): void {
  const target = pass.targets().supers.has(node);
  const ask = target ? place.context.superReference : place.context.superGet;
  if (ask === null) {
    if (node.computed) visit(pass, node.property, place);
    return;
  }
  const close = target ? ").value" : ")";
  if (node.computed) {
    const bracket = tokenAt(pass.code, node.object.end, "[");
    pass.text.update(node.object.start, bracket + 1, `${ask}(`);
    visit(pass, node.property, place);
    pass.text.update(node.end - 1, node.end, close);
  } else {
    pass.text.update(node.object.start, node.property.start, `${ask}("`);
    pass.text.appendLeft(node.end, `"${close}`);
  }
}

/** Calls `super.x(...)` with this `this`, and `super(...)`; false where nothing is to be done. */
export function lowerSuperCall(pass: Pass, node: CallExpression, place: Place): boolean {
  const { callee } = node;
  const { superCall, superGet, self } = place.context;
  if (callee.type === "Super") {
    if (superCall !== null) pass.text.update(callee.start, callee.end, superCall);
    for (const argument of node.arguments) visit(pass, argument, place);
    return true;
  }
  if (callee.type !== "MemberExpression" || callee.object.type !== "Super" || superGet === null) return false;
  if (tokenIf(pass.code, callee.end, ")") >= 0) {
    throw pass.fail(
      node.start,
      "a call of a `super` method in parentheses, in async code",
      "Take the parentheses away",
    );
  }
  const asks = node.optional ? tokenAt(pass.code, callee.end, "?.") + 2 : callee.end;
  const open = tokenAt(pass.code, asks, "(");
  if (!node.optional) pass.text.appendRight(callee.start, `${pass.prefix}apply(`);
  lowerSuper(pass, callee, place);
  if (node.optional) {
    pass.text.update(open, open + 1, `call(${self}${node.arguments.length > 0 ? ", " : ""}`);
  } else {
    pass.applies = true;
    pass.text.update(open, open + 1, `, ${self}, [`);
    pass.text.update(node.end - 1, node.end, "])");
  }
  for (const argument of node.arguments) visit(pass, argument, place);
  return true;
}

/** A template with a tag of `super` is a call of it, too. */
export function lowerSuperTag(pass: Pass, node: TaggedTemplateExpression, place: Place): boolean {
  const { tag } = node;
  if (tag.type !== "MemberExpression" || tag.object.type !== "Super" || place.context.superGet === null) return false;
  lowerSuper(pass, tag, place);
  pass.text.appendLeft(tag.end, `.bind(${place.context.self})`);
  visit(pass, node.quasi, place);
  return true;
}

/** It throws a ReferenceError natively, and deleting a copy would not. */
export function refuseSuperDelete(pass: Pass, node: UnaryExpression, context: Context): void {
  const { argument, operator } = node;
  if (operator !== "delete" || argument.type !== "MemberExpression" || argument.object.type !== "Super") return;
  if (context.superGet === null) return;
  throw pass.fail(node.start, "`delete` of a property of `super` in async code", "It always throws: take it away");
}
