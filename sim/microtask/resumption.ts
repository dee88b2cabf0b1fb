/** How an async generator is asked to go on. */
import type { Deferred } from "./deferred.ts";

export const goesNext = 0;
export const goesThrow = 1;
export const goesReturn = 2;

export type Resumption = { readonly kind: number; readonly value: unknown };
/** A call of next(), throw() or return(), with the promise it returned. */
export type Request = Resumption & { readonly answer: Deferred };
