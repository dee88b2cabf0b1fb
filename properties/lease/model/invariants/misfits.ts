/** What fits nothing: an unknown call, another stage, a foreign fence. */
import type { LeaseInput, LeaseState } from "../../../../core/lease/state.ts";
import type { InStep, Setting } from "../rules.ts";
import { sameTable } from "./same-table.ts";

/** An input that fits nothing is stale and changes nothing; an abort of what runs yields nothing. */
export function misfitsChangeNothing(_: Setting): InStep {
  return {
    name: "lease/misfits-change-nothing",
    violation(before, deed, after, effects) {
      if (deed.type === "pass" || deed.type === "request" || deed.type === "spawn") return null;
      const expected = answerToMisfit(before.lease, deed);
      if (expected === "fits") {
        return effects.some(({ type }) => type === "stale") ? `${deed.type} is stale, and fits` : null;
      }
      const said = effects.length === 0 ? "nothing" : effects.length === 1 ? effects[0]?.type : "much";
      if (said !== expected) return `${deed.type} fits nothing, and yields ${said}`;
      return sameTable(before.lease, after.lease) ? null : `${deed.type} fits nothing, and changes something`;
    },
  };
}

function answerToMisfit(lease: LeaseState, deed: LeaseInput): "fits" | "stale" | "nothing" {
  switch (deed.type) {
    case "approve":
    case "deny":
      return lease.calls.get(deed.call)?.stage === "approving" ? "fits" : "stale";
    case "release":
      return lease.calls.get(deed.call)?.fence === deed.fence ? "fits" : "stale";
    case "finish":
      return lease.children.get(deed.child)?.fence === deed.fence ? "fits" : "stale";
    case "abort": {
      const stage = lease.calls.get(deed.call)?.stage;
      return stage === undefined ? "stale" : stage === "granted" ? "nothing" : "fits";
    }
    case "close":
      return lease.closed.has(deed.owner) ? "nothing" : "fits";
    default:
      return "fits";
  }
}
