/** The state in bits. Only the normal form fits: a number that grew, or one call too many, is refused with its place. */
import type { LeasePolicy } from "../../../core/lease/state.ts";
import { integer, list, mapOf, oneOf, option, record, type Schema, variants } from "../../../sim/model/schema.ts";
import type { LeaseBounds } from "./bounds.ts";
import type { Ground } from "./ground.ts";
import { callId, childId, firstFreeFence, goneId } from "./normal-form.ts";
import { type LeaseWorld, openOwner } from "./world.ts";

export function schemaOf(policy: LeasePolicy, bounds: LeaseBounds, ground: Ground): Schema<LeaseWorld> {
  // A world without calls still needs the name of one, to say that it is not there.
  const callIds = Array.from({ length: Math.max(1, bounds.calls) }, (_, place) => callId(place));
  const childIds = Array.from({ length: bounds.children }, (_, place) => childId(place));
  const goneIds = Array.from({ length: bounds.closes }, (_, place) => goneId(place));
  const path = oneOf(...ground.paths);
  const owner = oneOf(openOwner, ...goneIds);
  const nextFence = firstFreeFence(bounds);
  const lastFence = Math.max(bounds.calls + 1, nextFence - 1);
  return record({
    lease: record({
      children: mapOf(
        childIds,
        record({ owner, paths: list(path, ground.paths.length), fence: integer(bounds.calls + 1, lastFence) }),
      ),
      calls: mapOf(
        callIds,
        record({
          owner,
          footprint: variants("kind", { none: {}, file: { path }, workspace: {} }),
          stage: oneOf("approving", "waiting", "granted"),
          deadlineMs: option(integer(0, policy.waitLimitMs)),
          fence: option(integer(1, callIds.length)),
        }),
      ),
      queue: list(oneOf(...callIds), bounds.calls),
      nextFence: integer(nextFence, nextFence),
      closed: mapOf(goneIds, integer(-policy.stuckLimitMs, 0)),
    }),
    told: mapOf(callIds, oneOf("asked", "runs", "ended")),
    nowMs: integer(0, 0),
  });
}
