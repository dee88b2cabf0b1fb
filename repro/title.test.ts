import { expect, test } from "vitest";
import { noQuiescence } from "../sim/native/fair.ts";
import type { Violation } from "../sim/result.ts";
import { titleOf, titleOnceHeld, titleWhileBroken } from "./title.ts";

const kinds: readonly Violation["kind"][] = ["always", "quiescence", "error", "stuck", "liveness", "livelock"];
const names = ["all is well", noQuiescence];

test("titleOnceHeld() says of every title of ours that it was so, and titleWhileBroken() that it is", () => {
  for (const kind of kinds) {
    for (const name of names) {
      const title = titleOf({ kind, name, detail: "", at: null });
      const past = titleOnceHeld(title);
      expect(past).toMatch(/^(Was|Ended|Never (came|settled|ended))\b/);
      expect(titleOnceHeld(past)).toBe(past);
      expect(titleWhileBroken(past)).toBe(title);
      expect(titleWhileBroken(title)).toBe(title);
    }
  }
});

test("titleOnceHeld() leaves the reader's own words as they are", () => {
  for (const title of ["A child claims the file its parent is writing", "Brokenhearted", "It is stuck: often"]) {
    expect(titleOnceHeld(title)).toBe(title);
    expect(titleWhileBroken(title)).toBe(title);
  }
});
