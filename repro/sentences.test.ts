import { expect, test } from "vitest";
import type { Repro } from "./repro.ts";
import {
  dataSentence,
  deliveryPhrase,
  factSentences,
  faultSentence,
  orderingSentence,
  reproSentences,
  swapSentence,
} from "./sentences.ts";

test("deliveryPhrase() uses the reader's own labels", () => {
  expect(deliveryPhrase("user:stop#1")).toBe('"stop" (user)');
  expect(deliveryPhrase("agent:write src/a.ts#2")).toBe('the second "write src/a.ts" (agent)');
  const words = [3, 4, 11, 12, 13, 21, 22, 101, 111].map((n) => deliveryPhrase(`a:b#${n}`).split(" ")[1]);
  expect(words.join(" ")).toBe("third fourth eleventh twelfth 13th 21st 22nd 101st 111th");
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
    'The third "send" (user) came before the second "model" (agent).',
  );
});

test("faultSentence() says what each fault did", () => {
  const at = "agent:model#1";
  expect(faultSentence({ at, kind: "late", arg: 3 }, "user:stop#1")).toBe(
    '"model" (agent) came while the microtasks of "stop" (user) ran, at tick 3.',
  );
  expect(faultSentence({ at, kind: "late", arg: 1 })).toBe(
    '"model" (agent) came while the microtasks of the delivery before it ran, at tick 1.',
  );
  expect(faultSentence({ at, kind: "fail" })).toBe('"model" (agent) failed with "agent:model#1 was made to fail".');
  const long = faultSentence({ at: `agent:${"x".repeat(1_000_000)}#1`, kind: "fail" });
  expect(long.length).toBeLessThan(240);
  expect(long).toMatch(/#1 was made to fail"\.$/);
  expect(faultSentence({ at, kind: "hang" })).toBe('"model" (agent) never settled.');
  expect(faultSentence({ at, kind: "partial", arg: 2 })).toBe('"model" (agent) was done in part (2).');
  expect(faultSentence({ at, kind: "crash" })).toBe('The process crashed at "model" (agent).');
});

test("dataSentence() counts from 1", () => {
  expect(dataSentence(2, 0)).toBe("The second choice of data took its first option.");
});

test("dataSentence() says which choice came out as which value, where that is known", () => {
  const coin = { label: "coin", value: '"tails"' };
  const choices = [coin, { label: "plan", value: '{"kind":"paid"}' }, coin];
  expect(dataSentence(1, 1, choices)).toBe('The choice "coin" came out as "tails", its second option.');
  expect(dataSentence(2, 2, choices)).toBe('The choice "plan" came out as {"kind":"paid"}, its third option.');
  expect(dataSentence(3, 1, choices)).toBe('The second choice "coin" came out as "tails", its second option.');
  expect(dataSentence(4, 1, choices)).toBe("The fourth choice of data took its second option.");
  expect(dataSentence(1, 1, [{ label: "a\nb", value: "\u202e" }])).toBe(
    'The choice "a\\nb" came out as \\u202e, its second option.',
  );
});

test("swapSentence() says both sides", () => {
  expect(swapSentence(["user:send b#1", "agent:teardown#1"])).toBe(
    'In this execution, swapping just these two decides: it fails when "send b" (user) comes before "teardown" (agent), and holds when "teardown" (agent) comes first.',
  );
  expect(swapSentence(["a:x#1", "b:y#1"], true)).toBe(
    'In this execution, swapping just these two decides: it fails when "y" (b) comes while the microtasks of "x" (a) run, and holds when it comes outside of them.',
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
    '"stop" (user) came before "model" (agent), which failed with "agent:model#1 was made to fail".',
    "The second choice of data took its second option.",
    'In this execution, swapping just these two decides: it fails when "stop" (user) comes before "model" (agent), and holds when "model" (agent) comes first.',
  ]);
});

test("reproSentences() says when nothing had to be reordered", () => {
  expect(reproSentences({ ...repro, faults: [], data: [], orderings: [], criticalPair: null })).toEqual([
    "It fails without any reordering.",
  ]);
});

test("factSentences() makes one sentence of what is told of one delivery in a row", () => {
  const told = (orderings: readonly [string, string][], faults: Repro["faults"] = []): string[] =>
    factSentences({ ...repro, orderings: orderings.map(([first, then]) => ({ first, then })), faults, data: [] });
  const before = (...names: string[]): [string, string][] => names.map((name) => [`user:${name}#1`, "agent:model#1"]);
  expect(told(before("stop", "send b"))).toEqual(['"stop" (user) and "send b" (user) came before "model" (agent).']);
  expect(told(before("a", "b", "c", "d", "e"))).toEqual([
    '"a" (user), "b" (user), "c" (user) and 2 more came before "model" (agent).',
  ]);
  expect(
    told([
      ["user:stop#1", "agent:model#1"],
      ["user:stop#1", "agent:teardown#2"],
    ]),
  ).toEqual(['"stop" (user) came before "model" (agent) and before the second "teardown" (agent).']);
  expect(told(before("stop"), [{ at: "agent:model#1", kind: "hang" }])).toEqual([
    '"stop" (user) came before "model" (agent), which never settled.',
  ]);
  expect(told(before("stop"), [{ at: "agent:model#1", kind: "late", arg: 2 }])).toEqual([
    '"model" (agent) came while the microtasks of "stop" (user) ran, at tick 2.',
  ]);
});
