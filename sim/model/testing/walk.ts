/** A walker on a ring who pays for some of its ways: a model with a budget, as small as a test needs it. */
import type { BudgetedModel } from "../budget.ts";
import { flag, integer, record } from "../schema.ts";

export type Walk = { readonly at: number; readonly tired: boolean };
export type Way = "on" | "ride" | "jump" | "rest" | "stay";

/** `on` is free, `ride` and `jump` are paid for; `stay` has a price and changes nothing. */
export const walk: BudgetedModel<Walk, Way, string> = {
  name: "walk",
  bounds: {},
  initial: { at: 0, tired: false },
  schema: record({ at: integer(0, 11), tired: flag }),
  budget: { rides: 3, jumps: 2, nights: 1 },
  inputs({ at, tired }, emit) {
    if (!tired) emit("on");
    emit("ride");
    if (at % 2 === 0) emit("jump");
    emit("rest");
    emit("stay");
  },
  price(_walk, way) {
    return way === "ride" || way === "stay" ? "rides" : way === "jump" ? "jumps" : null;
  },
  step(walk, way) {
    switch (way) {
      case "on":
        return { state: { at: Math.min(walk.at + 1, 11), tired: walk.at % 3 === 2 }, effects: [] };
      case "ride":
        return { state: { at: (walk.at + 5) % 12, tired: false }, effects: ["ridden"] };
      case "jump":
        return { state: { at: Math.min(walk.at + 2, 11), tired: true }, effects: [] };
      case "rest":
        return { state: walk.tired ? { ...walk, tired: false } : walk, effects: [] };
      case "stay":
        return { state: walk, effects: ["stayed"] };
    }
  },
  always: [],
  everyStep: [],
  atQuiescence: [],
  quiescent: () => false,
  goals: [
    { name: "ridden", reached: (_before, _way, _after, effects) => effects.includes("ridden") },
    { name: "rides from 11", reached: ({ at }, way) => at === 11 && way === "ride" },
    { name: "jumps from 8, tired", reached: ({ at, tired }, way) => at === 8 && tired && way === "jump" },
    { name: "never", reached: ({ at }) => at > 11 },
  ],
  describe: (way) => way,
};
