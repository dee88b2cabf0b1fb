import { includesId, insert, isPending, putBack, remove } from "./inbox.ts";
import { checkMessage, checkTurnRecord, checkType } from "./input.ts";
import type { AgentRecord, AgentState, Message, Note, TurnRecord } from "./state.ts";
import { initialState } from "./transition.ts";

/**
 * Rebuilds the state after a crash. Reading is also judging: each record must be one that a host can have written after
 * the ones before it, so a log that was mixed up or cut in the middle is refused instead of half understood.
 *
 * A restart leaves no record of its own. What an unfinished turn had claimed is pending again in the new process,
 * while the log still shows it as claimed until `turn/end{interrupted}` lands; both readings are one here.
 */

/** Names the first line that no host can have written. */
export class RestoreError extends Error {
  override readonly name = "RestoreError";
  /** Counted from 1. */
  readonly line: number;
  readonly reason: string;

  constructor(line: number, reason: string) {
    super(`Cannot restore the log at line ${line}: ${reason}; cut the log before that line or repair it`);
    this.line = line;
    this.reason = reason;
  }
}

/** Reads a log in order. What was pending or claimed but not entered is parked; an open turn is left to be closed. */
export function restore(records: readonly AgentRecord[]): AgentState {
  if (!Array.isArray(records)) throw new RestoreError(1, "expected an array of records");
  let log = start;
  for (const [index, record] of records.entries()) {
    try {
      log = read(log, record);
    } catch (error) {
      throw new RestoreError(index + 1, error instanceof Error ? error.message : String(error));
    }
  }
  const { inbox, batch, open } = log;
  if (open === 0) return inbox;
  return { ...putBack(inbox, batch), unwritten: { type: "turn/end", turn: open, reason: { kind: "interrupted" } } };
}

type Log = {
  /** The lanes and `lastTurn`, in the shape of the state they become. */
  readonly inbox: AgentState;
  /** Claimed, and neither entered nor removed nor restored. */
  readonly batch: readonly Message[];
  /** The turn that has no end yet; 0 between turns. */
  readonly open: number;
  /** The step of this turn that was entered last, and by whom; 0 before the first. */
  readonly step: number;
  readonly entered: readonly string[];
  readonly last: AgentRecord | null;
};

const start: Log = { inbox: initialState, batch: [], open: 0, step: 0, entered: [], last: null };

function read(log: Log, record: AgentRecord): Log {
  checkType("record", record, "object");
  switch (record.type) {
    case "turn/start":
    case "turn/end":
      checkTurnRecord(record);
      return record.type === "turn/start" ? startTurn(log, record.turn) : endTurn(log, record);
    case "inbox/inserted":
      checkMessage(record.message);
      must(!isHeld(log, record.message.id), `${name(record.message)} is already in the inbox`);
      return { ...log, inbox: insert(log.inbox, record.message), last: record };
    case "inbox/removed":
      return { ...removed(log, record), last: record };
    case "inbox/restored":
      return { ...restored(log, record), last: record };
    case "user/message":
      return { ...entered(log, record), last: record };
    default:
      throw new Error("the type of the record is unknown");
  }
}

function startTurn({ inbox, open }: Log, turn: number): Log {
  must(open === 0, `turn ${open} has not ended yet`);
  must(turn === inbox.lastTurn + 1, `turn ${turn} cannot follow turn ${inbox.lastTurn}`);
  return { ...start, inbox: { ...inbox, lastTurn: turn }, open: turn };
}

function endTurn(log: Log, { turn, reason }: Extract<TurnRecord, { readonly type: "turn/end" }>): Log {
  mustBeOpen(log, turn);
  // Only a restart leaves a batch to the end of its turn, and the process that wrote this end had it back in its lanes.
  return { ...start, inbox: reason.kind === "interrupted" ? putBack(log.inbox, log.batch) : log.inbox };
}

function removed(log: Log, record: Extract<Note, { readonly type: "inbox/removed" }>): Log {
  const { id, outcome, turn } = record;
  switch (outcome) {
    case "claimed":
      mustBeOpen(log, turn);
      return claimed(log, record);
    case "blocked":
      mustBeOpen(log, turn);
      must(includesId(log.batch, id), `${name(record)} was not claimed`);
      return unclaim(log, id);
    case "canceled":
      must(isHeld(log, id), `${name(record)} is not in the inbox`);
      return { ...unclaim(log, id), inbox: remove(log.inbox, id) };
    default:
      throw new Error("the outcome of the removal is unknown");
  }
}

function claimed({ inbox, batch, step, last, ...log }: Log, note: { readonly id: string }): Log {
  const [context] = inbox.nextStep;
  const [prompt] = inbox.nextTurn;
  // Lanes are claimed from their heads, and prompts only by the first claim of a turn, behind all of next-step.
  const head = context ?? (step === 0 ? prompt : undefined);
  must(head?.id === note.id, `${name(note)} is not the next to be claimed`);
  const together = last?.type === "inbox/removed" && last.outcome === "claimed";
  must(batch.length === 0 || together, "the batch before it is still open");
  return { ...log, inbox: remove(inbox, note.id), batch: head ? [...batch, head] : batch, step, last };
}

function restored(log: Log, { messages }: Extract<Note, { readonly type: "inbox/restored" }>): Log {
  must(Array.isArray(messages) && messages.length > 0, "expected restored messages");
  const same = messages.length === log.batch.length && log.batch.every(({ id }, at) => messages[at]?.id === id);
  must(same, "what is restored is not the open batch");
  return { ...log, inbox: putBack(log.inbox, log.batch), batch: [] };
}

function entered(log: Log, { turn, step, message }: Extract<Note, { readonly type: "user/message" }>): Log {
  checkMessage(message);
  mustBeOpen(log, turn);
  must(!isPending(log.inbox, message.id), `${name(message)} is still pending`);
  const { last } = log;
  if (last?.type === "user/message" && last.step === step) {
    must(!log.entered.includes(message.id), `${name(message)} has entered this step already`);
    return { ...unclaim(log, message.id), entered: [...log.entered, message.id] };
  }
  // A first step that nobody enters ends its turn; later ones may go without.
  must(log.step === 0 ? step === 1 : Number.isInteger(step) && step > log.step, `step ${step} cannot follow`);
  return { ...unclaim(log, message.id), step, entered: [message.id] };
}

function unclaim(log: Log, id: string): Log {
  return { ...log, batch: log.batch.filter((message) => message.id !== id) };
}

function isHeld({ inbox, batch }: Log, id: string): boolean {
  return isPending(inbox, id) || includesId(batch, id);
}

function mustBeOpen({ open }: Log, turn: number | undefined): void {
  must(open !== 0 && open === turn, `turn ${turn} is not open`);
}

function must(holds: boolean, otherwise: string): void {
  if (!holds) throw new Error(otherwise);
}

function name({ id }: { readonly id: string }): string {
  return `message ${JSON.stringify(id)}`;
}
