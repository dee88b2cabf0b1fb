/**
 * What a user does, as data: the commands of the contract without their times, and `await`; and what the outside answers,
 * as the reports of the contract, where it is to answer so and not as it likes. Each step is a delivery of its own. A script
 * comes from a repro file, a generator, a model or a person, so it is checked here and nowhere else.
 */
import { z } from "zod";
import type { AgentCommand, AgentReport, Message } from "../../core/agent/state.ts";
import { ScenarioError } from "../../sim/scenario.ts";

/** `await idle`: the user waits for whenIdle(), and what comes later in the script waits with them. */
export type UserStep = AgentCommand | { readonly type: "await"; readonly name: "idle" };
export type ScriptStep = UserStep | AgentReport;
export type Script = readonly ScriptStep[];

// Ids, causes and names end up in the names of deliveries.
const word = z
  .string()
  .min(1, "expected a name, found an empty string")
  .max(100)
  .regex(/^[^:#\n]+$/, 'expected a name without ":", "#" and line breaks');
const message = z.strictObject({
  id: word,
  lane: z.enum(["next-turn", "next-step"]),
  wake: z.boolean(),
  body: z.unknown().optional(),
});
const number = z.int().min(0);
const reason = z.discriminatedUnion("kind", [
  z.strictObject({ kind: z.enum(["completed", "max-tokens", "blocked", "failed", "interrupted"]) }),
  z.strictObject({ kind: z.literal("aborted"), cause: word }),
]);
const record = z.discriminatedUnion("type", [
  z.strictObject({ type: z.literal("turn/start"), turn: number }),
  z.strictObject({ type: z.literal("turn/end"), turn: number, reason }),
]);
const decision = z.discriminatedUnion("kind", [
  z.strictObject({ kind: z.literal("enter"), messages: z.array(message).max(100) }),
  z.strictObject({ kind: z.enum(["reject", "failed"]) }),
]);
const outcome = z.enum(["continue", "completed", "max-tokens", "failed"]);
const step = z.discriminatedUnion("type", [
  z.strictObject({ type: z.literal("send"), message }),
  z.strictObject({ type: z.literal("retract"), id: word }),
  z.strictObject({ type: z.literal("cancel"), cause: word, keepInbox: z.boolean() }),
  z.strictObject({ type: z.literal("dispose") }),
  z.strictObject({ type: z.literal("maintain"), activity: word }),
  z.strictObject({ type: z.literal("await"), name: z.literal("idle") }),
  z.strictObject({ type: z.literal("written"), record }),
  z.strictObject({ type: z.literal("write-failed"), record }),
  z.strictObject({ type: z.literal("proposed"), turn: number, step: number, decision }),
  z.strictObject({ type: z.literal("stepped"), turn: number, step: number, outcome }),
  z.strictObject({ type: z.literal("maintained"), activity: word }),
]);
const script = z.array(step).max(100);

// What came out of parseScript needs no second look: a scenario's body gets it once per execution.
const checked = new WeakMap<object, Script>();

/** Reads a script from JSON. Throws ScenarioError naming the step, what was expected and what was found. */
export function parseScript(json: unknown): Script {
  const known = typeof json === "object" && json !== null ? checked.get(json) : undefined;
  if (known !== undefined) return known;
  const read = script.safeParse(json);
  if (!read.success) throw new ScenarioError(`Cannot read the script${describeIssue(read.error)}`);
  const steps: Script = read.data;
  refuseEqualIds(steps);
  checked.set(steps, steps);
  return steps;
}

/** Two messages with one id could not be told apart in what they caused. */
function refuseEqualIds(steps: Script): void {
  const ids = new Set<string>();
  for (const [index, step] of steps.entries()) {
    const id = step.type === "send" ? step.message.id : step.type === "maintain" ? step.activity : null;
    if (id !== null && ids.has(`${step.type} ${id}`)) {
      throw new ScenarioError(
        `Cannot read the script at step ${index + 1}: expected an id of its own, found ${JSON.stringify(id)} a second time`,
      );
    }
    ids.add(`${step.type} ${id}`);
  }
}

function describeIssue(error: z.ZodError): string {
  const issue = error.issues[0];
  if (issue === undefined) return "";
  const [index, ...path] = issue.path;
  const where = typeof index === "number" ? ` at step ${index + 1}${path.length > 0 ? `, ${path.join(".")}` : ""}` : "";
  return `${where}: ${issue.message}`;
}

/** What the user does; the rest is how the outside answers. */
export function isUserStep(step: ScriptStep): step is UserStep {
  switch (step.type) {
    case "written":
    case "write-failed":
    case "proposed":
    case "stepped":
    case "maintained":
      return false;
    default:
      return true;
  }
}

/** Names the step in plain words: `send a`, `stop`, `stop and clear`, `retract a`. */
export function labelOf(step: UserStep): string {
  switch (step.type) {
    case "send":
      return `send ${step.message.id}`;
    case "retract":
      return `retract ${step.id}`;
    case "cancel":
      return step.keepInbox ? step.cause : `${step.cause} and clear`;
    case "dispose":
      return "dispose";
    case "maintain":
      return `maintain ${step.activity}`;
    case "await":
      return `await ${step.name}`;
  }
}

/** The four ways to send, by the names that the contract gives them. */
export const presets: Readonly<Record<Preset, Pick<Message, "lane" | "wake">>> = {
  followUp: { lane: "next-turn", wake: true },
  steer: { lane: "next-step", wake: true },
  inject: { lane: "next-step", wake: false },
  queue: { lane: "next-turn", wake: false },
};
export type Preset = "followUp" | "steer" | "inject" | "queue";

export function send(id: string, preset: Preset = "followUp"): UserStep {
  return { type: "send", message: { id, ...presets[preset] } };
}

export function cancel(cause: string, { keepInbox }: { readonly keepInbox: boolean }): UserStep {
  return { type: "cancel", cause, keepInbox };
}

/** A wake sent while a turn is being stopped: the smallest story that tells a good driver from a bad one. */
export const lateWake: readonly UserStep[] = [send("a"), cancel("stop", { keepInbox: true }), send("b")];
