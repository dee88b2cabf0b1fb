import { expect, test } from "vitest";
import { Tallies } from "./tallies.ts";

/** Runs one execution that has `count` deliveries of id 3. */
function execution(tallies: Tallies, count: number): void {
  tallies.begin();
  for (let at = 0; at < count; at++) tallies.add(3);
}

test("Tallies keep the most that any execution had, and forget one that did not end", () => {
  const tallies = new Tallies();
  execution(tallies, 2);
  tallies.learn();
  execution(tallies, 5);
  tallies.learn();
  execution(tallies, 1);
  tallies.learn();
  execution(tallies, 9);
  tallies.begin();
  expect([tallies.now(3), tallies.most(3), tallies.left(3)]).toEqual([0, 5, 5]);
  for (const left of [4, 3, 2, 1, 0, 0]) {
    tallies.add(3);
    expect(tallies.left(3)).toBe(left);
  }
  expect([tallies.now(3), tallies.most(3), tallies.left(2), tallies.left(77)]).toEqual([6, 5, 0, 0]);
});
