import type { AgentRecord, TurnRecord } from "./state.ts";

/**
 * The records on their way to storage, written one by one in order. A refused note stays at the head: it is tried once
 * more, and again whenever a record comes behind it. A turn record is never tried again here, because its refusal is for
 * the reducer to judge; and one that waits behind a note that will not go is given up as well. So a dead storage ends in a
 * fault and never in a busy loop, and the next driver starts with the note.
 */
export type Journal = {
  readonly records: readonly AgentRecord[];
  readonly writing: boolean;
  /** Attempts that are left for the head. */
  readonly tries: number;
};

export const emptyJournal: Journal = { records: [], writing: false, tries: 0 };

const triesPerRecord = 2;

export function push(journal: Journal, record: AgentRecord): Journal {
  return { ...journal, records: [...journal.records, record], tries: triesPerRecord };
}

/** Names the record to write now, if any. */
export function due({ records, writing, tries }: Journal): AgentRecord | undefined {
  return writing || tries === 0 ? undefined : records[0];
}

export function begin(journal: Journal): Journal {
  return { ...journal, writing: true, tries: journal.tries - 1 };
}

export function landed({ records }: Journal): Journal {
  return { records: records.slice(1), writing: false, tries: triesPerRecord };
}

/** Settles a refused attempt, and names the turn record that is given up with it. */
export function refused(journal: Journal): { readonly journal: Journal; readonly givenUp: TurnRecord | undefined } {
  const { records, tries } = journal;
  const [head] = records;
  const givenUp =
    head !== undefined && isTurnRecord(head) ? head : tries === 0 ? records.find(isTurnRecord) : undefined;
  const left = { records: records.filter((record) => record !== givenUp), writing: false, tries };
  return { journal: givenUp === head ? { ...left, tries: triesPerRecord } : left, givenUp };
}

export function isTurnRecord(record: AgentRecord): record is TurnRecord {
  return record.type === "turn/start" || record.type === "turn/end";
}
