/** `for await (const x of x)`: natively the second `x` is the first one, before it has a value, and reading it throws. */
import type { AnyNode, ForOfStatement } from "acorn";
import type { Pass } from "./pass.ts";
import { eachChild, eachTarget, isFunction } from "./syntax.ts";

/** Refuses it: lowered, it would read a variable outside of the loop. */
export function refuseDeadZone(pass: Pass, { left, right }: ForOfStatement): void {
  if (left.type !== "VariableDeclaration" || left.kind === "var") return;
  const names = new Set<string>();
  for (const { id } of left.declarations) {
    eachTarget(id, (target) => {
      if (target.type === "Identifier") names.add(target.name);
    });
  }
  const found = used(right, names);
  if (found === null) return;
  throw pass.fail(
    found.start,
    "what a `for await` goes through is named like the variable of the loop",
    "Give one of the two another name",
  );
}

/** The first use of one of these names, functions with parameters of that name left aside. */
function used(node: AnyNode, names: ReadonlySet<string>): AnyNode | null {
  if (node.type === "Identifier") return names.has(node.name) ? node : null;
  if (isFunction(node)) {
    const own = new Set<string>();
    for (const parameter of node.params) {
      eachTarget(parameter, (target) => {
        if (target.type === "Identifier") own.add(target.name);
      });
    }
    const left = new Set([...names].filter((name) => !own.has(name)));
    return first([...node.params, node.body], left);
  }
  if (node.type === "MemberExpression" && !node.computed) return used(node.object, names);
  const named = node.type === "Property" || node.type === "MethodDefinition" || node.type === "PropertyDefinition";
  if (named && !node.computed) return node.value === null || node.value === undefined ? null : used(node.value, names);
  const children: AnyNode[] = [];
  eachChild(node, (child) => children.push(child));
  return first(children, names);
}

function first(nodes: readonly AnyNode[], names: ReadonlySet<string>): AnyNode | null {
  if (names.size === 0) return null;
  for (const node of nodes) {
    const found = used(node, names);
    if (found !== null) return found;
  }
  return null;
}
