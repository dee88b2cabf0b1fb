import { check, InputError } from "../shape.ts";
import { includesId, withoutId, withPending } from "./inbox.ts";
import { recordShape } from "./input.ts";
import type { AgentRecord, AgentState, Message } from "./state.ts";
import { initialState } from "./transition.ts";

/**
 * Rebuilds the state after a crash. Reading is also judging: each record must be one that a host can have written after
 * the ones before it, so a log that was mixed up or cut in the middle is refused instead of half understood.
 *
 * A restart leaves no record of its own. What an unfinished turn had claimed is pending again in the new process,
 * while the log still shows it as claimed until `turn/end{interrupted}` lands; both readings are one here.
 */

/** Names the first line that no host can have written. */
export class RestoreError extends InputError {
  override readonly name = "RestoreError";
  /** Counted from 1. */
  declare readonly line: number;

  /** What a record says is nobody's business in an error, so it is named by its type. */
  constructor(line: number, expected: string, found: string) {
    super(`line ${line}`, expected, found);
    this.line = line;
  }
}

/**
 * Reads a log in order. Throws `RestoreError` for the first line that cannot follow the ones before it, and `InputError`
 * for one that is no record at all. What was pending or claimed but not entered is parked; an open turn is left to be closed.
 */
export function restore(records: readonly AgentRecord[]): AgentState {
  check("records", records, [() => true]);
  /** Accepted and not yet dealt with; each lane for itself is in the order of claiming. */
  let held: readonly Message[] = [];
  /** What of it is claimed. */
  let batch: readonly Message[] = [];
  let lastTurn = 0;
  let open = false;
  /** The step of this turn that was entered last, and by whom; 0 before the first. */
  let step = 0;
  let entered: readonly Message[] = [];

  let line = 0;
  let previous: AgentRecord | undefined;
  for (const record of records) {
    line += 1;
    check(`line ${line}`, record, recordShape);
    const must: (holds: boolean, expected: string) => asserts holds = (holds, expected) => {
      if (!holds) throw new RestoreError(line, expected, record.type);
    };
    const mustBeOpen = (turn: number | undefined) => must(open && turn === lastTurn, "open turn");
    const forget = (id: string) => {
      held = withoutId(held, id);
      batch = withoutId(batch, id);
    };
    const inbox = held.filter((message) => !batch.includes(message));

    switch (record.type) {
      case "turn/start":
        lastTurn += 1;
        must(!open && record.turn === lastTurn, "next turn");
        open = true;
        step = 0;
        break;
      case "turn/end":
        mustBeOpen(record.turn);
        // Only a restart leaves a batch to the end of its turn, and the process that wrote this end had it back in its lanes.
        if (record.reason.kind !== "interrupted") held = inbox;
        batch = [];
        open = false;
        break;
      case "inbox/inserted":
        must(!includesId(held, record.message.id), "new message");
        held = [...held, record.message];
        break;
      case "inbox/removed": {
        const { id, outcome, turn } = record;
        if (outcome !== "canceled") mustBeOpen(turn);
        if (outcome === "claimed") {
          // Lanes are claimed from their heads, and prompts only by the first claim of a turn, behind all of next-step.
          const head = inbox.find(({ lane }) => lane === "next-step") ?? (step === 0 ? inbox[0] : undefined);
          const together = previous?.type === "inbox/removed" && previous.outcome === "claimed";
          must(head?.id === id && (together || batch.length === 0), "next message");
          batch = [...batch, head];
        } else {
          must(includesId(outcome === "blocked" ? batch : held, id), "pending message");
          forget(id);
        }
        break;
      }
      case "inbox/restored": {
        const { messages } = record;
        const same = messages.length === batch.length && batch.every(({ id }, at) => messages[at]?.id === id);
        must(same && batch.length > 0, "open batch");
        batch = [];
        break;
      }
      case "user/message": {
        const { message } = record;
        mustBeOpen(record.turn);
        if (previous?.type !== "user/message" || record.step !== step) {
          // A first step that nobody enters ends its turn; later ones may go without.
          must(step === 0 ? record.step === 1 : record.step > step, "next step");
          step = record.step;
          entered = [];
        }
        must(!includesId([...inbox, ...entered], message.id), "claimed or new message");
        entered = [...entered, message];
        forget(message.id);
        break;
      }
      default:
        record satisfies never;
    }
    previous = record;
  }
  return {
    ...withPending({ ...initialState, lastTurn }, held),
    unwritten: open ? { type: "turn/end", turn: lastTurn, reason: { kind: "interrupted" } } : null,
  };
}
