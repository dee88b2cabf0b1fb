import type { AgentEffect } from "../state.ts";
import type { Invariant } from "./invariants.ts";
import type { Event, Run } from "./model-host.ts";

/**
 * The ledger of messages: what each accepted one went through, told from inputs and notes alone. It knows a latch only
 * as a rule ("accepted in a window, and not parked, cleared or retracted since"), never as the reducer's list of ids.
 */
type Entry = {
  readonly id: string;
  readonly lane: "next-turn" | "next-step";
  readonly wake: boolean;
  readonly rank: number;
  claimed: boolean;
  /** Accepted where nobody looked at the inbox any more: converging has to replay for it. */
  due: boolean;
  /** Something that happened after it parked it, or it came after dispose. */
  parked: boolean;
};
type Ledger = Map<string, Entry>;

export const noDroppedWake: Invariant = {
  name: "agent/no-dropped-wake",
  why: "A user's message must not lie there until somebody sends another one.",
  violation: (run) =>
    follow(run, (ledger, { effects, after }) => {
      if (!effects.some(({ type }) => type === "quiescent") || after.phase.kind !== "idle") return undefined;
      const dropped = [...ledger.values()].find(({ wake, parked }) => wake && !parked);
      return dropped && `${dropped.id} is forgotten`;
    }),
};

export const replaysWhatIsDue: Invariant = {
  name: "agent/no-empty-replay, agent/parked-stays-parked, agent/cleared-stays-cleared",
  why: "A driver that nobody asked for spends money and breaks the user's stop.",
  violation: (run) => {
    let due: readonly string[] = [];
    return follow(
      run,
      (_, { before, input, effects }) => {
        const converges = before.phase.kind !== "idle" && effects.some(({ type }) => type === "quiescent");
        const starts = effects.some((effect) => effect.type === "status" && effect.status === "running");
        if (converges && due.length > 0 && !before.disposed) return `no replay for ${due}`;
        if (!starts) return undefined;
        const woken = before.phase.kind === "idle" && input.type === "send" && input.message.wake;
        return woken || due.length > 0 ? undefined : "a driver starts for nothing";
      },
      (ledger) => {
        due = [...ledger.values()].filter((entry) => entry.wake && entry.due && !entry.parked).map(({ id }) => id);
      },
    );
  },
};

export const atMostOnce: Invariant = {
  name: "agent/at-most-once, agent/lane-order",
  why: "A prompt that enters twice is paid twice, and one that overtakes changes what was meant.",
  violation: (run) => follow(run, () => undefined),
};

/** Reads the run into a ledger. `judge` sees it after each event, `look` before the notes of an event are read. */
function follow(
  run: Run,
  judge: (ledger: Ledger, event: Event) => string | undefined,
  look: (ledger: Ledger) => void = () => {},
): string | undefined {
  const ledger: Ledger = new Map();
  for (const [at, event] of run.history.entries()) {
    park(run, ledger, event);
    look(ledger);
    const complaint = readNotes(ledger, event, at) ?? judge(ledger, event);
    if (complaint !== undefined) return `event ${at}, ${event.input.type}: ${complaint}`;
    // A driver or a turn that begins looks at the inbox again: nobody is owed a replay any more.
    if (event.effects.some(begins)) {
      for (const entry of ledger.values()) entry.due = false;
    }
  }
  return undefined;
}

function begins(effect: AgentEffect): boolean {
  if (effect.type === "status") return effect.status === "running";
  return effect.type === "append" && effect.record.type === "turn/start";
}

function park({ policy }: Run, ledger: Ledger, { before, input, after, effects }: Event): void {
  const live = before.phase.kind !== "idle";
  const failed =
    policy.afterFailure === "park" &&
    after.phase.kind === "running" &&
    after.phase.outcome?.kind === "failed" &&
    !(before.phase.kind === "running" && before.phase.outcome?.kind === "failed");
  for (const entry of ledger.values()) {
    if (input.type === "dispose") entry.parked = true;
    if (input.type === "cancel" && live && (!entry.due || policy.parking === "all")) entry.parked = true;
    if ((failed || effects.some(({ type }) => type === "fault")) && !entry.due) entry.parked = true;
  }
}

function readNotes(ledger: Ledger, { before, effects }: Event, at: number): string | undefined {
  const { phase } = before;
  for (const effect of effects) {
    if (effect.type !== "append") continue;
    const { record } = effect;
    if (record.type === "inbox/inserted") {
      const { id, lane, wake } = record.message;
      if (ledger.has(id)) return `${id} is accepted twice`;
      const driving = phase.kind === "running" && (phase.stop !== null || phase.outcome?.kind === "failed");
      const due = wake && !before.disposed && (phase.kind === "maintenance" || driving);
      ledger.set(id, { id, lane, wake, rank: at, claimed: false, due, parked: before.disposed });
    } else if (record.type === "inbox/removed") {
      const entry = ledger.get(record.id);
      if (entry === undefined) return `${record.id} is ${record.outcome} after it was gone`;
      if (record.outcome !== "claimed") ledger.delete(record.id);
      else if (entry.claimed) return `${record.id} is claimed twice`;
      else {
        const waiting = [...ledger.values()].filter(({ lane, claimed }) => lane === entry.lane && !claimed);
        if (waiting.some(({ rank }) => rank < entry.rank)) return `${record.id} overtakes`;
        entry.claimed = true;
      }
    } else if (record.type === "inbox/restored") {
      for (const { id } of record.messages) {
        const entry = ledger.get(id);
        if (!entry?.claimed) return `${id} is restored, and was not claimed`;
        entry.claimed = false;
      }
    } else if (record.type === "user/message") {
      const entry = ledger.get(record.message.id);
      if (entry !== undefined && !entry.claimed) return `${record.message.id} enters without being claimed`;
      ledger.delete(record.message.id);
    }
  }
  return undefined;
}
