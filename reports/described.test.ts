import { expect, test } from "vitest";
import { scriptWords } from "./described.ts";

test("scriptWords() says a script as one reads it", () => {
  const a = { id: "a", lane: "next-turn", wake: true };
  const words = scriptWords([
    { type: "outside", slow: ["notes", "turn-records"], chunks: 2, decides: false },
    { type: "send", message: a },
    { type: "cancel", cause: "stop", keepInbox: false },
    { type: "inside", at: "turn/end", do: { type: "retract", id: "a" } },
    { type: "dispose" },
    "tick",
  ]);
  expect(words).toBe(
    'outside slow=notes+turn-records chunks=2 no-decides, send a next-turn wake, cancel stop no-keepInbox, inside turn/end retract a, dispose, "tick"',
  );
});

test("scriptWords() ends, and keeps to one line, whatever a command is", () => {
  const itself: Record<string, unknown> = {
    type: "send",
    text: "two\nlines",
    list: Array.from({ length: 99 }, () => 1),
  };
  itself.message = itself;
  const broken = new Proxy({ type: "send" }, { ownKeys: refuse });
  const words = scriptWords([itself, broken, null, Array.from({ length: 1 })]);
  expect(words.length).toBeLessThan(2_000);
  expect(words).not.toContain("\n");
});

function refuse(): never {
  throw new Error("tells nothing");
}
