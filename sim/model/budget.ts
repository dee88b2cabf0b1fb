/**
 * A model with a budget: counters that say how often some inputs may still come, and nothing else. Such a model is written
 * as if nothing ever ran out, with a price for what does; its environment, reducer, invariants and goals are never given the
 * counters, so what they answer for a state they answer for every count (`sweep.ts`). `withBudget()` makes of it the model
 * that is meant, for whoever explores state by state.
 */
import { literal } from "./literal.ts";
import type { Model } from "./model.ts";
import { integer, record, type Schema, SchemaError } from "./schema.ts";

export type Budget = Readonly<Record<string, number>>;

/** `inputs()` offers everything, whatever it costs. An input that changes nothing costs nothing, whatever its price. */
export type BudgetedModel<State, Input, Effect> = Omit<Model<State, Input, Effect>, "canonical"> & {
  /** How often what has a price may come in one run. */
  readonly budget: Budget;
  /** The counter that an input takes one off; null if it is free. */
  price(state: State, input: Input): string | null;
};

export type Spending = { readonly left: Budget };

export function withBudget<State extends object, Input, Effect>(
  model: BudgetedModel<State, Input, Effect>,
): Model<State & Spending, Input, Effect> {
  const join = joined<State>(model.schema);
  return {
    ...model,
    initial: join(model.initial, model.budget),
    schema: spendingSchema(model),
    inputs(state, emit) {
      model.inputs(state, (input) => {
        const price = model.price(state, input);
        if (price === null || (state.left[price] ?? 0) > 0) emit(input);
      });
    },
    step(before, input) {
      const { state, effects } = model.step(before, input);
      if (state === before) return { state: before, effects };
      return { state: join(state, spent(before.left, model.price(before, input))), effects };
    },
  };
}

/** As `{ ...state, left }`, in straight code: all states have one hidden class, without which packing them takes twice as long. */
function joined<State>({ shape }: Schema<State>): (state: State, left: Budget) => State & Spending {
  const fields = shape.kind === "record" ? shape.fields : [];
  const straight = fields.every(({ optional }) => !optional);
  const members = straight ? fields.map(({ name }) => `${literal(name)}: state[${literal(name)}]`) : ["...state"];
  const made: (state: State, left: Budget) => State & Spending = new Function(
    `"use strict"; return (state, left) => ({ ${members.join(", ")}, left });`,
  )();
  return made;
}

function spent(left: Budget, price: string | null): Budget {
  if (price === null) return left;
  // Copied and then set: a literal with a computed key is several times slower.
  const rest: Record<string, number> = { ...left };
  rest[price] = (rest[price] ?? 0) - 1;
  return rest;
}

function spendingSchema<State extends object>({
  name,
  schema: { shape },
  budget,
}: Pick<BudgetedModel<State, unknown, unknown>, "name" | "schema" | "budget">): Schema<State & Spending> {
  if (shape.kind !== "record") throw new SchemaError(`Cannot give "${name}" a budget: expected a record as its state`);
  const counters = record(
    Object.fromEntries(Object.entries(budget).map(([counter, most]) => [counter, integer(0, most)])),
  );
  return {
    shape: { kind: "record", fields: [...shape.fields, { name: "left", shape: counters.shape, optional: false }] },
  };
}
