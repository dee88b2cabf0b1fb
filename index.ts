/** The front door: make a scenario, explore it, replay what was found. */

export type { Drift } from "./repro/drift.ts";
export { type ExploreResult, explore } from "./repro/explore.ts";
export { type ReplayResult, replay } from "./repro/replay.ts";
export { type Repro, ReproError } from "./repro/repro.ts";
export { readRepro, writeRepro } from "./repro/repro-file.ts";
export { ExploreOptionsError } from "./sim/bounds.ts";
export { FakeTimersError } from "./sim/native/realm/fake-timers.ts";
export type {
  Certificate,
  EngineName,
  Estimate,
  ExploreOptions,
  Fault,
  Level,
  Ordering,
  Reached,
  SourceLocation,
  StrategyName,
  Verdict,
  Violation,
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
