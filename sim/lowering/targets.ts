/** What is assigned to or declared anywhere in a program. */
import type { AnyNode, Pattern, Program } from "acorn";
import { eachChild, eachTarget } from "./syntax.ts";

export type Targets = {
  /** `super.x` where it is assigned to, changed or destructured into. */
  readonly supers: ReadonlySet<AnyNode>;
  /** Names of variables that are assigned to after they were declared. */
  readonly names: ReadonlySet<string>;
  readonly declared: ReadonlySet<string>;
};

export function targetsOf(program: Program): Targets {
  const supers = new Set<AnyNode>();
  const names = new Set<string>();
  const declared = new Set<string>();
  const declares = (pattern: Pattern) => {
    eachTarget(pattern, (found) => {
      if (found.type === "Identifier") declared.add(found.name);
    });
  };
  const target = (pattern: Pattern) => {
    eachTarget(pattern, (found) => {
      if (found.type === "Identifier") names.add(found.name);
      else if (found.type === "MemberExpression" && found.object.type === "Super") supers.add(found);
    });
  };
  const visit = (node: AnyNode): void => {
    switch (node.type) {
      case "AssignmentExpression":
        target(node.left);
        break;
      case "UpdateExpression":
        if (node.argument.type === "Identifier" || node.argument.type === "MemberExpression") target(node.argument);
        break;
      case "ForInStatement":
      case "ForOfStatement":
        if (node.left.type !== "VariableDeclaration") target(node.left);
        break;
      case "VariableDeclarator":
        declares(node.id);
        break;
      case "FunctionDeclaration":
      case "ClassDeclaration":
        if (node.id !== null) declares(node.id);
        break;
      case "ImportSpecifier":
      case "ImportDefaultSpecifier":
      case "ImportNamespaceSpecifier":
        declares(node.local);
    }
    eachChild(node, visit);
  };
  visit(program);
  return { supers, names, declared };
}
