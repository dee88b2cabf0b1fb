import { describe, expect, test } from "vitest";
import { explore } from "../../../repro/explore.ts";
import { parksLateWakes } from "../scenarios.ts";
import { cancel, send } from "../script.ts";
import { type Bounds, smallBounds } from "./bounds.ts";
import { scriptOf } from "./script-of.ts";
import { mutantNamed, refute } from "./testing/refute.ts";

describe("scriptOf", () => {
  test("scriptOf() gives a script with which a class that breaks the same rule is caught", async () => {
    const bounds: Bounds = { ...smallBounds, writeFaults: 0, maintenances: 0 };
    const { counterexample } = await refute(mutantNamed("parks late wakes"), { bounds });
    if (counterexample === null) throw new Error("Not refuted");
    const { script, beyond } = scriptOf(counterexample);
    expect(script).toEqual([send("a"), cancel("user", { keepInbox: true }), send("b")]);
    expect(beyond).toEqual([]);
    const result = await explore(parksLateWakes, { script });
    expect(result).toMatchObject({ outcome: "violated", repro: { script, violates: "agent/no-dropped-wake" } });
  });

  test("scriptOf() names what a script cannot say", async () => {
    const { counterexample } = await refute(mutantNamed("parks wakes behind a failure"));
    if (counterexample === null) throw new Error("Not refuted");
    expect(scriptOf(counterexample).beyond).toEqual(["proposed 1.1 failed"]);
  });
});
