/**
 * When two deliveries of one trace depend on each other. Written from the contract alone: what searches by classes has a
 * rule of its own, and the two are compared.
 */
import type { TraceStep } from "../../execution.ts";
import type { Touches } from "../../scenario.ts";

/** What the rule looks at. */
export type Dependent = Pick<TraceStep, "name" | "source" | "touches" | "observed" | "askedBy">;

/** True when swapping the two may make a difference. What a third one carries over is not their own. */
export function dependsOn(one: Dependent, other: Dependent): boolean {
  if (one.source === other.source) return true;
  if (one.askedBy === other.name || other.askedBy === one.name) return true;
  return declaredClash(one.touches, other.touches) || clash(one.observed, other.observed);
}

function declaredClash(one: Touches | null, other: Touches | null): boolean {
  if (one !== null && other !== null) return clash(one, other);
  // Who declares nothing may write everything, so whoever touches anything at all is in its way.
  return touchesSomething(one) && touchesSomething(other);
}

function touchesSomething(touches: Touches | null): boolean {
  return touches === null || (touches.reads?.length ?? 0) + (touches.writes?.length ?? 0) > 0;
}

function clash(one: Touches, other: Touches): boolean {
  return meets(one.writes, other.writes) || meets(one.writes, other.reads) || meets(one.reads, other.writes);
}

function meets(some: readonly string[] = [], others: readonly string[] = []): boolean {
  return some.some((resource) => others.includes(resource));
}
