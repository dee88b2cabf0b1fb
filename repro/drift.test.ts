import { beforeAll, describe, expect, test } from "vitest";
import { type Scenario, scenario } from "../sim/scenario.ts";
import { explore } from "./explore.ts";
import { replay } from "./replay.ts";
import type { Repro } from "./repro.ts";

type Edit = { readonly write?: string; readonly log?: boolean; readonly actor?: boolean; readonly fixed?: boolean };

function clerks({ write = "write", log = false, actor = false, fixed = false }: Edit = {}): Scenario {
  return scenario("clerks", (world) => {
    let booked = 0;
    for (const clerk of ["ann", "bob"]) {
      world.actor(clerk, async () => {
        const before = await world.io(`${clerk}:read`, () => booked);
        if (log) await world.delay(`${clerk}:log`);
        await world.io(`${clerk}:${write}`, () => {
          booked = fixed ? booked + 1 : before + 1;
        });
      });
    }
    if (actor) world.actor("cat", () => undefined);
    world.atQuiescence("both count", () => booked === 2);
  });
}

let repro: Repro;
beforeAll(async () => {
  const found = await explore(clerks());
  if (found.outcome !== "violated") throw new Error("expected a violation");
  repro = found.repro;
});

describe("drift", () => {
  test("is absent where nothing has changed", async () => {
    expect((await replay(clerks(), repro)).drift).toBeUndefined();
    expect((await replay(clerks(), repro, { mode: "best-effort" })).drift).toBeUndefined();
    expect((await replay(clerks(), { ...repro, choices: null })).drift).toBeUndefined();
  });

  test("names what is new, and tells in both modes what best-effort answers", async () => {
    const bestEffort = {
      outcome: "violated",
      violates: "both count",
      met: ["bob:read#1 before ann:write#1"],
      unmet: [],
    };
    const loose = await replay(clerks({ log: true }), repro, { mode: "best-effort" });
    expect(loose.drift).toMatchObject({
      added: ["ann:log#1", "bob:log#1"],
      gone: [],
      lookAlikes: [],
      parting: { why: "a delivery is new" },
      bestEffort,
    });
    const strict = await replay(clerks({ log: true }), repro);
    expect(strict).toMatchObject({ outcome: "no-longer-fits", firstDifference: { step: 5 }, drift: loose.drift });
  });

  test("says when the code only has more to choose from", async () => {
    const { drift } = await replay(clerks({ actor: true }), repro);
    expect(drift?.parting).toMatchObject({
      step: 1,
      recorded: "ann:start#1, 2 possible",
      now: "ann:start#1, 3 possible",
      why: "more is possible",
    });
  });

  test("guesses a new label, runs nothing by it, and says that the recorded order would still fail", async () => {
    const { outcome, drift } = await replay(clerks({ write: "store" }), repro, { mode: "best-effort" });
    expect(outcome).toBe("no-longer-fits");
    expect(drift).toMatchObject({
      gone: ["ann:write#1", "bob:write#1"],
      lookAlikes: [
        { gone: "ann:write#1", now: "ann:store#1", differs: "label" },
        { gone: "bob:write#1", now: "bob:store#1", differs: "label" },
      ],
      bestEffort: { outcome: "no-longer-fits", met: [], unmet: ["bob:read#1 before ann:write#1"] },
      guesses: { wouldViolate: true, taken: [], newComes: null },
    });
  });

  test("guesses among what the repro does not name where the recorded execution is not known", async () => {
    const { drift } = await replay(clerks({ write: "writes" }), { ...repro, choices: null });
    expect(drift).toMatchObject({
      added: [],
      gone: ["ann:write#1"],
      lookAlikes: [{ gone: "ann:write#1", now: "ann:writes#1", differs: "label" }],
      parting: null,
    });
  });

  test("is plain data", async () => {
    const { drift } = await replay(clerks({ write: "store", log: true, actor: true }), repro);
    expect(JSON.parse(JSON.stringify(drift))).toEqual(drift);
  });

  test("of a fix says that it holds by the orderings alone", async () => {
    const { outcome, drift } = await replay(clerks({ fixed: true, log: true }), repro);
    expect(outcome).toBe("no-longer-fits");
    expect(drift?.bestEffort).toMatchObject({ outcome: "held", unmet: [] });
    expect(drift?.guesses).toEqual({ taken: [], newComes: null, wouldMeet: [], wouldViolate: false });
  });
});
