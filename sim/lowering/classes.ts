/** Classes and objects: their methods, and what classes extend. */
import type {
  AnonymousClassDeclaration,
  AnyNode,
  AssignmentProperty,
  ClassDeclaration,
  ClassExpression,
  Property,
} from "acorn";
import { type Context, ownContext } from "./context.ts";
import { visitMethod } from "./functions.ts";
import { noteName } from "./names.ts";
import { helper, type Pass } from "./pass.ts";
import { refuseName } from "./refusals.ts";
import { type Place, visit } from "./visit.ts";

type ClassNode = ClassDeclaration | AnonymousClassDeclaration | ClassExpression;

export function visitClass(pass: Pass, node: ClassNode, { scope, context: around }: Place): void {
  const context: Context = { ...around, strict: true };
  const place = { scope, context };
  const { superClass } = node;
  const derived = superClass !== null && superClass !== undefined;
  if (derived) visitHeritage(pass, superClass, place);
  for (const member of node.body.body) {
    if (member.type === "StaticBlock") {
      visit(pass, member, place);
      continue;
    }
    if (member.computed) visit(pass, member.key, place);
    if (member.type === "MethodDefinition") {
      visitMethod(pass, member.value, place, member, derived && member.kind === "constructor");
    } else if (member.value !== null && member.value !== undefined) {
      if (!member.computed) noteName(pass, member.key, member.value);
      visit(pass, member.value, { scope, context: ownContext("plain", true) });
    }
  }
}

/** Whether it is Promise is known when the class is made; where nobody says Promise, it is not. */
function visitHeritage(pass: Pass, heritage: AnyNode, place: Place): void {
  const wraps = pass.code.includes("Promise") && mayBePromise(heritage);
  const sequence = heritage.type === "SequenceExpression";
  if (wraps) pass.text.appendRight(heritage.start, `${helper(pass, "heir")}(${sequence ? "(" : ""}`);
  visit(pass, heritage, place);
  if (wraps) pass.text.appendLeft(heritage.end, sequence ? "))" : ")");
}

function mayBePromise(heritage: AnyNode): boolean {
  if (heritage.type === "Identifier") return !heritage.name.endsWith("Error");
  return heritage.type !== "Literal" && heritage.type !== "ClassExpression" && heritage.type !== "FunctionExpression";
}

/** A property of an object, or of a pattern. */
export function visitMember(pass: Pass, node: Property | AssignmentProperty, place: Place): void {
  const { value } = node;
  if (node.computed) visit(pass, node.key, place);
  if (node.shorthand && value.type === "Identifier") {
    refuseName(pass, value, place.context);
    const written = value.name === "arguments" ? place.context.parameters : value.name;
    if (written !== value.name) pass.text.appendLeft(node.end, `: ${written}`);
  } else if (value.type === "FunctionExpression" && (node.method || node.kind !== "init")) {
    visitMethod(pass, value, place, node, false);
  } else {
    if (!node.computed) noteName(pass, node.key, value);
    visit(pass, value, place);
  }
}
