import { ask } from "./ask.ts";
import type { AgentRecord, TurnRecord } from "./state.ts";

/**
 * The records on their way to storage, written one by one in order. A refused note stays at the head: it is tried once
 * more, and again whenever a record comes behind it. A turn record is never tried again here, because its refusal is for
 * the reducer to judge; and one that waits behind a note that will not go is given up as well. So a dead storage ends in a
 * fault and never in a busy loop, and the next driver starts with the note.
 */
export function createJournal(
  append: (record: AgentRecord) => Promise<void>,
  landed: (record: AgentRecord) => void,
  /** Hears of each refused attempt, and of the turn record that is given up with it. */
  refused: (error: unknown, givenUp: TurnRecord | undefined) => void,
) {
  let records: readonly AgentRecord[] = [];
  let writing = false;
  /** Attempts that are left for the head: two, and again two whenever a record lands before it or comes behind it. */
  let tries = 0;

  /** Takes a record, if there is a new one, and writes the oldest, unless one is on its way. */
  return function write(record?: AgentRecord): void {
    if (record) {
      records = [...records, record];
      tries = 2;
    }
    const [head] = records;
    if (writing || tries === 0 || !head) return;
    writing = true;
    tries -= 1;
    const settle = (gone: AgentRecord | undefined) => {
      writing = false;
      records = records.filter((record) => record !== gone);
      if (gone === head) tries = 2;
    };
    ask(
      () => append(head),
      () => {
        settle(head);
        landed(head);
      },
      (error) => {
        const givenUp = isTurnRecord(head) ? head : tries === 0 ? records.find(isTurnRecord) : undefined;
        settle(givenUp);
        refused(error, givenUp);
      },
    );
  };
}

export function isTurnRecord(record: AgentRecord): record is TurnRecord {
  return record.type.startsWith("turn/");
}
