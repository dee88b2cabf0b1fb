import { expect, test } from "vitest";
import { Appointments } from "./appointments.ts";

test("after() gives one time to timers of one duration that are armed together, and to no others", () => {
  const { after, due } = new Appointments(10);
  const first = after(2);
  expect([first.ms, after(2).ms, after(1).ms]).toEqual([20, 20, 10]);
  due(after(1));
  // One unit later the time of the first two is one unit away, and taken.
  expect(after(1).ms).toBe(20);
});

test("every() finds a duration of which no time is taken", () => {
  const { after, every } = new Appointments(1);
  after(4);
  expect(every(2, 2).ms).toBe(3);
});

test("mayCheck() is false while another timer is due at the time of the one that fired", () => {
  const { after, due, forget, mayCheck } = new Appointments(1);
  const [one, other] = [after(1), after(1)];
  expect(mayCheck()).toBe(true);
  due(one);
  expect(mayCheck()).toBe(false);
  forget(other);
  expect(mayCheck()).toBe(true);
});

test("again() moves a timer to the end of its duration unless that time is taken", () => {
  const { after, again, due } = new Appointments(1);
  const first = after(2);
  due(after(1));
  expect(again(first)).toBe(true);
  expect(first.dues).toEqual([3]);
  due(first);
  expect(again(first)).toBe(false);
});
