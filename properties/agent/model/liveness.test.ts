import { describe, expect, test } from "vitest";
import { Explorer } from "../../../sim/model/explorer.ts";
import { checkLiveness } from "../../../sim/model/liveness.ts";
import { type Bounds, smallBounds } from "./bounds.ts";
import { agentLiveness } from "./liveness.ts";
import { mutantNamed, usual } from "./testing/refute.ts";

const bounds: Bounds = { ...smallBounds, retracts: 0, maintenances: 0, writeFaults: 0 };

describe("agentLiveness", () => {
  test("agentLiveness() finds an end to every wait, while the host answers", async () => {
    const { model, fairness } = agentLiveness({ policy: usual, bounds });
    const explorer = new Explorer(model);
    expect((await explorer.run()).outcome).toBe("proved");
    const { outcome, pending } = await checkLiveness(explorer, fairness);
    expect(outcome).toBe("proved");
    expect(Object.values(pending).filter((states) => states === 0)).toEqual([]);
  });

  test("agentLiveness() finds the turns that follow one another for ever", async () => {
    const { transition } = mutantNamed("claims no steers");
    const { model, fairness } = agentLiveness({ policy: usual, bounds: { ...bounds, sends: 1 }, transition });
    const explorer = new Explorer(model);
    expect((await explorer.run()).outcome).toBe("proved");
    const { outcome, violation } = await checkLiveness(explorer, fairness);
    expect(outcome).toBe("violated");
    expect(violation?.stem.steps.map(({ text }) => text)).toContain("steer a");
    expect(violation?.cycle.map(({ text }) => text)).toContain("proposed 1.1 enter []");
  });
});
