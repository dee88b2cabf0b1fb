/** How a promise about a history is judged: sighting by sighting, and each only once, however often it is asked. */
import type { Invariant } from "../../invariant.ts";
import type { LeaseHistory, LeaseSighting } from "../history.ts";
import { LeaseView } from "../view.ts";

export type LeaseInvariant = Invariant<LeaseHistory>;

export type Promised = Pick<LeaseInvariant, "name" | "why"> & {
  /** Judges a sighting, with what was known before it. */
  readonly atSight?: (before: LeaseView, sighting: LeaseSighting) => string | undefined;
  /** Judges what is known when a delivery has been dealt with. */
  readonly between?: (view: LeaseView) => string | undefined;
};

type Past = { readonly view: LeaseView; seen: number; saw: string | undefined };

export function promise({ name, why, atSight, between }: Promised): LeaseInvariant {
  const pasts = new WeakMap<LeaseHistory, Past>();
  return {
    name,
    why,
    violation(history) {
      const past = pasts.get(history) ?? { view: new LeaseView(history.policy), seen: 0, saw: undefined };
      pasts.set(history, past);
      for (const sighting of history.sightings.slice(past.seen)) {
        past.saw ??= atSight?.(past.view, sighting);
        past.view.take(sighting);
        past.seen += 1;
      }
      return past.saw ?? between?.(past.view);
    },
  };
}
