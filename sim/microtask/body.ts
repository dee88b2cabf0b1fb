/** The methods of native generators, whatever somebody has put on the prototype of one. */
import type { Body } from "./lowered.ts";

const prototype: Body = Object.getPrototypeOf(function* () {}).prototype;

export const bodyNext = prototype.next;
export const bodyThrow = prototype.throw;
export const bodyReturn = prototype.return;
