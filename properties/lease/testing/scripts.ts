/** Random scripts: few files under several spellings, two owners, little time. */
import fc from "fast-check";
import type { Footprint } from "../../../core/lease/state.ts";
import type { LeasePolicyStep, LeaseScript, LeaseScriptStep } from "../script.ts";

const path = fc.constantFrom("src", "src", "src/a", "./src//a", "SRC", "docs");
const outside = fc.constantFrom("../src", "/etc");
const owner = fc.constantFrom("run", "run", "run", "other");
const footprint: fc.Arbitrary<Footprint> = fc.oneof(
  { weight: 8, arbitrary: path.map((path): Footprint => ({ kind: "file", path })) },
  { weight: 4, arbitrary: fc.constant<Footprint>({ kind: "workspace" }) },
  { weight: 1, arbitrary: fc.constant<Footprint>({ kind: "none" }) },
  { weight: 1, arbitrary: outside.map((path): Footprint => ({ kind: "file", path })) },
);
const paths = fc.array(fc.oneof({ weight: 9, arbitrary: path }, { weight: 1, arbitrary: outside }), { maxLength: 2 });

/** `who` counts back among the ids so far, so that most deeds are about somebody who is there. */
const who = fc.nat({ max: 3 });
const asking = fc.record({
  type: fc.constant<"request">("request"),
  owner,
  footprint,
  needsApproval: fc.constantFrom(false, false, false, true),
  aborted: fc.constantFrom(false, false, false, false, false, true),
});
const deed = fc.oneof(
  { weight: 4, arbitrary: asking },
  {
    weight: 2,
    arbitrary: fc.record({ type: fc.constantFrom<("approve" | "deny")[]>("approve", "approve", "deny"), who }),
  },
  { weight: 4, arbitrary: fc.record({ type: fc.constant<"release">("release"), who }) },
  { weight: 2, arbitrary: fc.record({ type: fc.constant<"abort">("abort"), who }) },
  {
    weight: 3,
    arbitrary: fc.record({ type: fc.constant<"spawn">("spawn"), owner, paths, again: fc.boolean() }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ type: fc.constant<"finish">("finish"), fence: fc.constantFrom(null, null, 1, 2, 3) }),
  },
  { weight: 1, arbitrary: fc.record({ type: fc.constant<"close">("close"), owner }) },
  { weight: 3, arbitrary: fc.record({ type: fc.constant<"wait">("wait"), ms: fc.constantFrom(1, 1, 2) }) },
);
type Deed = typeof deed extends fc.Arbitrary<infer Value> ? Value : never;

const policy: fc.Arbitrary<LeasePolicyStep> = fc.record({
  type: fc.constant<"policy">("policy"),
  waitLimitMs: fc.constantFrom(1, 2, 3),
  stuckLimitMs: fc.constantFrom(1, 2),
  caseSensitive: fc.boolean(),
  conflict: fc.constantFrom<("queue" | "refuse")[]>("queue", "queue", "queue", "refuse"),
  queue: fc.constantFrom<("arrival" | "per-path")[]>("arrival", "per-path"),
});

export const scripts: fc.Arbitrary<LeaseScript> = fc
  .tuple(
    policy,
    // Several ask before anything else happens: then there is a queue, and most rules are about one.
    fc.array(asking, { minLength: 1, maxLength: 4, size: "max" }),
    fc.array(deed, { minLength: 4, maxLength: 12, size: "max" }),
  )
  .map(([policy, first, deeds]) => [policy, ...stepsOf([...first, ...deeds])]);

function stepsOf(deeds: readonly Deed[]): readonly LeaseScriptStep[] {
  const calls: string[] = [];
  const children: string[] = [];
  return deeds.map((deed): LeaseScriptStep => {
    switch (deed.type) {
      case "request":
        calls.push(`c${calls.length + 1}`);
        return { ...deed, call: calls.at(-1) ?? "c1" };
      case "spawn": {
        const { owner, paths, again } = deed;
        if (!again || children.length === 0) children.push(`k${children.length + 1}`);
        return { type: "spawn", child: children.at(-1) ?? "k1", owner, paths };
      }
      case "finish":
        return { type: "finish", child: children.at(-1) ?? "k1", ...(deed.fence !== null && { fence: deed.fence }) };
      case "close":
      case "wait":
        return deed;
      default:
        return { type: deed.type, call: calls.at(-1 - deed.who) ?? "c1" };
    }
  });
}
