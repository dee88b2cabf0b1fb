import { describe, expect, test } from "vitest";
import { createJournal } from "./journal.ts";
import type { AgentRecord } from "./state.ts";
import { deferredPorts, drain } from "./testing/deferred-ports.ts";
import { canceled, start } from "./testing/states.ts";

const note = (id: string): AgentRecord => canceled(id).record;

/** A journal whose attempts the test lets land, or refuses, one after the other. */
function journalOf(...records: readonly AgentRecord[]) {
  const { ports, writes } = deferredPorts("manual");
  const landed: AgentRecord[] = [];
  const givenUp: unknown[] = [];
  const write = createJournal(
    ports.append,
    (record) => void landed.push(record),
    (_, turn) => void givenUp.push(turn),
  );
  for (const record of records) write(record);
  return {
    write,
    landed,
    givenUp,
    /** The record on its way. */
    due: () => {
      write();
      expect(writes.length).toBeLessThan(2);
      return writes[0]?.request;
    },
    land: async () => {
      await writes[0]?.resolve();
      await drain();
    },
    refuse: async () => {
      await writes[0]?.reject(new Error("refused"));
      await drain();
    },
  };
}

describe("journal", () => {
  test("write() takes the oldest record, one at a time", async () => {
    const { due, land, landed } = journalOf(note("a"), note("b"));
    expect(journalOf().due()).toBeUndefined();
    expect(due()).toStrictEqual(note("a"));
    await land();
    expect(landed).toStrictEqual([note("a")]);
    expect(due()).toStrictEqual(note("b"));
    await land();
    expect(landed).toStrictEqual([note("a"), note("b")]);
    expect(due()).toBeUndefined();
  });

  test("a refused note stays at the head, and rests after a second refusal", async () => {
    const { due, refuse, write, givenUp } = journalOf(note("a"));
    await refuse();
    expect(due()).toStrictEqual(note("a"));
    await refuse();
    expect(givenUp).toStrictEqual([undefined, undefined]);
    expect(due()).toBeUndefined();
    // The next record brings the note along.
    write(note("b"));
    expect(due()).toStrictEqual(note("a"));
  });

  test("a refused turn record is given up at once, and what is behind it goes on", async () => {
    const { due, refuse, givenUp } = journalOf(start(1), note("a"));
    await refuse();
    expect(givenUp).toStrictEqual([start(1)]);
    expect(due()).toStrictEqual(note("a"));
  });

  test("a turn record behind a note that will not go is given up, and the notes are kept", async () => {
    const { due, refuse, land, write, givenUp } = journalOf(note("a"), start(1), note("b"));
    // The note alone, and two tries with the records that came behind it.
    for (let attempts = 1; attempts <= 3; attempts += 1) {
      expect(due()).toStrictEqual(note("a"));
      await refuse();
    }
    expect(givenUp).toStrictEqual([undefined, undefined, start(1)]);
    expect(due()).toBeUndefined();
    write(note("c"));
    for (const left of ["a", "b", "c"]) {
      expect(due()).toStrictEqual(note(left));
      await land();
    }
    expect(due()).toBeUndefined();
  });
});
