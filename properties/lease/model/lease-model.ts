/** The lease contract as a model: every run of the reducer that ships, or of a mutant of it, within the bounds. */
import { nextDeadlineMs } from "../../../core/lease/deadline.ts";
import { mayWrite } from "../../../core/lease/may-write.ts";
import { defaultPolicy, initialState, type LeaseEffect, type LeasePolicy } from "../../../core/lease/state.ts";
import { transition } from "../../../core/lease/transition.ts";
import type { Model } from "../../../sim/model/model.ts";
import { defaultBounds, type LeaseBounds } from "./bounds.ts";
import { inputsOf } from "./environment.ts";
import { goalsOf } from "./goals.ts";
import { groundOf, mostPaths } from "./ground.ts";
import { fenceGrows, staleFencesCannotWrite } from "./invariants/fences.ts";
import { intentsBalance } from "./invariants/intents.ts";
import { parentChildExclusive, singleWriter } from "./invariants/leases.ts";
import { misfitsChangeNothing } from "./invariants/misfits.ts";
import { noGrantToTheDead, oneOutcome, progress, tableAsTold } from "./invariants/outcomes.ts";
import { overlapIsTold } from "./invariants/overlap.ts";
import { arrivalOrder, controlCallsPass, noIdleWaiter, siblingCallsQueue } from "./invariants/queue.ts";
import { refusedForCause, spawnAllOrNothing } from "./invariants/refusals.ts";
import {
  boundedWait,
  closeLeavesNothing,
  keepsItsLease,
  quiescent,
  tickInTime,
  tickOnlyThen,
} from "./invariants/time.ts";
import { normalForm } from "./normal-form.ts";
import type { Setting } from "./rules.ts";
import { schemaOf } from "./schema.ts";
import { describe } from "./words.ts";
import { type Deed, type LeaseReducer, type LeaseWorld, stepOf } from "./world.ts";

export type LeaseModel = Model<LeaseWorld, Deed, LeaseEffect>;
export type LeaseModelOptions = {
  /** Its two limits are those of the bounds. */
  readonly policy?: Partial<Pick<LeasePolicy, "caseSensitive" | "conflict" | "queue">>;
  readonly bounds?: Partial<LeaseBounds>;
  /** What is judged; the core's own unless given. */
  readonly reducer?: LeaseReducer;
  /** Only these invariants. All of them unless given. */
  readonly only?: readonly string[];
};

export const core: LeaseReducer = { transition, nextDeadlineMs, mayWrite };

export function leaseModel(options: LeaseModelOptions = {}): LeaseModel {
  const setting = settingOf(options);
  const { policy, bounds, ground, reducer } = setting;
  const named = <Rule extends { readonly name: string }>(rules: readonly Rule[]) =>
    rules.filter(({ name }) => options.only?.includes(name) ?? true);
  return {
    name: nameOf(policy),
    bounds,
    initial: initialWorld,
    schema: schemaOf(policy, bounds, ground),
    inputs: inputsOf({ policy, bounds, ground, strangers: true }),
    step: stepOf(reducer, policy),
    canonical: normalForm(policy, bounds, ground, "renamed"),
    always: named([
      singleWriter(setting),
      parentChildExclusive(setting),
      noIdleWaiter(setting),
      tableAsTold(setting),
      staleFencesCannotWrite(setting),
      tickInTime(setting),
    ]),
    everyStep: named([
      siblingCallsQueue(setting),
      arrivalOrder(setting),
      controlCallsPass(setting),
      oneOutcome(setting),
      noGrantToTheDead(setting),
      intentsBalance(setting),
      boundedWait(setting),
      closeLeavesNothing(setting),
      keepsItsLease(setting),
      fenceGrows(setting),
      spawnAllOrNothing(setting),
      refusedForCause(setting),
      misfitsChangeNothing(setting),
      overlapIsTold(setting),
      tickOnlyThen(setting),
    ]),
    atQuiescence: named([progress(setting)]),
    quiescent,
    goals: goalsOf(setting),
    describe,
  };
}

export function settingOf({ policy, bounds, reducer = core }: LeaseModelOptions): Setting {
  const asked = { ...defaultBounds, ...bounds };
  const sizes = { ...asked, paths: Math.min(Math.max(asked.paths, 1), mostPaths) };
  const { waitLimitMs, stuckLimitMs } = sizes;
  const rules: LeasePolicy = { ...defaultPolicy, ...policy, waitLimitMs, stuckLimitMs };
  return { policy: rules, bounds: sizes, ground: groundOf(rules, sizes.paths), reducer };
}

/** Before anybody asked. Its fences begin at 1, as in life; packed it is in the normal form like every state. */
export const initialWorld: LeaseWorld = { lease: initialState(), told: new Map(), nowMs: 0 };

function nameOf({ conflict, queue, caseSensitive }: LeasePolicy): string {
  return `lease: conflict ${conflict}, queue ${queue}, case ${caseSensitive ? "counts" : "does not count"}`;
}
