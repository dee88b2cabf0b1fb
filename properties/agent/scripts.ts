/** Scripts out of nowhere: what a hasty user might do to an agent, for fast-check to draw and to shrink. */
import fc from "fast-check";
import { streamSeed } from "../../sim/random.ts";
import {
  type Idea,
  presetNames,
  someCancel,
  someCommand,
  someInside,
  someRetract,
  someSend,
  someWindow,
  toScript,
} from "./ideas.ts";
import { isUserStep, type OutsideStep, presets, type Script, type ScriptStep } from "./script.ts";

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

/** Words of the contract whose commands are taken out; what it does not know takes nothing out. */
type Without = readonly string[];

/** Everything that a script can say but the answers of the outside; at most `most` steps of the user. */
export function checkScripts(most: number, without: Without = []): fc.Arbitrary<Script> {
  const one = (idea: Idea): readonly Idea[] => [idea];
  const any = fc.oneof(
    { weight: 8, arbitrary: someCommand(without).map(one) },
    { weight: 4, arbitrary: someWindow(without) },
    { weight: 4, arbitrary: someInside(without).map(one) },
    { weight: 1, arbitrary: fc.constant<Idea>({ type: "await" }).map(one) },
  );
  // Without a wake there is nothing to stop, to steer or to take back: most scripts begin with one.
  const wake: Idea = { type: "send", preset: "followUp" };
  const first = fc.oneof({ weight: 3, arbitrary: fc.constant(one(wake)) }, { weight: 1, arbitrary: any });
  const user = fc
    .tuple(first, fc.array(any, { minLength: Math.min(1, most - 1), maxLength: most - 1, size: "max" }))
    .map(([opening, rest]) => toScript([...opening, ...rest.flat()].slice(0, most)));
  return fc
    .tuple(fc.option(someOutside(without), { freq: 2 }), user)
    .map(([outside, steps]) => (outside === null ? steps : [outside, ...steps]));
}

function someOutside(without: Without): fc.Arbitrary<OutsideStep> {
  // Whoever does not wait for storage has records in flight side by side where it is slow.
  const writes = without.includes("write-faults") ? [] : (["notes", "turn-records"] as const);
  return fc
    .record({
      chunks: fc.constantFrom(1, 2),
      slow: fc.subarray<"notes" | "turn-records" | "proposals">(["proposals", ...writes]),
      mayFail: fc.subarray<"notes" | "turn-records" | "proposals" | "steps">(["proposals", "steps", ...writes]),
      decides: fc.boolean(),
      hangs: fc.constantFrom(false, false, false, true),
    })
    .map(
      (said): OutsideStep => ({
        type: "outside",
        ...(said.chunks > 1 && { chunks: said.chunks }),
        ...(said.slow.length > 0 && { slow: said.slow }),
        ...(said.mayFail.length > 0 && { mayFail: said.mayFail }),
        ...(said.decides && { decides: true }),
        ...(said.hangs && { hangs: true }),
      }),
    );
}

export type ScriptDraw = {
  readonly seed: string;
  readonly count: number;
  /** Steps of the user in one script; 6 unless said. */
  readonly most?: number;
  readonly without?: Without;
};

/** Draws scripts, no two of them equal; fewer than `count` only where there are no more. The same seed gives the same. */
export function drawScripts({ seed, count, most = 6, without = [] }: ScriptDraw): readonly Script[] {
  const [start] = streamSeed(`${seed}/scripts`, "world");
  const drawn = new Map<string, Script>();
  // So many rounds find all there are of a kind of which there are few.
  for (let round = 0; round < 20 && drawn.size < count; round++) {
    for (const script of fc.sample(checkScripts(most, without), { seed: start + round, numRuns: count })) {
      const key = JSON.stringify(script);
      if (script.some(isUserStep) && drawn.size < count && !drawn.has(key)) drawn.set(key, script);
    }
  }
  return [...drawn.values()];
}

/** Puts a script into one line, for the text of a failure. */
export function describeScript(script: Script): string {
  return script.map(describeStep).join(", ");
}

function describeStep(step: ScriptStep): string {
  switch (step.type) {
    case "send":
      return `${presetOf(step)} ${step.message.id}`;
    case "retract":
      return `retract ${step.id}`;
    case "cancel":
      return `cancel ${step.keepInbox ? "keep" : "clear"}`;
    case "inside":
      return `inside ${step.at}: ${describeStep(step.do)}`;
    case "outside": {
      const { type, ...said } = step;
      return `${type} ${JSON.stringify(said)}`;
    }
    default:
      return step.type;
  }
}

function presetOf({ message }: Extract<ScriptStep, { readonly type: "send" }>): string {
  const found = presetNames.find((name) => presets[name].lane === message.lane && presets[name].wake === message.wake);
  return found ?? "send";
}
