/** What fast-check draws: ideas, which become the steps of a script when it is known what was sent before them. */
import fc from "fast-check";
import type { AgentCommand } from "../../core/agent/state.ts";
import { type InsidePlace, type Preset, presets, type Script, type ScriptStep } from "./script.ts";
import type { Word } from "./words.ts";

export type CommandIdea =
  | { readonly type: "send"; readonly preset: Preset }
  /** Takes back one of the messages sent so far, counted from the newest. */
  | { readonly type: "retract"; readonly back: number }
  | { readonly type: "cancel"; readonly keepInbox: boolean }
  | { readonly type: "dispose" | "maintain" };
export type Idea =
  | CommandIdea
  | { readonly type: "await" }
  | { readonly type: "inside"; readonly at: InsidePlace; readonly do: CommandIdea };

export const presetNames: readonly Preset[] = ["followUp", "steer", "inject", "queue"];
export const someSend = fc.constantFrom(...presetNames).map((preset): Idea => ({ type: "send", preset }));
export const someCancel = fc.constantFrom(true, false).map((keepInbox): Idea => ({ type: "cancel", keepInbox }));
export const someRetract = fc.nat({ max: 2 }).map((back): Idea => ({ type: "retract", back }));

type Weighed<Value> = { readonly weight: number; readonly needs: readonly Word[]; readonly value: Value };

// A prompt starts what everything else is about; stops are as many as what they strike.
const commandIdeas: readonly Weighed<CommandIdea>[] = [
  { weight: 6, needs: [], value: { type: "send", preset: "followUp" } },
  { weight: 3, needs: ["next-step"], value: { type: "send", preset: "steer" } },
  { weight: 2, needs: ["next-step", "inject"], value: { type: "send", preset: "inject" } },
  { weight: 1, needs: ["queue"], value: { type: "send", preset: "queue" } },
  { weight: 4, needs: ["cancel-keep"], value: { type: "cancel", keepInbox: true } },
  { weight: 2, needs: ["cancel-clear"], value: { type: "cancel", keepInbox: false } },
  { weight: 2, needs: ["retract"], value: { type: "retract", back: 0 } },
  { weight: 1, needs: ["retract"], value: { type: "retract", back: 1 } },
  { weight: 1, needs: ["dispose"], value: { type: "dispose" } },
  { weight: 2, needs: ["maintenance"], value: { type: "maintain" } },
];
const places: readonly InsidePlace[] = ["turn/end", "idle", "running", "claimed", "turn/start", "canceled"];

const prompt: CommandIdea = { type: "send", preset: "followUp" };
const stop: CommandIdea = { type: "cancel", keepInbox: true };
/** What a window is about only shows when several commands follow each other. */
const windows: readonly Weighed<readonly CommandIdea[]>[] = [
  { weight: 2, needs: ["cancel-keep"], value: [stop, prompt] },
  { weight: 1, needs: ["cancel-keep"], value: [stop, stop] },
  { weight: 1, needs: ["cancel-keep"], value: [stop, prompt, stop] },
  { weight: 2, needs: ["cancel-keep", "retract"], value: [stop, prompt, { type: "retract", back: 0 }] },
  { weight: 1, needs: ["cancel-keep", "cancel-clear"], value: [stop, prompt, { type: "cancel", keepInbox: false }] },
  { weight: 1, needs: ["cancel-keep", "next-step"], value: [stop, { type: "send", preset: "steer" }] },
  { weight: 1, needs: ["cancel-keep", "dispose"], value: [stop, prompt, { type: "dispose" }] },
  { weight: 1, needs: ["maintenance"], value: [{ type: "maintain" }, prompt] },
  { weight: 1, needs: ["maintenance", "cancel-keep"], value: [{ type: "maintain" }, stop, prompt] },
  { weight: 1, needs: ["retract"], value: [prompt, { type: "retract", back: 0 }] },
  { weight: 1, needs: [], value: [prompt, prompt] },
];

/** One command, of those that `without` leaves. */
export function someCommand(without: readonly string[]): fc.Arbitrary<CommandIdea> {
  return oneOf(commandIdeas, without, prompt);
}

/** A few commands in a row, which together get into a window. */
export function someWindow(without: readonly string[]): fc.Arbitrary<readonly CommandIdea[]> {
  return oneOf(windows, without, [prompt]);
}

function oneOf<Value>(
  all: readonly Weighed<Value>[],
  without: readonly string[],
  otherwise: Value,
): fc.Arbitrary<Value> {
  const [first, ...rest] = all
    .filter(({ needs }) => !needs.some((need) => without.includes(need)))
    .map(({ weight, value }) => ({ weight, arbitrary: fc.constant(value) }));
  return first === undefined ? fc.constant(otherwise) : fc.oneof(first, ...rest);
}

/** A command from inside a call of a port, wherever. */
export function someInside(without: readonly string[]): fc.Arbitrary<Idea> {
  return fc
    .tuple(fc.constantFrom(...places), someCommand(without))
    .map(([at, command]): Idea => ({ type: "inside", at, do: command }));
}

/** Gives ids in the order of sending: a, b, c and so on. A retract with nothing to take back falls away. */
export function toScript(ideas: readonly Idea[]): Script {
  const ids: string[] = [];
  return ideas.flatMap((idea, index): readonly ScriptStep[] => {
    if (idea.type === "await") return [{ type: "await", name: "idle" }];
    const command = toCommand(idea.type === "inside" ? idea.do : idea, ids, index);
    if (command === null) return [];
    return [idea.type === "inside" ? { type: "inside", at: idea.at, do: command } : command];
  });
}

function toCommand(idea: CommandIdea, ids: string[], index: number): AgentCommand | null {
  switch (idea.type) {
    case "send": {
      const id = String.fromCharCode("a".charCodeAt(0) + ids.length);
      ids.push(id);
      return { type: "send", message: { id, ...presets[idea.preset] } };
    }
    case "retract": {
      const id = ids.at(-1 - idea.back);
      return id === undefined ? null : { type: "retract", id };
    }
    case "cancel":
      return { type: "cancel", cause: "stop", keepInbox: idea.keepInbox };
    case "dispose":
      return { type: "dispose" };
    case "maintain":
      return { type: "maintain", activity: `task ${index}` };
  }
}
