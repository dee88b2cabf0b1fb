/** `await`, and in async generators `yield` and `return`, become a `yield` that says to the driver what it means. */
import type { AwaitExpression, ReturnStatement, YieldExpression } from "acorn";
import { helper, type Pass } from "./pass.ts";
import { tokenAt } from "./trivia.ts";
import { type Place, visit } from "./visit.ts";

export function lowerAwait(pass: Pass, node: AwaitExpression, place: Place): void {
  pass.text.update(node.start, node.start + "await".length, `(yield ${helper(pass, "a")}(`);
  visit(pass, node.argument, place);
  pass.text.appendLeft(node.end, "))");
}

export function lowerYield(pass: Pass, node: YieldExpression, place: Place): void {
  const end = node.start + "yield".length;
  if (node.argument === null || node.argument === undefined) {
    pass.text.update(node.start, end, `(yield ${helper(pass, "y")}(undefined))`);
    return;
  }
  if (node.delegate) {
    const star = tokenAt(pass.code, end, "*");
    pass.text.update(node.start, end, `(yield* ${helper(pass, "ys")}(`);
    pass.text.update(star, star + 1, "");
  } else pass.text.update(node.start, end, `(yield ${helper(pass, "y")}(`);
  visit(pass, node.argument, place);
  pass.text.appendLeft(node.end, "))");
}

/** What an async generator returns is awaited first. */
export function lowerReturn(pass: Pass, node: ReturnStatement, place: Place): void {
  if (node.argument === null || node.argument === undefined) return;
  const end = node.start + "return".length;
  pass.text.appendLeft(end, ` (yield ${helper(pass, "a")}(`);
  visit(pass, node.argument, place);
  // The argument may stand in parentheses, so that the statement ends later.
  const semicolon = pass.code.charAt(node.end - 1) === ";";
  pass.text.appendLeft(semicolon ? node.end - 1 : node.end, "))");
}
