/**
 * What a user does, as data: the commands of the contract without their times, `await`, and commands from inside a port
 * call; and what the outside answers, as the reports of the contract, where it is to answer so and not as it likes. Each
 * step of the user is a delivery of its own. A script comes from a repro file, a generator, a model or a person, so it is
 * checked here and nowhere else.
 */
import type { z } from "zod";
import type { AgentCommand, AgentReport, Message } from "../../core/agent/state.ts";
import { ScenarioError } from "../../sim/scenario.ts";
import type { OutsideOptions } from "./outside.ts";
import { scriptShape } from "./script-schema.ts";

/** The calls of its ports, and what they tell of, from inside which an agent may be given a command. */
export type InsidePlace = "turn/start" | "turn/end" | "claimed" | "canceled" | "running" | "idle";

/**
 * Arms a command, as an application subscribes an observer: it is given once, synchronously, in the next call of `append`,
 * `onRemoved` or `onStatus` that tells of `at`. All that are armed there are given in that one call, in the order of arming.
 */
export type InsideStep = { readonly type: "inside"; readonly at: InsidePlace; readonly do: AgentCommand };

/** `await idle`: the user waits for whenIdle(), and what comes later in the script waits with them. */
export type UserStep = AgentCommand | { readonly type: "await"; readonly name: "idle" } | InsideStep;

/** How the outside behaves, where the scenario's own way is not meant. Stands first, and is no delivery. */
export type OutsideStep = { readonly type: "outside" } & {
  readonly [Key in "chunks" | "slow" | "mayFail" | "decides" | "hangs"]?: OutsideOptions[Key] | undefined;
};

export type ScriptStep = UserStep | AgentReport | OutsideStep;
export type Script = readonly ScriptStep[];

// What came out of parseScript needs no second look: a scenario's body gets it once per execution.
const checked = new WeakMap<object, Script>();

/** Reads a script from JSON. Throws ScenarioError naming the step, what was expected and what was found. */
export function parseScript(json: unknown): Script {
  const known = typeof json === "object" && json !== null ? checked.get(json) : undefined;
  if (known !== undefined) return known;
  const read = scriptShape.safeParse(json);
  if (!read.success) throw new ScenarioError(`Cannot read the script${describeIssue(read.error)}`);
  const steps: Script = read.data;
  refuseEqualIds(steps);
  refuseLateOutside(steps);
  checked.set(steps, steps);
  return steps;
}

/** Two messages with one id could not be told apart in what they caused. */
function refuseEqualIds(steps: Script): void {
  const ids = new Set<string>();
  for (const [index, step] of steps.entries()) {
    const given = step.type === "inside" ? step.do : step;
    const id = given.type === "send" ? given.message.id : given.type === "maintain" ? given.activity : null;
    if (id !== null && ids.has(`${given.type} ${id}`)) {
      throw new ScenarioError(
        `Cannot read the script at step ${index + 1}: expected an id of its own, found ${JSON.stringify(id)} a second time`,
      );
    }
    ids.add(`${given.type} ${id}`);
  }
}

/** The outside is made before the first step. */
function refuseLateOutside(steps: Script): void {
  const late = steps.findIndex(({ type }, index) => type === "outside" && index > 0);
  if (late < 0) return;
  throw new ScenarioError(
    `Cannot read the script at step ${late + 1}: expected "outside" to be the first step; put it there, once`,
  );
}

function describeIssue(error: z.ZodError): string {
  const issue = error.issues[0];
  if (issue === undefined) return "";
  const [index, ...path] = issue.path;
  const where = typeof index === "number" ? ` at step ${index + 1}${path.length > 0 ? `, ${path.join(".")}` : ""}` : "";
  return `${where}: ${issue.message}`;
}

/** What the user does; the rest is how the outside behaves and answers. */
export function isUserStep(step: ScriptStep): step is UserStep {
  switch (step.type) {
    case "written":
    case "write-failed":
    case "proposed":
    case "stepped":
    case "maintained":
    case "outside":
      return false;
    default:
      return true;
  }
}

/** How the script wants the outside to be; empty where it does not say. */
export function outsideOf([first]: Script): Partial<OutsideOptions> {
  if (first?.type !== "outside") return {};
  const { type: _, ...said } = first;
  return Object.fromEntries(Object.entries(said).filter(([, value]) => value !== undefined));
}

/** Names the step in plain words: `send a`, `stop`, `stop and clear`, `retract a`, `inside turn/end, send b`. */
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
    case "inside":
      return `inside ${step.at}, ${labelOf(step.do)}`;
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

export function send(id: string, preset: Preset = "followUp"): AgentCommand {
  return { type: "send", message: { id, ...presets[preset] } };
}

export function cancel(cause: string, { keepInbox }: { readonly keepInbox: boolean }): AgentCommand {
  return { type: "cancel", cause, keepInbox };
}

/** A wake sent while a turn is being stopped: the smallest story that tells a good driver from a bad one. */
export const lateWake: readonly UserStep[] = [send("a"), cancel("stop", { keepInbox: true }), send("b")];
