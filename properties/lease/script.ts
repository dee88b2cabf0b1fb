/**
 * What an application does to a lease scheduler, as data: the inputs of the contract without their times, and `policy`,
 * `wait` and `await`. Each step is a delivery of its own, but for those that are given `together`. What follows a `flow` is
 * done beside the other flows; without one, everything is done by one user. A script comes from a repro file, a generator
 * or a person, so it is checked here and nowhere else.
 */
import * as z from "zod";
import { ScenarioError } from "../../sim/scenario.ts";

// Ids end up in the names of deliveries.
const word = z
  .string()
  .min(1, "expected a name, found an empty string")
  .max(100)
  .regex(/^[^:#\n]+$/, 'expected a name without ":", "#" and line breaks');
const path = z.string().max(1_000);
const ms = z.int().min(0).max(1e9);
const fence = z.int().optional();
const footprint = z.discriminatedUnion("kind", [
  z.strictObject({ kind: z.literal("none") }),
  z.strictObject({ kind: z.literal("file"), path }),
  z.strictObject({ kind: z.literal("workspace") }),
]);
const step = z.discriminatedUnion("type", [
  z.strictObject({
    type: z.literal("request"),
    call: word,
    owner: word,
    footprint,
    needsApproval: z.boolean().default(false),
    aborted: z.boolean().default(false),
  }),
  z.strictObject({ type: z.literal("approve"), call: word }),
  z.strictObject({ type: z.literal("deny"), call: word }),
  /** With a fence: the lease of that fence, which may be an old one; without: the one that it has now. */
  z.strictObject({ type: z.literal("release"), call: word, fence }),
  z.strictObject({ type: z.literal("abort"), call: word }),
  z.strictObject({ type: z.literal("spawn"), child: word, owner: word, paths: z.array(path).max(100) }),
  z.strictObject({ type: z.literal("finish"), child: word, fence }),
  z.strictObject({ type: z.literal("close"), owner: word }),
  z.strictObject({ type: z.literal("wait"), ms }),
  /** Until the call has its outcome; what comes later in the script waits with it. */
  z.strictObject({ type: z.literal("await"), name: word }),
]);
const policy = z.strictObject({
  type: z.literal("policy"),
  waitLimitMs: ms.optional(),
  stuckLimitMs: ms.optional(),
  caseSensitive: z.boolean().optional(),
  conflict: z.enum(["queue", "refuse"]).optional(),
  queue: z.enum(["arrival", "per-path"]).optional(),
});

/** Several commands in one delivery: one event that has all of them for its consequence. */
const together = z.strictObject({
  type: z.literal("together"),
  label: word,
  steps: z
    .array(step)
    .min(1)
    .max(20)
    .refine((steps) => !steps.some(({ type }) => type === "wait" || type === "await"), {
      error: "expected nothing that takes time, found a wait or an await",
    })
    .readonly(),
});
/** Whose the next steps are. A flow that was named before goes on. */
const flow = z.strictObject({ type: z.literal("flow"), name: word });

export type LeaseScriptStep = z.output<typeof step>;
export type LeasePolicyStep = z.output<typeof policy>;
export type Together = z.output<typeof together>;
export type FlowStep = z.output<typeof flow>;
/** The policy, if it is not the default one, stands first. */
export type LeaseScript = readonly (LeasePolicyStep | FlowStep | Together | LeaseScriptStep)[];

const special = { policy, together, flow };
const script = z.array(z.union([policy, together, flow, step])).max(200);

// What came out of parseLeaseScript needs no second look: a scenario's body gets it once per execution.
const checked = new WeakMap<object, LeaseScript>();

/** Reads a script from JSON. Throws ScenarioError naming the step, what was expected and what was found. */
export function parseLeaseScript(json: unknown): LeaseScript {
  const known = typeof json === "object" && json !== null ? checked.get(json) : undefined;
  if (known !== undefined) return known;
  const read = script.safeParse(json);
  if (!read.success) throw new ScenarioError(`Cannot read the script${describeIssue(read.error, json)}`);
  const steps: LeaseScript = read.data;
  refuseRepeats(steps);
  checked.set(steps, steps);
  return steps;
}

/** A call id is never used twice: two calls of one id could not be told apart in what they were told. */
function refuseRepeats(steps: LeaseScript): void {
  const calls = new Set<string>();
  for (const [index, step] of steps.entries()) {
    const where = `Cannot read the script at step ${index + 1}`;
    if (step.type === "policy" && index > 0) {
      throw new ScenarioError(`${where}: expected the policy as the first step, found it after others`);
    }
    for (const one of step.type === "together" ? step.steps : [step]) {
      if (one.type !== "request") continue;
      if (calls.has(one.call)) {
        throw new ScenarioError(`${where}: expected an id of its own, found ${JSON.stringify(one.call)} a second time`);
      }
      calls.add(one.call);
    }
  }
}

function describeIssue(error: z.ZodError, json: unknown): string {
  const issue = error.issues[0];
  const [index, ...inside] = issue?.path ?? [];
  if (issue === undefined || typeof index !== "number" || !Array.isArray(json)) return `: ${issue?.message}`;
  // A step is a policy or another one; what is wrong with it is only told by the one that it means to be.
  const found: unknown = json[index];
  const type: unknown = typeof found === "object" && found !== null ? Reflect.get(found, "type") : undefined;
  const meant = type === "policy" || type === "together" || type === "flow" ? special[type] : step;
  const again = meant.safeParse(found);
  const detail = again.success ? issue : (again.error.issues[0] ?? issue);
  const path = again.success ? inside : detail.path;
  return ` at step ${index + 1}${path.length > 0 ? `, ${path.join(".")}` : ""}: ${detail.message}`;
}

/** Names the step in plain words: `request c1`, `close run`, `wait 5 ms`. */
export function labelOf(step: LeaseScriptStep): string {
  switch (step.type) {
    case "spawn":
    case "finish":
      return `${step.type} ${step.child}`;
    case "close":
      return `close ${step.owner}`;
    case "wait":
      return `wait ${step.ms} ms`;
    case "await":
      return `await ${step.name}`;
    default:
      return `${step.type} ${step.call}`;
  }
}
