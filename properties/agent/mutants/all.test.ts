import { describe, expect, test } from "vitest";
import { agentMutants } from "./all.ts";
import { isUnseen, verdicts } from "./testing/verdicts.ts";

const suites = ["model", "reading", "core", "host", "repro"] as const;

describe("agentMutants", () => {
  test("agentMutants are at least forty, each with a name and a rule of its own, and all are judged", () => {
    const names = agentMutants.map(({ name }) => name);
    expect(names.length).toBeGreaterThanOrEqual(40);
    expect(new Set(agentMutants.map(({ rule }) => rule)).size).toBe(names.length);
    expect(Object.keys(verdicts).toSorted()).toEqual(names.toSorted());
  });

  test("agentMutants are refuted by some suite, unless they survive; and whatever is not seen has a reason", () => {
    for (const { name, survives } of agentMutants) {
      const row = verdicts[name];
      const judged = suites.flatMap((suite) => (row === undefined ? [] : [row[suite]]));
      expect([name, survives !== undefined || judged.some((verdict) => !isUnseen(verdict))]).toEqual([name, true]);
      for (const verdict of judged) if (isUnseen(verdict)) expect(verdict.because).not.toBe("");
    }
  });

  test("agentMutants that survive are those of which neither the model nor the core sees anything", () => {
    const survivors = agentMutants.filter(({ survives }) => survives !== undefined).map(({ name }) => name);
    const unseen = Object.entries(verdicts).filter(([, { model, core }]) => isUnseen(model) && isUnseen(core));
    expect(unseen.map(([name]) => name).toSorted()).toEqual(survivors.toSorted());
  });

  test("the suites refute as many as they say", () => {
    const counts = suites.map((suite) => [
      suite,
      Object.values(verdicts).filter((row) => !isUnseen(row[suite])).length,
    ]);
    expect(Object.fromEntries(counts)).toEqual({ model: 53, reading: 62, core: 46, host: 39, repro: 38 });
  });
});
