/** Which words of the function around a function uses, in its arrows too. */
import type { AnyNode, ClassBody, MemberExpression, Pattern } from "acorn";
import { eachChild, eachTarget, type FunctionNode } from "./syntax.ts";

export type Uses = {
  self: boolean;
  /** Where `arguments` is first. */
  parameters: AnyNode | null;
  newTarget: boolean;
  superGet: boolean;
  superReference: boolean;
  superCall: boolean;
  /** A variable that is called `arguments`: sloppy code may have one. */
  ownArguments: AnyNode | null;
};

export function usesOf(node: FunctionNode, superTargets: () => ReadonlySet<AnyNode>): Uses {
  const uses: Uses = {
    self: false,
    parameters: null,
    newTarget: false,
    superGet: false,
    superReference: false,
    superCall: false,
    ownArguments: null,
  };
  const member = (member: MemberExpression) => {
    if (member.object.type === "Super") {
      uses.self = true;
      if (superTargets().has(member)) uses.superReference = true;
      else uses.superGet = true;
    } else visit(member.object);
    if (member.computed) visit(member.property);
  };
  const binds = (pattern: Pattern) => {
    eachTarget(pattern, (target) => {
      if (target.type === "Identifier" && target.name === "arguments") uses.ownArguments ??= target;
    });
  };
  const visit = (node: AnyNode): void => {
    switch (node.type) {
      case "ThisExpression":
        uses.self = true;
        return;
      case "MetaProperty":
        if (node.meta.name === "new") uses.newTarget = true;
        return;
      case "Identifier":
        if (node.name === "arguments") uses.parameters ??= node;
        return;
      case "Super":
        uses.self = true;
        uses.superCall = true;
        return;
      case "MemberExpression":
        member(node);
        return;
      case "FunctionDeclaration":
        if (node.id !== null) binds(node.id);
        return;
      case "FunctionExpression":
      case "StaticBlock":
        return;
      case "ClassBody":
        computedKeys(node, visit);
        return;
      case "Property":
        if (node.computed) visit(node.key);
        visit(node.value);
        return;
      case "VariableDeclarator":
        binds(node.id);
    }
    eachChild(node, visit);
  };
  for (const parameter of node.params) {
    binds(parameter);
    visit(parameter);
  }
  visit(node.body);
  return uses;
}

/** Of the members of a class, only the keys belong to the function around. */
function computedKeys(body: ClassBody, visit: (node: AnyNode) => void): void {
  for (const member of body.body) if (member.type !== "StaticBlock" && member.computed) visit(member.key);
}
