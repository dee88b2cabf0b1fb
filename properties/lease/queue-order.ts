/** Who is in whose way, and who may go before whom. */
import type { Footprint, LeasePolicy } from "../../core/lease/state.ts";
import { overlap } from "./paths.ts";
import { isTurnedAway, pathsOf, type SeenCall } from "./seen.ts";

export function meet(policy: LeasePolicy, one: Footprint, other: Footprint): boolean {
  return pathsOf(one).some((path) => pathsOf(other).some((held) => overlap(policy, path, held)));
}

/** True when nobody may be granted beside `call` who comes later: they stand in one line. */
export function inLine(policy: LeasePolicy, earlier: SeenCall, call: SeenCall): boolean {
  if (policy.queue === "arrival") return meet(policy, earlier.footprint, call.footprint);
  const [one, other] = [earlier.footprint, call.footprint];
  if (one.kind === "none" || other.kind === "none") return false;
  if (one.kind === "workspace" || other.kind === "workspace") return one.kind === other.kind;
  const fold = (path: string) => (policy.caseSensitive ? path : path.toLowerCase());
  return fold(one.path) === fold(other.path);
}

/** Who of the queue would run now, beside those that run. */
export function pumped(
  policy: LeasePolicy,
  running: readonly SeenCall[],
  queue: readonly SeenCall[],
): ReadonlySet<SeenCall> {
  const holders: SeenCall[] = [...running];
  const waiting: SeenCall[] = [];
  const granted = new Set<SeenCall>();
  for (const call of queue) {
    const isHeld = holders.some(({ footprint }) => meet(policy, footprint, call.footprint));
    const isBehind = isHeld || waiting.some((earlier) => inLine(policy, earlier, call));
    if (!isBehind) granted.add(call);
    if (!isTurnedAway(call)) (isBehind ? waiting : holders).push(call);
  }
  return granted;
}
