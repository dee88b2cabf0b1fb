import { restore } from "./agent/restore.ts";
import { defaultPolicy, initialState, transition } from "./agent/transition.ts";

/** The front door of the reference core: pure reducers, and one host for each. */

export const agent = { initialState, transition, restore, defaultPolicy };
export type { GoalEffect, GoalInput, GoalState, GoalStep } from "./agent/goal.ts";
export { createGoalDriver, type GoalDriver, type GoalOptions } from "./agent/goal-driver.ts";
export { createAgent } from "./agent/host.ts";
export {
  type Agent,
  AgentBusyError,
  type AgentErrorSource,
  type AgentPorts,
  type AgentStatus,
  type Receipt,
  type StepRequest,
} from "./agent/ports.ts";
export { RestoreError } from "./agent/restore.ts";
export { session } from "./agent/session.ts";
export type {
  AgentCommand,
  AgentEffect,
  AgentInput,
  AgentPolicy,
  AgentRecord,
  AgentRefusal,
  AgentReport,
  AgentState,
  AgentStep,
  Decision,
  Maintenance,
  Message,
  Note,
  Phase,
  Running,
  Stage,
  StepOutcome,
  Stop,
  TurnEndReason,
  TurnRecord,
} from "./agent/state.ts";
export { subagent } from "./agent/subagent.ts";
export { AbortError, LeaseRefusedError, LeaseTimeoutError } from "./lease/errors.ts";
export { createLeaseScheduler } from "./lease/host.ts";
export { lease } from "./lease/lease.ts";
export type { LeaseUse } from "./lease/may-write.ts";
export type { LeaseClock, LeasePorts } from "./lease/ports.ts";
export type { AcquireOptions, Claim, Grant, LeaseScheduler, SpawnOptions } from "./lease/scheduler.ts";
export type {
  Footprint,
  LeaseCall,
  LeaseChild,
  LeaseEffect,
  LeaseInput,
  LeasePolicy,
  LeaseRefusal,
  LeaseState,
  LeaseStep,
} from "./lease/state.ts";
export type { EndedEffect, Language } from "./messages/refusal-text.ts";
export { InputError } from "./shape.ts";
