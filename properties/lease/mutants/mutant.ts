/**
 * How a mutant is made without a copy of the core: it changes what goes into the shipping transition, or what comes out, at
 * one type of input.
 */
import type {
  LeaseCall,
  LeaseChild,
  LeaseEffect,
  LeaseInput,
  LeasePolicy,
  LeaseState,
  LeaseStep,
} from "../../../core/lease/state.ts";
import { core } from "../model/lease-model.ts";
import type { LeaseReducer } from "../model/world.ts";

export type LeaseMutant = LeaseReducer & {
  readonly name: string;
  /** What is changed. */
  readonly rule: string;
  /** Under which the mutant shows; the default policy unless given. */
  readonly policy?: Partial<Pick<LeasePolicy, "caseSensitive" | "conflict" | "queue">>;
  /** Why no run shows it. */
  readonly survives?: string;
};

type Transition = LeaseReducer["transition"];
type Type = LeaseInput["type"];
type Changed = Partial<LeaseReducer> & Pick<LeaseMutant, "policy" | "survives">;

/** The one that ships. */
export const { transition } = core;

export function mutant(name: string, rule: string, changed: Changed): LeaseMutant {
  return { ...core, ...changed, name, rule };
}

/** Changes what happens at one type of input, and nothing else. */
export function on<Of extends Type>(
  type: Of,
  changed: (policy: LeasePolicy, state: LeaseState, input: Extract<LeaseInput, { readonly type: Of }>) => LeaseStep,
): Transition {
  return (policy, state, input) =>
    isOf(input, type) ? changed(policy, state, input) : transition(policy, state, input);
}

function isOf<Of extends Type>(input: LeaseInput, type: Of): input is Extract<LeaseInput, { readonly type: Of }> {
  return input.type === type;
}

/** Nobody is granted: the pump finds no queue. Who is still there waits on. */
export function withoutPumpOn(type: Type): Transition {
  return on(type, (policy, state, input) => {
    const { state: after, effects } = transition(policy, { ...state, queue: [] }, input);
    return { state: { ...after, queue: state.queue.filter((id) => after.calls.has(id)) }, effects };
  });
}

type Which = {
  readonly call?: (call: LeaseCall) => boolean;
  readonly child?: (child: LeaseChild) => boolean;
};

/** A transition that takes these for leases on nothing. */
export function overlooking(
  { call: calls = () => false, child: children = () => false }: Which,
  policy: LeasePolicy,
  state: LeaseState,
  input: LeaseInput,
): LeaseStep {
  const step = transition(
    policy,
    {
      ...state,
      calls: mapped(state.calls, (call) => (calls(call) ? { ...call, footprint: { kind: "none" } } : call)),
      children: mapped(state.children, (child) => (children(child) ? { ...child, paths: [] } : child)),
      // Somebody on nothing would be granted at once.
      queue: input.type === "spawn" ? [] : state.queue,
    },
    input,
  );
  if (isRefused(step)) return { ...step, state };
  const after: LeaseState = {
    ...step.state,
    calls: mapped(step.state.calls, (call, id) => ({
      ...call,
      footprint: state.calls.get(id)?.footprint ?? call.footprint,
    })),
    children: mapped(step.state.children, (child, id) => ({
      ...child,
      paths: state.children.get(id)?.paths ?? child.paths,
    })),
    queue: input.type === "spawn" ? state.queue : step.state.queue,
  };
  return { ...step, state: after };
}

function mapped<Value>(
  map: ReadonlyMap<string, Value>,
  change: (value: Value, id: string) => Value,
): ReadonlyMap<string, Value> {
  return new Map([...map].map(([id, value]) => [id, change(value, id)]));
}

/** A transition that does not touch these calls. */
export function sparing(
  spared: (call: LeaseCall) => boolean,
  policy: LeasePolicy,
  state: LeaseState,
  input: LeaseInput,
): LeaseStep {
  const others = new Map([...state.calls].filter(([, call]) => !spared(call)));
  const queue = state.queue.filter((id) => others.has(id));
  const step = transition(policy, { ...state, calls: others, queue }, input);
  const calls = inOrder(state.calls, step.state.calls, spared);
  const waits = (id: string) => calls.get(id)?.stage === "waiting";
  return { ...step, state: { ...step.state, calls, queue: state.queue.filter(waits) } };
}

/** The old ones that are still there or were not seen, then the new ones. */
function inOrder<Value>(
  before: ReadonlyMap<string, Value>,
  after: ReadonlyMap<string, Value>,
  unseen: (value: Value) => boolean,
): ReadonlyMap<string, Value> {
  const all = new Map<string, Value>();
  for (const [id, value] of before) {
    const now = after.get(id) ?? (unseen(value) ? value : undefined);
    if (now !== undefined) all.set(id, now);
  }
  for (const [id, value] of after) all.set(id, value);
  return all;
}

export const isFile = ({ footprint }: LeaseCall) => footprint.kind === "file";
export const isOpen = (state: LeaseState, owner: string) => !state.closed.has(owner);

/** As if nobody had closed: nothing counts as stuck. */
export function withoutFencing(policy: LeasePolicy, state: LeaseState, input: LeaseInput): LeaseStep {
  const step = transition(policy, { ...state, closed: new Map() }, input);
  return { ...step, state: { ...step.state, closed: state.closed } };
}

export function change(state: LeaseState, id: string, more: Partial<LeaseCall>): LeaseState {
  const call = state.calls.get(id);
  return call === undefined ? state : { ...state, calls: new Map(state.calls).set(id, { ...call, ...more }) };
}

export function isRefused({ effects }: LeaseStep): boolean {
  return effects.some(({ type }) => type === "refused");
}

export const silenced = (step: LeaseStep, ...types: readonly LeaseEffect["type"][]): LeaseStep => ({
  ...step,
  effects: step.effects.filter(({ type }) => !types.includes(type)),
});
