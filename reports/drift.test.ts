import { expect, test } from "vitest";
import { type Drift, noGuesses } from "../repro/drift.ts";
import type { ReplayResult } from "../repro/replay.ts";
import { renderReplay } from "./console.ts";
import { plainOptions as options, lateWakeRepro as repro } from "./testing/late-wake.ts";

const met = ["user:stop#1 before agent:model#2"];
const still: Drift = {
  added: ["agent:connect#1", "agent:connect#2"],
  gone: [],
  lookAlikes: [],
  parting: {
    step: 3,
    recorded: "agent:model#1, 2 possible",
    now: "agent:connect#1, 2 possible",
    why: "a delivery is new",
  },
  bestEffort: { outcome: "violated", violates: "nothing is forgotten", met, unmet: [] },
  guesses: noGuesses,
};
const strict: ReplayResult = {
  outcome: "no-longer-fits",
  met: [],
  unmet: met,
  neverAppeared: [],
  firstDifference: { step: 3, recorded: "agent:model#1, 2 possible", now: "agent:connect#1, 2 possible" },
  drift: still,
};
const head = [
  "? x  A wake is forgotten",
  "  no longer fits: the code has changed under the file, so it proves nothing",
];
const parting = [
  "  first difference at step 3: a delivery is new",
  "    recorded: agent:model#1, 2 possible",
  "    now:      agent:connect#1, 2 possible",
];

test("renderReplay() says what changed, what best-effort answers and how to record it again", () => {
  expect(renderReplay("x", repro, strict, options)).toEqual([
    ...head,
    ...parting,
    "  new since: agent:connect#1, agent:connect#2",
    '  best-effort: "nothing is forgotten" is violated, 1 of 1 met',
    "  If the change is meant, record it again: npx microloom replay --record late.json",
  ]);
});

test("renderReplay() asks whether a label was renamed", () => {
  const drift: Drift = {
    ...still,
    added: ["agent:llm#1", "agent:llm#2"],
    gone: ["agent:model#1", "agent:model#2"],
    lookAlikes: [
      { gone: "agent:model#1", now: "agent:llm#1", differs: "label" },
      { gone: "agent:model#2", now: "agent:llm#2", differs: "label" },
    ],
    bestEffort: { outcome: "no-longer-fits", violates: null, met: [], unmet: met },
    guesses: { ...noGuesses, wouldViolate: true },
  };
  const { firstDifference: _, ...loose } = strict;
  expect(renderReplay("x", repro, { ...loose, neverAppeared: ["agent:model#2"], drift }, options)).toEqual([
    ...head,
    ...parting,
    "  new since: agent:llm#1, agent:llm#2",
    '  "agent:model#1" never appeared; did you mean "agent:llm#1"? A guess: it has the same source',
    "  in the recorded order it still fails, but without deliveries that the file names",
    "  best-effort: no longer fits, 0 of 1 met",
    "  unmet: user:stop#1 before agent:model#2",
    "  If it was renamed, record it: npx microloom replay --record --rename agent:model=agent:llm late.json",
  ]);
});

test("renderReplay() says that a failure rests on a guess, and which", () => {
  const violation = { kind: "quiescence", name: "nothing is forgotten", detail: "b", at: null } as const;
  const violated: ReplayResult = { outcome: "violated", met, unmet: [], neverAppeared: [], violation };
  const taken = [{ recorded: "agent:model#2", now: "agent:model#3" }];
  const byNumber = { ...violated, drift: { ...still, guesses: { ...noGuesses, taken } } };
  expect(renderReplay("x", repro, byNumber, options).slice(-7)).toEqual([
    "  It fails as recorded, by a guess:",
    ...parting,
    "  new since: agent:connect#1, agent:connect#2",
    '  a guess: it fails as recorded once we take "agent:model#2" for "agent:model#3"',
    "  If that is so, record it: npx microloom replay --record --rename 'agent:model#2=agent:model#3' late.json",
  ]);
  const inOrder = { ...violated, drift: { ...still, guesses: { ...noGuesses, newComes: "leading first" } } } as const;
  expect(renderReplay("x", repro, inOrder, options).slice(-2)).toEqual([
    "  a guess: it fails as recorded in the recorded order, where what is new comes first where it leads to what is not",
    "  To have orderings that lead there again: npx microloom shrink --write late.json",
  ]);
});

test("renderReplay() tells few names, and no label can run anything in a shell", () => {
  const evil = "agent:$(touch x)'`#1";
  const drift: Drift = {
    ...still,
    added: Array.from({ length: 50 }, (_, at) => `agent:new\n${at}#1`),
    gone: [evil],
    lookAlikes: [{ gone: evil, now: "agent:\u001b[2Jx#1", differs: "label" }],
    bestEffort: { ...still.bestEffort, outcome: "no-longer-fits", unmet: [`${evil} before user:stop#1`] },
  };
  const lines = renderReplay("x", repro, { ...strict, drift }, options);
  expect(lines.length).toBeLessThan(14);
  expect(lines.join("\n")).toContain("and 47 more".replace("and ", ""));
  expect(lines.join("")).not.toMatch(/\p{Cc}/u);
  expect(lines.at(-1)).toContain(`--rename 'agent:$(touch x)'\\''\``);
});
