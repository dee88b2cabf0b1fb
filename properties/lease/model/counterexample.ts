/**
 * From a counterexample of the lease's model to a repro of its host. What the model finds may be something that no host says,
 * or something that is wrong inside and not yet seen by anybody: then the nearest run that a host can bring about, and that
 * breaks a promise which can be checked from outside, takes its place.
 */
import type { LeaseEffect, LeaseInput } from "../../../core/lease/state.ts";
import type { PossibleDelivery } from "../../../sim/execution.ts";
import { Explorer } from "../../../sim/model/explorer.ts";
import type { Violation } from "../../../sim/model/judge.ts";
import type { Trace } from "../../../sim/model/trace.ts";
import type { Scenario } from "../../../sim/scenario.ts";
import { counterexampleOf, type Move } from "../../counterexample.ts";
import type { Converted } from "../../proof.ts";
import { tickLabel } from "../hand-clock.ts";
import { type LeaseScript, type LeaseScriptStep, labelOf } from "../script.ts";
import { coreLeaseScript } from "../script-scenario.ts";
import { fromOutside, type Outside } from "./from-outside.ts";
import { type LeaseModel, type LeaseModelOptions, leaseModel, settingOf } from "./lease-model.ts";
import type { Setting } from "./rules.ts";
import { scriptOf } from "./script.ts";
import { describe } from "./words.ts";
import type { Deed, LeaseWorld } from "./world.ts";

type NamedMove = Move & { readonly name: string };
export type LeaseTrace = Trace<LeaseWorld, Deed, LeaseEffect>;

/** Inputs that may be added to a run to make it seen. */
const inputsMore = 2;
/** States in which a run that a host can bring about is looked for, where the counterexample is none. */
const statesMost = 200_000;

/** The counterexample on the host of the scenario, unless given that of the core. */
export async function leaseCounterexample(
  options: LeaseModelOptions,
  violation: Violation,
  trace: LeaseTrace,
  scenario: Scenario = coreLeaseScript,
): Promise<Converted> {
  const setting = settingOf(options);
  const found = await seenFromOutside(options, trace);
  if ("because" in found) return { repro: null, because: found.because };
  const { script, moves } = told(setting, found.inputs);
  return counterexampleOf(scenario, { script, moves, violation });
}

/** The run itself; or one that begins like it; or the shortest that a host can bring about, or one that begins like that. */
export async function seenFromOutside(
  options: LeaseModelOptions,
  trace: LeaseTrace,
): Promise<Outside | { readonly because: string }> {
  const own = nearest(options, trace);
  if (!("because" in own)) return own;
  const explorer = new Explorer(sayable(options));
  const { counterexample } = await explorer.run({ stateLimit: statesMost });
  if (counterexample === null) return own;
  const other = nearest(options, counterexample);
  return "because" in other ? own : other;
}

/** The model without what no host says. */
export function sayable(options: LeaseModelOptions): LeaseModel {
  const model = leaseModel(options);
  const { policy, reducer } = settingOf(options);
  return {
    ...model,
    inputs(world, emit) {
      model.inputs(world, (deed) => {
        if (isSayable(deed, world, (atMs) => (reducer.nextDeadlineMs(policy, world.lease) ?? Infinity) <= atMs)) {
          emit(deed);
        }
      });
    },
  };
}

function isSayable(deed: Deed, { lease, told }: LeaseWorld, isDueBy: (atMs: number) => boolean): boolean {
  switch (deed.type) {
    case "request":
      return !told.has(deed.call);
    case "approve":
    case "deny":
      return lease.calls.get(deed.call)?.stage === "approving";
    case "abort":
      return told.get(deed.call) === "asked";
    case "release":
      return lease.calls.get(deed.call)?.fence === deed.fence;
    case "finish":
      return lease.children.get(deed.child)?.fence === deed.fence;
    case "tick":
      return isDueBy(deed.atMs);
    default:
      return true;
  }
}

/** The shortest run that begins with this one and is seen from outside. */
function nearest(options: LeaseModelOptions, { steps, initial }: LeaseTrace): Outside | { readonly because: string } {
  const { policy, reducer } = settingOf(options);
  const seen = (run: LeaseTrace["steps"]) => fromOutside(reducer, policy, scriptOf({ steps: run }).inputs);
  const own = seen(steps);
  if ("because" in own || own.broken !== null) return own;
  const model = sayable(options);
  let level: readonly LeaseTrace["steps"][] = [steps];
  for (let more = 0; more < inputsMore; more += 1) {
    const next: LeaseTrace["steps"][] = [];
    for (const run of level) {
      const before = run.at(-1)?.state ?? initial;
      const deeds: Deed[] = [];
      model.inputs(before, (deed) => deeds.push(deed));
      for (const input of deeds) {
        const { state, effects } = model.step(before, input);
        const longer = [...run, { input, text: describe(input), effects, state }];
        const outside = seen(longer);
        if ("because" in outside) continue;
        if (outside.broken !== null) return outside;
        next.push(longer);
      }
    }
    level = next;
  }
  return { because: `nothing of it is seen from outside, with ${inputsMore} more inputs neither` };
}

/** What the application does and the clock brings, in the order of the run. */
export function told(
  { policy }: Pick<Setting, "policy">,
  inputs: readonly LeaseInput[],
): { readonly script: LeaseScript; readonly moves: readonly NamedMove[] } {
  const steps: LeaseScriptStep[] = [];
  const moves: NamedMove[] = [];
  const places = new Map<string, number>();
  const say = (step: LeaseScriptStep): void => {
    const label = labelOf(step);
    const place = (places.get(label) ?? 0) + 1;
    places.set(label, place);
    steps.push(step);
    moves.push(moveTo(label, `user:${label}#${place}`));
  };
  let ticks = 0;
  let nowMs = 0;
  for (const input of inputs) {
    if ("atMs" in input && input.atMs > nowMs) {
      say({ type: "wait", ms: input.atMs - nowMs });
      nowMs = input.atMs;
    }
    if (input.type === "tick") moves.push(moveTo("tick", `${tickLabel}#${++ticks}`));
    else say(withoutTime(input));
  }
  return { script: [{ type: "policy", ...policy }, ...steps], moves };
}

function moveTo(text: string, name: string): NamedMove {
  return { text, name, fits: (delivery: PossibleDelivery) => delivery.name === name };
}

function withoutTime(input: Exclude<LeaseInput, { readonly type: "tick" }>): LeaseScriptStep {
  switch (input.type) {
    case "request":
    case "approve":
    case "abort":
    case "spawn":
    case "close": {
      const { atMs: _, ...step } = input;
      return step.type === "spawn" ? { ...step, paths: [...step.paths] } : step;
    }
    default:
      return input;
  }
}
