/**
 * Counts the orders of one class: the linear extensions of happens-before over a trace. Parts that nothing connects are
 * counted alone, and any merge of them is an order. Within a part, every beginning of an order is a count for each source
 * (deliveries of one source depend on each other), and the orders that lead to it are the sum over what came last.
 *
 * Counting linear extensions is #P-complete (Brightwell and Winkler, 1991), so there is a bound on how many beginnings are
 * looked at; past it there is no answer.
 */
import { comesBefore } from "./dpor/happens-before.ts";

/** Beginnings looked at in one part before it is given up. */
const beginningsMost = 20_000;
/** More deliveries than this have more orders than a number can count. */
const deliveriesMost = 150;

export type Ordered = {
  /** By place in the trace. */
  readonly sources: readonly string[];
  /** Bits of those that come before each, by place in the trace. */
  readonly pasts: readonly Uint32Array[];
};

/** The natural logarithm of how many orders the class has; null: too many to count. */
export function logOrders({ sources, pasts }: Ordered): number | null {
  const parts = partsOf(pasts);
  let log = logFactorial(sources.length);
  for (const part of parts) {
    if (part.length > deliveriesMost) return null;
    const orders = ordersOf(part, sources, pasts);
    if (orders === null) return null;
    log += Math.log(orders) - logFactorial(part.length);
  }
  return log;
}

/** Places that happens-before connects, in the order of the trace. */
function partsOf(pasts: readonly Uint32Array[]): number[][] {
  const leader = pasts.map((_, place) => place);
  const find = (place: number): number => {
    let at = place;
    for (let up = leader[at]; up !== undefined && up !== at; up = leader[at]) at = up;
    return at;
  };
  pasts.forEach((past, place) => {
    for (let before = 0; before < place; before++) {
      if (comesBefore(past, before)) leader[find(before)] = find(place);
    }
  });
  const parts = new Map<number, number[]>();
  leader.forEach((_, place) => {
    const part = parts.get(find(place));
    if (part === undefined) parts.set(find(place), [place]);
    else part.push(place);
  });
  return [...parts.values()];
}

function ordersOf(part: readonly number[], sources: readonly string[], pasts: readonly Uint32Array[]): number | null {
  const chains = chainsOf(part, sources);
  const strides: number[] = [];
  let size = 1;
  for (const chain of chains) {
    strides.push(size);
    size *= chain.length + 1;
  }
  if (!Number.isSafeInteger(size)) return null;
  // How many of each chain come before each delivery of each chain.
  const needs = chains.map((chain) => chain.map((place) => chains.map((other) => countBefore(pasts[place], other))));
  let level = new Map<number, number>([[0, 1]]);
  let looked = 0;
  for (let placed = 0; placed < part.length; placed++) {
    const next = new Map<number, number>();
    for (const [beginning, orders] of level) {
      const counts = chains.map((chain, at) => Math.floor(beginning / (strides[at] ?? 1)) % (chain.length + 1));
      needs.forEach((chain, at) => {
        const need = chain[counts[at] ?? 0];
        if (need === undefined || !need.every((least, other) => other === at || (counts[other] ?? 0) >= least)) return;
        const longer = beginning + (strides[at] ?? 0);
        next.set(longer, (next.get(longer) ?? 0) + orders);
      });
    }
    looked += next.size;
    if (looked > beginningsMost) return null;
    level = next;
  }
  return [...level.values()][0] ?? 1;
}

function chainsOf(part: readonly number[], sources: readonly string[]): number[][] {
  const chains = new Map<string, number[]>();
  for (const place of part) {
    const source = sources[place] ?? "";
    const chain = chains.get(source);
    if (chain === undefined) chains.set(source, [place]);
    else chain.push(place);
  }
  return [...chains.values()];
}

function countBefore(past: Uint32Array | undefined, chain: readonly number[]): number {
  if (past === undefined) return 0;
  let count = 0;
  for (const place of chain) if (comesBefore(past, place)) count++;
  return count;
}

function logFactorial(count: number): number {
  let log = 0;
  for (let factor = 2; factor <= count; factor++) log += Math.log(factor);
  return log;
}
