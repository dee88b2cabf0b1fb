import { expect, test } from "vitest";
import type { Repro } from "./repro.ts";
import {
  dataSentence,
  deliveryPhrase,
  faultSentence,
  orderingSentence,
  reproSentences,
  swapSentence,
} from "./sentences.ts";

test("deliveryPhrase() uses the reader's own labels", () => {
  expect(deliveryPhrase("user:stop#1")).toBe('"stop" (user)');
  expect(deliveryPhrase("agent:write src/a.ts#2")).toBe('the 2nd "write src/a.ts" (agent)');
  expect([3, 4, 11, 12, 13, 21, 22, 101, 111].map((n) => deliveryPhrase(`a:b#${n}`).split(" ")[1])).toEqual([
    "3rd",
    "4th",
    "11th",
    "12th",
    "13th",
    "21st",
    "22nd",
    "101st",
    "111th",
  ]);
});

test("deliveryPhrase() keeps weird labels on one short line", () => {
  expect(deliveryPhrase('a:say "no"\n\u202e\u001b[2J#1')).toBe('"say \\"no\\"\\n\\u202e\\u001b[2J" (a)');
  expect(deliveryPhrase(`a:${"x".repeat(10_000)}#1`).length).toBeLessThan(80);
  expect(deliveryPhrase(`${"\n".repeat(10_000)}:b#1`).length).toBeLessThan(80);
  expect(deliveryPhrase("no name")).toBe('"no name"');
});

test("orderingSentence() says first and then", () => {
  expect(orderingSentence({ first: "user:stop#1", then: "agent:model#1" })).toBe(
    '"stop" (user) came before "model" (agent).',
  );
  expect(orderingSentence({ first: "user:send#3", then: "agent:model#2" })).toBe(
    'The 3rd "send" (user) came before the 2nd "model" (agent).',
  );
});

test("faultSentence() says what each fault did", () => {
  const at = "agent:model#1";
  expect(faultSentence({ at, kind: "late", arg: 3 }, "user:stop#1")).toBe(
    '"model" (agent) came at tick 3 of the microtasks of "stop" (user).',
  );
  expect(faultSentence({ at, kind: "late", arg: 1 })).toBe(
    '"model" (agent) came at tick 1 of the microtasks of the delivery before it.',
  );
  expect(faultSentence({ at, kind: "fail" })).toBe('"model" (agent) failed.');
  expect(faultSentence({ at, kind: "hang" })).toBe('"model" (agent) never settled.');
  expect(faultSentence({ at, kind: "partial", arg: 2 })).toBe('"model" (agent) was done in part (2).');
  expect(faultSentence({ at, kind: "crash" })).toBe('The process crashed at "model" (agent).');
});

test("dataSentence() counts from 1", () => {
  expect(dataSentence(2, 0)).toBe("The 2nd choice of data took its 1st option.");
});

test("swapSentence() says both sides", () => {
  expect(swapSentence(["user:send b#1", "agent:teardown#1"])).toBe(
    'It fails when "send b" (user) comes before "teardown" (agent), and holds when "teardown" (agent) comes before "send b" (user).',
  );
  expect(swapSentence(["a:x#1", "b:y#1"], true)).toBe(
    'It fails when "y" (b) comes inside the microtasks of "x" (a), and holds when it comes outside of them.',
  );
});

const repro: Repro = {
  format: 1,
  scenario: "s",
  title: "t",
  violates: "v",
  level: "spec",
  verdict: "bug",
  expect: "violation",
  script: [],
  faults: [{ at: "agent:model#1", kind: "fail" }],
  data: [0, 1],
  orderings: [{ first: "user:stop#1", then: "agent:model#1" }],
  criticalPair: ["user:stop#1", "agent:model#1"],
  choices: null,
  foundBy: { strategy: "placement", seed: "s", executions: 1 },
};

test("reproSentences() says orderings, faults, data, then the swap", () => {
  expect(reproSentences(repro)).toEqual([
    '"stop" (user) came before "model" (agent).',
    '"model" (agent) failed.',
    "The 2nd choice of data took its 2nd option.",
    'It fails when "stop" (user) comes before "model" (agent), and holds when "model" (agent) comes before "stop" (user).',
  ]);
});

test("reproSentences() says when nothing had to be reordered", () => {
  expect(reproSentences({ ...repro, faults: [], data: [], orderings: [], criticalPair: null })).toEqual([
    "It fails without any reordering.",
  ]);
});
