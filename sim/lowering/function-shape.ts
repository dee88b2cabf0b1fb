/** Where the tokens of a function are, whatever way it is written. */
import type { AssignmentProperty, FunctionExpression, MethodDefinition, Property } from "acorn";
import type { FunctionNode } from "./syntax.ts";
import { skipTrivia, tokenAt, tokenEnd, tokenIf } from "./trivia.ts";

export type MemberNode = MethodDefinition | Property | AssignmentProperty;

export type Shape = {
  /** Where `async` stands; -1 where it does not. */
  readonly asyncAt: number;
  /** What takes its place: between two members of a class, a word may be what keeps them apart. */
  readonly insteadOfAsync: string;
  /** Where the star of a generator stands, or -1. */
  readonly starAt: number;
  /** Behind the parenthesis that opens the parameters; for an arrow without one, where its parameter is. */
  readonly parametersAt: number;
  /** Where the arrow stands, or -1. */
  readonly arrowAt: number;
  /** Where the body may begin: directly behind the arrow, or at the brace. */
  readonly bodyAt: number;
  /** What it is called in its own name and in what is told of it; null where nobody knows before it runs. */
  readonly name: string | null;
};

export function functionShape(code: string, node: FunctionNode): Shape {
  const asyncAt = node.async ? node.start : -1;
  const head = node.async ? node.start + "async".length : node.start;
  if (node.type === "ArrowFunctionExpression") {
    const arrowAt = findArrow(code, node, head);
    const open = tokenIf(code, head, "(");
    const parametersAt = open < 0 ? skipTrivia(code, head) : open + 1;
    return { asyncAt, insteadOfAsync: "", starAt: -1, parametersAt, arrowAt, bodyAt: arrowAt + 2, name: null };
  }
  const keyword = tokenEnd(code, head, "function");
  const starAt = node.generator ? tokenAt(code, keyword, "*") : -1;
  const named = node.id?.end ?? (starAt < 0 ? keyword : starAt + 1);
  const parametersAt = tokenEnd(code, named, "(");
  const name = node.id?.name ?? null;
  return { asyncAt, insteadOfAsync: "", starAt, parametersAt, arrowAt: -1, bodyAt: node.body.start, name };
}

export function methodShape(code: string, node: FunctionExpression, member: MemberNode): Shape {
  const inClass = member.type === "MethodDefinition";
  const first = inClass && member.static ? tokenEnd(code, member.start, "static") : member.start;
  const asyncAt = tokenAt(code, first, "async");
  const starAt = node.generator ? tokenAt(code, asyncAt + "async".length, "*") : -1;
  return {
    asyncAt,
    insteadOfAsync: inClass && !member.static ? ";" : "",
    starAt,
    parametersAt: tokenEnd(code, node.start, "("),
    arrowAt: -1,
    bodyAt: node.body.start,
    name: member.computed ? null : keyName(member),
  };
}

function keyName({ key }: MemberNode): string | null {
  if (key.type === "Identifier") return key.name;
  if (key.type === "PrivateIdentifier") return `#${key.name}`;
  return key.type === "Literal" && (typeof key.value === "string" || typeof key.value === "number")
    ? String(key.value)
    : null;
}

function findArrow(code: string, node: FunctionNode, head: number): number {
  const last = node.params.at(-1);
  let at = last?.end ?? tokenEnd(code, head, "(");
  for (const token of [",", ")"]) {
    const found = tokenIf(code, at, token);
    if (found >= 0) at = found + 1;
  }
  return tokenAt(code, at, "=>");
}
