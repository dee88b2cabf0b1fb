import { describe, expect, test } from "vitest";
import { explore } from "../../../repro/explore.ts";
import { parksLateWakes } from "../scenarios.ts";
import { cancel, isUserStep, send } from "../script.ts";
import { type Bounds, smallBounds } from "./bounds.ts";
import { scriptOf } from "./script-of.ts";
import { mutantNamed, refute } from "./testing/refute.ts";

describe("scriptOf", () => {
  test("scriptOf() gives a script with which a class that breaks the same rule is caught", async () => {
    const bounds: Bounds = { ...smallBounds, writeFaults: 0, maintenances: 0 };
    const { counterexample } = await refute(mutantNamed("parks late wakes"), { bounds });
    if (counterexample === null) throw new Error("Not refuted");
    const { script, beyond } = scriptOf(counterexample);
    expect(script.filter(isUserStep)).toEqual([send("a"), cancel("user", { keepInbox: true }), send("b")]);
    expect(script.filter((step) => !isUserStep(step)).map(({ type }) => type)).toEqual(["written", "written"]);
    expect(beyond).toEqual([]);
    const result = await explore(parksLateWakes, { script });
    // The file keeps the commands alone: it breaks however the outside answers.
    const commands = script.filter(isUserStep);
    expect(result).toMatchObject({
      outcome: "violated",
      repro: { script: commands, violates: "agent/no-dropped-wake" },
    });
  });

  test("scriptOf() names what a script cannot say, and why", async () => {
    const late = await refute(mutantNamed("takes reports of other tasks"));
    const twice = await refute(mutantNamed("accepts an id twice"));
    if (late.counterexample === null || twice.counterexample === null) throw new Error("Not refuted");
    expect(scriptOf(late.counterexample).beyond).toEqual([
      "late: maintained task 0: the host reports each answer once, and no other",
    ]);
    expect(scriptOf(twice.counterexample).beyond).toEqual(["followUp a: a script gives each message an id of its own"]);
  });
});
