import { describe, expect, test } from "vitest";
import { begin, due, emptyJournal, landed, push, refused } from "./journal.ts";
import type { AgentRecord } from "./state.ts";
import { canceled, start } from "./testing/states.ts";

const note = (id: string): AgentRecord => canceled(id).record;

describe("journal", () => {
  test("due() names the oldest record, one at a time", () => {
    const two = push(push(emptyJournal, note("a")), note("b"));
    expect(due(emptyJournal)).toBeUndefined();
    expect(due(two)).toStrictEqual(note("a"));
    expect(due(begin(two))).toBeUndefined();
    expect(due(landed(begin(two)))).toStrictEqual(note("b"));
    expect(due(landed(begin(landed(begin(two)))))).toBeUndefined();
  });

  test("refused() leaves a note at the head, and rests after a second refusal", () => {
    const once = refused(begin(push(emptyJournal, note("a"))));
    expect(once.givenUp).toBeUndefined();
    expect(due(once.journal)).toStrictEqual(note("a"));
    const twice = refused(begin(once.journal));
    expect(twice.givenUp).toBeUndefined();
    expect(due(twice.journal)).toBeUndefined();
    // The next record brings the note along.
    expect(due(push(twice.journal, note("b")))).toStrictEqual(note("a"));
  });

  test("refused() gives up a turn record at once, and goes on with what is behind it", () => {
    const { journal, givenUp } = refused(begin(push(push(emptyJournal, start(1)), note("a"))));
    expect(givenUp).toStrictEqual(start(1));
    expect(due(journal)).toStrictEqual(note("a"));
  });

  test("refused() gives up a turn record behind a note that will not go, and keeps the notes", () => {
    const waiting = push(push(push(emptyJournal, note("a")), start(1)), note("b"));
    const { journal, givenUp } = refused(begin(refused(begin(waiting)).journal));
    expect(givenUp).toStrictEqual(start(1));
    expect(journal).toStrictEqual({ records: [note("a"), note("b")], writing: false, tries: 0 });
  });
});
