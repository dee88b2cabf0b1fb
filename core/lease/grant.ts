/** Makes what a caller holds while it works. */
import type { BareGrant, Grant } from "./scheduler.ts";

export function makeGrant(holder: string, fence: number, release: () => void): Grant {
  const grant: BareGrant = { holder, fence, release };
  addDisposers(grant);
  return grant;
}

/** Defines the two symbols only where the platform has them; a missing one would make a property called "undefined". */
function addDisposers(grant: BareGrant): asserts grant is Grant {
  if (Symbol.dispose) Object.defineProperty(grant, Symbol.dispose, { value: grant.release });
  if (Symbol.asyncDispose) Object.defineProperty(grant, Symbol.asyncDispose, { value: async () => grant.release() });
}
