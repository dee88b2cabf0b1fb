/**
 * Things that a harness owns: a recording of what an agent does, say. Whoever makes one names it, and whoever changes it
 * says so; then deliveries that change it depend on each other without any scenario declaring it.
 */
import { observing } from "./native/observing.ts";

/** Names a thing by the delivery that makes it. */
export function own(thing: object): void {
  observing.by?.made(thing);
}

/** Says that the delivery under way changes the thing. Costs a load where nobody looks on. */
export function touch(thing: object): void {
  observing.by?.touched(thing, true);
}
