/** Generated values and explored schedules in one property; scripts from an arbitrary; a scheduler in place of fast-check's. */

export type { CheckedResult } from "./checked.ts";
export * as fc from "./fc.ts";
export type { GenerationParameters } from "./parameters.ts";
export {
  type Arbitraries,
  type RaceBody,
  type RaceProperty,
  type RacePropertyOptions,
  raceProperty,
} from "./race-property.ts";
export { RacePropertyError } from "./race-property-error.ts";
export { scheduler } from "./scheduler.ts";
export { type ScriptedOptions, scripted } from "./scripted.ts";
