/** What async code may contain that a generator cannot do exactly. */
import type { CallExpression, Identifier, MemberExpression, SwitchStatement, WithStatement } from "acorn";
import type { Context } from "./context.ts";
import type { Pass } from "./pass.ts";
import { asyncDeclaration } from "./statements.ts";
import { eachChild } from "./syntax.ts";
import type { Uses } from "./uses.ts";
import { type Place, visit } from "./visit.ts";

/** What is given to eval is lowered by nobody, and sees other variables than before. */
export function refuseEval(pass: Pass, node: CallExpression, context: Context): void {
  if (!context.generator || node.callee.type !== "Identifier" || node.callee.name !== "eval") return;
  throw pass.fail(
    node.start,
    "direct `eval` in async code",
    "Call it indirectly, `(0, eval)(text)`, or move it into a function of its own",
  );
}

export function refuseName(pass: Pass, node: Identifier, context: Context): void {
  if (node.name === "yield" && context.generator) {
    throw pass.fail(node.start, "something called `yield` in an async function", "Give it another name");
  }
  if (node.name === "arguments" && context.generator && !context.inFunction) {
    throw pass.fail(node.start, "`arguments` in async code outside any function", "There is none: take it away");
  }
}

/** `arguments.callee` would be the generator. */
export function refuseCallee(pass: Pass, node: MemberExpression, context: Context): void {
  if (!context.generator || context.strict || node.object.type !== "Identifier") return;
  if (node.object.name !== "arguments" || node.computed) return;
  if (node.property.type !== "Identifier" || node.property.name !== "callee") return;
  throw pass.fail(node.start, "`arguments.callee` in an async function", "Give the function a name and use that");
}

export function refuseArguments(pass: Pass, uses: Uses, aliased: boolean): void {
  if (uses.parameters === null) return;
  if (uses.ownArguments !== null) {
    throw pass.fail(uses.ownArguments.start, "a variable `arguments` in async code", "Give it another name");
  }
  if (!aliased) return;
  throw pass.fail(
    uses.parameters.start,
    "`arguments` beside `super` in an async method of sloppy code, where it changes with the parameters",
    'Use a rest parameter, or begin the file with "use strict"',
  );
}

/** The names in a `with` are looked up while it runs, ours too. */
export function visitWith(pass: Pass, node: WithStatement, place: Place): void {
  const before = pass.lowered;
  eachChild(node, (child) => visit(pass, child, place));
  if (pass.lowered === before && !place.context.generator) return;
  throw pass.fail(node.start, "`with` around async code or in it", "Name the object: `object.property`");
}

/** Sloppy code declares a plain function of a `case` outside the `switch`, too, but never an async one. */
export function refuseSwitch(pass: Pass, node: SwitchStatement, context: Context): void {
  if (context.strict) return;
  const found = node.cases.flatMap(({ consequent }) => consequent).find((one) => asyncDeclaration(one).length > 0);
  if (found === undefined) return;
  throw pass.fail(
    found.start,
    "an async function declared in a `case` of sloppy code",
    'Put it in a block, `case …: { … }`, or begin the file with "use strict"',
  );
}
