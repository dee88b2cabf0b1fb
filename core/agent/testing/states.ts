import type { AgentPolicy, AgentState, Maintenance, Message, Note, Running, TurnRecord } from "../state.ts";
import { defaultPolicy, initialState } from "../transition.ts";

/** Short names for the values that the tables of the tests are made of. */

export const followUp = (id: string): Message => ({ id, lane: "next-turn", wake: true });
export const queued = (id: string): Message => ({ id, lane: "next-turn", wake: false });
export const steer = (id: string): Message => ({ id, lane: "next-step", wake: true });
export const context = (id: string): Message => ({ id, lane: "next-step", wake: false });

/** Builds a state at idle, changed as the test says. */
export const idle = (changes: Partial<AgentState> = {}): AgentState => ({ ...initialState, ...changes });

/** Builds a state with a driver in stage stepping of turn 1, changed as the test says. */
export const driving = (phase: Partial<Running>, changes: Partial<AgentState> = {}): AgentState => ({
  ...initialState,
  lastTurn: 1,
  phase: {
    kind: "running",
    stage: "stepping",
    turn: 1,
    step: 1,
    batch: [],
    outcome: null,
    natural: false,
    stop: null,
    latched: [],
    ...phase,
  },
  ...changes,
});

export const opening = (phase: Partial<Running> = {}, changes: Partial<AgentState> = {}): AgentState =>
  driving({ stage: "opening", step: 0, ...phase }, { lastTurn: 0, ...changes });

export const proposing = (batch: readonly Message[], phase: Partial<Running> = {}, changes: Partial<AgentState> = {}) =>
  driving({ stage: "proposing", batch, ...phase }, changes);

export const closing = (phase: Partial<Running> = {}, changes: Partial<AgentState> = {}): AgentState =>
  driving({ stage: "closing", outcome: { kind: "completed" }, ...phase }, changes);

export const maintaining = (phase: Partial<Maintenance> = {}, changes: Partial<AgentState> = {}): AgentState => ({
  ...initialState,
  phase: { kind: "maintenance", activity: "m", stop: null, latched: [], ...phase },
  ...changes,
});

export const policy = (changes: Partial<AgentPolicy> = {}): AgentPolicy => ({ ...defaultPolicy, ...changes });

export const stop = { cause: "user" };
export const aborted = { kind: "aborted", cause: "user" } as const;
export const running = { type: "status", status: "running" } as const;
export const statusIdle = { type: "status", status: "idle" } as const;
export const quiescent = { type: "quiescent" } as const;

export const append = (record: TurnRecord | Note) => ({ type: "append", record }) as const;
export const start = (turn: number): TurnRecord => ({ type: "turn/start", turn });
export const end = (
  turn: number,
  reason: Extract<TurnRecord, { readonly type: "turn/end" }>["reason"],
): TurnRecord => ({
  type: "turn/end",
  turn,
  reason,
});
export const completed = { kind: "completed" } as const;
export const inserted = (message: Message) => append({ type: "inbox/inserted", message });
export const canceled = (id: string) => append({ type: "inbox/removed", id, outcome: "canceled" });
export const claimed = (id: string, turn = 1) => append({ type: "inbox/removed", id, outcome: "claimed", turn });
export const blocked = (id: string, turn = 1) => append({ type: "inbox/removed", id, outcome: "blocked", turn });
export const restored = (...messages: readonly Message[]) => append({ type: "inbox/restored", messages });
export const entered = (message: Message, step = 1, turn = 1) => append({ type: "user/message", turn, step, message });
