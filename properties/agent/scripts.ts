/** Scripts out of nowhere: what a hasty user might do to an agent, for fast-check to draw and to shrink. */
import fc from "fast-check";
import { type Preset, presets, type Script, type ScriptStep, send } from "./script.ts";

type Idea =
  | { readonly type: "send"; readonly preset: Preset }
  /** Takes back one of the messages sent so far, counted from the newest. */
  | { readonly type: "retract"; readonly back: number }
  | { readonly type: "cancel"; readonly keepInbox: boolean }
  | { readonly type: "dispose" | "maintain" | "await" };

const presetNames: readonly Preset[] = ["followUp", "steer", "inject", "queue"];
const someSend = fc.constantFrom(...presetNames).map((preset): Idea => ({ type: "send", preset }));
const someCancel = fc.constantFrom(true, false).map((keepInbox): Idea => ({ type: "cancel", keepInbox }));
const someRetract = fc.nat({ max: 2 }).map((back): Idea => ({ type: "retract", back }));

/** What every agent takes, weighed so that scripts have about as many stops as sends. */
const everyday = [
  { weight: 5, arbitrary: someSend },
  { weight: 4, arbitrary: someCancel },
  { weight: 1, arbitrary: someRetract },
];

/** Sends in all four ways, stops that keep or clear the inbox (two in a row, too), and retracts; at most `most` steps. */
export function scripts(most: number): fc.Arbitrary<Script> {
  return fc.array(fc.oneof(...everyday), { minLength: 1, maxLength: most }).map(toScript);
}

/** Adds what only a whole agent offers: maintenance, disposal, and a user who waits. */
export function wholeScripts(most: number): fc.Arbitrary<Script> {
  const rare = fc
    .constantFrom<"dispose" | "maintain" | "await">("dispose", "maintain", "await")
    .map((type): Idea => ({ type }));
  return fc
    .array(fc.oneof(...everyday, { weight: 2, arbitrary: rare }), { minLength: 1, maxLength: most })
    .map(toScript);
}

/** Gives ids in the order of sending: a, b, c and so on. A retract with nothing to take back falls away. */
function toScript(ideas: readonly Idea[]): Script {
  const script: ScriptStep[] = [];
  const ids: string[] = [];
  for (const idea of ideas) {
    switch (idea.type) {
      case "send": {
        const id = String.fromCharCode("a".charCodeAt(0) + ids.length);
        ids.push(id);
        script.push(send(id, idea.preset));
        break;
      }
      case "retract": {
        const id = ids.at(-1 - idea.back);
        if (id !== undefined) script.push({ type: "retract", id });
        break;
      }
      case "cancel":
        script.push({ type: "cancel", cause: "stop", keepInbox: idea.keepInbox });
        break;
      case "dispose":
        script.push({ type: "dispose" });
        break;
      case "maintain":
        script.push({ type: "maintain", activity: `task ${script.length}` });
        break;
      case "await":
        script.push({ type: "await", name: "idle" });
        break;
    }
  }
  return script;
}

/** Puts a script into one line, for the text of a failure. */
export function describeScript(script: Script): string {
  return script
    .map((step) => (step.type === "send" ? `${presetOf(step)} ${step.message.id}` : describeStep(step)))
    .join(", ");
}

function presetOf({ message }: Extract<ScriptStep, { readonly type: "send" }>): string {
  const found = presetNames.find((name) => presets[name].lane === message.lane && presets[name].wake === message.wake);
  return found ?? "send";
}

function describeStep(step: Exclude<ScriptStep, { readonly type: "send" }>): string {
  switch (step.type) {
    case "retract":
      return `retract ${step.id}`;
    case "cancel":
      return `cancel ${step.keepInbox ? "keep" : "clear"}`;
    default:
      return step.type;
  }
}
