/** Before `import()` runs it is told: inside an execution, what loads a module is not ours. */
import type { ImportExpression } from "acorn";
import { helper, type Pass } from "./pass.ts";
import { type Place, visit } from "./visit.ts";

/** The call itself stays as it is: bundlers and test runners look for it. */
export function lowerImport(pass: Pass, node: ImportExpression, place: Place): void {
  pass.text.appendRight(node.start, `(${helper(pass, "importing")}(), `);
  visit(pass, node.source, place);
  if (node.options !== null && node.options !== undefined) visit(pass, node.options, place);
  pass.text.appendLeft(node.end, ")");
}
