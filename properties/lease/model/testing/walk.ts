/** Long random runs of the model as they are: names, fences and times are never told anew. */
import fc from "fast-check";
import type { LeaseEffect } from "../../../../core/lease/state.ts";
import type { LeaseBounds } from "../bounds.ts";
import type { LeaseModel, LeaseModelOptions } from "../lease-model.ts";
import type { Deed, LeaseWorld } from "../world.ts";

const bounds: Partial<LeaseBounds> = { approvals: 2, closes: 2, together: 5, misfits: 5, paths: 5, waitLimitMs: 2 };

export const options: fc.Arbitrary<LeaseModelOptions> = fc.record({
  policy: fc.record({
    conflict: fc.constantFrom<("queue" | "refuse")[]>("queue", "queue", "refuse"),
    queue: fc.constantFrom<("arrival" | "per-path")[]>("arrival", "per-path"),
    caseSensitive: fc.boolean(),
  }),
  bounds: fc.constant(bounds),
});
export const picks = fc.array(fc.nat(), { minLength: 60, maxLength: 120 });

export function inputsIn({ inputs }: LeaseModel, world: LeaseWorld): readonly Deed[] {
  const found: Deed[] = [];
  inputs(world, (deed) => found.push(deed));
  return found;
}

export type Taken = { readonly input: Deed; readonly effects: readonly LeaseEffect[] };

/** First the kind of input is picked, so that a release is as likely as any of many closes. */
export function walk(
  model: LeaseModel,
  picks: readonly number[],
  visit: (world: LeaseWorld) => void = () => {},
): readonly Taken[] {
  const steps: Taken[] = [];
  let state = model.initial;
  for (const pick of picks) {
    visit(state);
    const inputs = inputsIn(model, state);
    const kinds = [...new Set(inputs.map(({ type }) => type))];
    const kind = inputs.filter(({ type }) => type === kinds[pick % kinds.length]);
    const input = kind[Math.floor(pick / kinds.length) % kind.length];
    if (input === undefined) break;
    const step = model.step(state, input);
    steps.push({ input, effects: step.effects });
    state = step.state;
  }
  return steps;
}
