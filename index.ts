/** The front door: make a scenario, explore it, replay what was found. */

export type { Drift, Guesses as DriftGuesses, Why as DriftWhy } from "./repro/drift.ts";
export type { ExtraExecutions } from "./repro/explain.ts";
export { type ExploreResult, explore } from "./repro/explore.ts";
export type { Answer as ReplayAnswer } from "./repro/follow.ts";
export type { LookAlike } from "./repro/look-alike.ts";
export type { NewComes } from "./repro/recorded-order.ts";
export { type ReplayOptions, type ReplayResult, replay } from "./repro/replay.ts";
export { type FoundBy, type Repro, ReproError } from "./repro/repro.ts";
export { readRepro, writeRepro } from "./repro/repro-file.ts";
export type { Taken } from "./repro/shifts.ts";
export type { FirstDifference } from "./repro/strict.ts";
export type {
  AskedStack,
  FirstDifference as SwapFirstDifference,
  PlacedNote,
  StackFrame,
  Swap,
  SwapDifference,
  SwapPlace,
  SwapSide,
  SwapStep,
} from "./repro/swap.ts";
export type { LastNote, StruckStack, Telling, ToldChoice } from "./repro/telling.ts";
export { ExploreOptionsError } from "./sim/bounds.ts";
export type { TraceNote } from "./sim/execution.ts";
export { FakeTimersError } from "./sim/native/realm/fake-timers.ts";
export type {
  Certificate,
  EngineName,
  Estimate,
  ExploreOptions,
  Fault,
  HowEnded,
  KeptGoing,
  Level,
  MadePromise,
  Mistaken,
  Ordering,
  RaceCoverage,
  RacePair,
  Reached,
  Rejecter,
  Rejection,
  SourceLocation,
  StrategyName,
  Undeclared,
  Until,
  Verdict,
  Violation,
  ViolationKind,
  Wait,
  WaitGraph,
  WaitLink,
  WaitRoot,
} from "./sim/result.ts";
export {
  type EventStep,
  type IoOptions,
  type Scenario,
  type ScenarioBody,
  ScenarioError,
  type ScenarioOptions,
  type ScriptSchema,
  scenario,
  type Touches,
  type World,
} from "./sim/scenario.ts";
export type { Unviolated } from "./sim/search.ts";
