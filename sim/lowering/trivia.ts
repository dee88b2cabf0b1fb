/** Finds the tokens between nodes, which have no node of their own: comments there may say anything. */
import assert from "node:assert";

const space = /\s/;

/** The first position from `at` that is neither white space nor comment. */
export function skipTrivia(code: string, at: number): number {
  for (;;) {
    if (space.test(code.charAt(at))) at++;
    else if (code.startsWith("//", at)) at = lineEnd(code, at);
    else if (code.startsWith("/*", at)) at = code.indexOf("*/", at + 2) + 2;
    else return at;
  }
}

/** Where the token begins that comes next; anything else there is our own fault. */
export function tokenAt(code: string, at: number, token: string): number {
  const found = skipTrivia(code, at);
  assert(code.startsWith(token, found), `Expected ${token} at ${found}, found ${code.slice(found, found + 20)}`);
  return found;
}

/** The end of the token that comes next. */
export function tokenEnd(code: string, at: number, token: string): number {
  return tokenAt(code, at, token) + token.length;
}

/** Where the token begins that comes next, or -1 where something else does. */
export function tokenIf(code: string, at: number, token: string): number {
  const found = skipTrivia(code, at);
  return code.startsWith(token, found) ? found : -1;
}

function lineEnd(code: string, at: number): number {
  while (at < code.length && !/[\n\r\u2028\u2029]/.test(code.charAt(at))) at++;
  return at;
}
