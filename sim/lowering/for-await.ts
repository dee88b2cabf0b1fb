/**
 * `for await (LEFT of RIGHT) BODY` becomes a `while` that awaits each result, in a `try` that closes the iterator whoever
 * leaves. Everything stays where it is, except LEFT, which moves behind RIGHT, and labels, which belong to the `while`.
 */
import type { ForOfStatement, LabeledStatement } from "acorn";
import { refuseDeadZone } from "./dead-zone.ts";
import { fresh, helper, type Pass } from "./pass.ts";
import { visitLoopBody } from "./statements.ts";
import { tokenAt, tokenEnd, tokenIf } from "./trivia.ts";
import { type Place, visit } from "./visit.ts";

export function lowerForAwait(pass: Pass, node: ForOfStatement, labels: LabeledStatement[], place: Place): void {
  refuseDeadZone(pass, node);
  const { code, text } = pass;
  const loop = fresh(pass, "loop");
  const error = fresh(pass, "error");
  const { left, right, body } = node;
  const head = { scope: null, context: place.context };
  const keyword = node.start + "for".length;
  const awaiting = tokenAt(code, keyword, "await");
  const open = tokenEnd(code, awaiting + "await".length, "(");
  const of = tokenAt(code, afterParentheses(code, left.end, code.length), "of");
  const close = afterParentheses(code, right.end, body.start) - 1;
  const declares = left.type === "VariableDeclaration";

  for (const { label } of labels) {
    const colon = tokenAt(code, label.end, ":");
    text.update(label.start, label.end, "");
    text.update(colon, colon + 1, "");
  }
  text.update(node.start, keyword, "{");
  text.update(awaiting, awaiting + "await".length, `const ${loop} = ${helper(pass, "forAwait")}`);
  visit(pass, left, head);
  text.appendLeft(of, ` = ${loop}.value${declares ? "" : ")"};`);
  text.update(of, of + "of".length, "");
  visit(pass, right, head);
  const named = labels.map(({ label }) => `${label.name}: `).join("");
  const loops = `${named}while (${loop}.more(yield ${loop}.next()))`;
  text.update(close, close + 1, `); try { ${loops} { ${declares ? "" : "("}`);
  text.move(open, of, close + 1);
  visitLoopBody(pass, body, place.context);
  const failed = `catch (${error}) { if (${loop}.open) yield* ${loop}.failed(); throw ${error} }`;
  text.appendLeft(node.end, ` } } ${failed} finally { if (${loop}.open) yield* ${loop}.left() } }`);
}

/** The end of the last parenthesis that closes behind `at`, or `at`. */
function afterParentheses(code: string, at: number, limit: number): number {
  for (let end = at; ; ) {
    const next = tokenIf(code, end, ")");
    if (next < 0 || next >= limit) return end;
    end = next + 1;
  }
}
