import { beforeAll, expect, test } from "vitest";
import { ExploreOptionsError } from "../sim/bounds.ts";
import { type Scenario, ScenarioError, scenario } from "../sim/scenario.ts";
import { explore } from "./explore.ts";
import { replay } from "./replay.ts";
import { type Repro, ReproError } from "./repro.ts";

type Edit = { readonly write?: string; readonly extra?: boolean; readonly fixed?: boolean };

/** Two clerks that lose an update; the edits are what people do to code after a repro was written. */
function clerks({ write = "write", extra = false, fixed = false }: Edit = {}): Scenario {
  return scenario("clerks", (world) => {
    let booked = 0;
    for (const clerk of ["ann", "bob"]) {
      world.actor(clerk, async () => {
        const before = await world.io(`${clerk}:read`, () => booked);
        if (extra) await world.delay(`${clerk}:log`);
        await world.io(`${clerk}:${write}`, () => {
          booked = fixed ? booked + 1 : before + 1;
        });
      });
    }
    world.atQuiescence("both count", () => booked === 2);
  });
}

let repro: Repro;
beforeAll(async () => {
  const found = await explore(clerks());
  if (found.outcome !== "violated") throw new Error("expected a violation");
  repro = found.repro;
});

test("replay() is strict by default for a failure with its choices", async () => {
  expect(await replay(clerks(), repro)).toMatchObject({
    outcome: "violated",
    met: ["bob:read#1 before ann:write#1"],
    unmet: [],
    neverAppeared: [],
    violation: { name: "both count" },
  });
});

test("replay() strictly names the first step that differs after an edit", async () => {
  const harmless = await replay(clerks({ extra: true }), repro);
  expect(harmless.outcome).toBe("no-longer-fits");
  expect(harmless.firstDifference).toEqual({
    step: 5,
    recorded: "ann:write#1, 2 possible",
    now: "ann:log#1, 2 possible",
  });
});

test("replay() follows the orderings best-effort through a harmless edit", async () => {
  expect(await replay(clerks({ extra: true }), repro, { mode: "best-effort" })).toMatchObject({
    outcome: "violated",
    met: ["bob:read#1 before ann:write#1"],
    unmet: [],
    violation: { name: "both count" },
  });
});

test("replay() no longer fits after a label was renamed, and says what never appeared", async () => {
  const renamed = await replay(clerks({ write: "store" }), repro, { mode: "best-effort" });
  expect(renamed).toMatchObject({
    outcome: "no-longer-fits",
    met: [],
    unmet: ["bob:read#1 before ann:write#1"],
    neverAppeared: ["ann:write#1"],
  });
  expect(renamed.violation).toBeUndefined();
});

test("replay() holds a repro that is expected to hold, once the bug is fixed", async () => {
  const kept: Repro = { ...repro, expect: "held", choices: null };
  expect(await replay(clerks({ fixed: true }), kept)).toEqual({
    outcome: "held",
    met: ["bob:read#1 before ann:write#1"],
    unmet: [],
    neverAppeared: [],
  });
  expect((await replay(clerks(), kept)).outcome).toBe("violated");
  // With the choices still in the file it replays best-effort too, because it is no failure any more.
  expect((await replay(clerks({ fixed: true, extra: true }), { ...repro, expect: "held" })).outcome).toBe("held");
});

test("replay() no longer fits when a fault cannot strike", async () => {
  const faults: Repro["faults"] = [{ at: "ann:read#1", kind: "fail" }];
  const struck = await replay(clerks({ fixed: true }), { ...repro, choices: null, faults });
  expect(struck).toMatchObject({ outcome: "no-longer-fits", unmet: ["ann:read#1 made to fail"], neverAppeared: [] });
});

test("replay() says when two runs of one schedule differ", async () => {
  let executions = 0;
  const unsteady = scenario("unsteady", (world) => {
    const turn = executions++;
    world.actor("one", () => world.delay(`one:pause ${turn}`));
  });
  const plain: Repro = { ...repro, orderings: [], choices: null };
  expect((await replay(unsteady, plain)).outcome).toBe("diverged");
});

test("replay() refuses a broken repro, broken choices, and a mode that it does not know", async () => {
  const broken: Repro = { ...repro, orderings: [{ first: "bob", then: "ann:write#1" }] };
  await expect(replay(clerks(), broken)).rejects.toThrow(/^Cannot read the repro: at orderings\[0\]\.first expected/);
  const cut: Repro = { ...repro, choices: (repro.choices ?? "").slice(0, -3) };
  await expect(replay(clerks(), cut)).rejects.toThrow(ReproError);
  expect((await replay(clerks(), cut, { mode: "best-effort" })).outcome).toBe("violated");
  await expect(replay(clerks(), { ...repro, choices: null }, { mode: "strict" })).rejects.toThrow(
    'Cannot replay strictly: expected choices, found null; replay it with mode "best-effort"',
  );
  await expect(Reflect.apply(replay, undefined, [clerks(), repro, { mode: "loose" }])).rejects.toThrow(
    'Cannot replay: expected mode "strict" or "best-effort", found "loose"',
  );
});

test("replay() refuses what is no scenario, and a level that it cannot run", async () => {
  await expect(replay({ name: "clerks" }, repro)).rejects.toThrow(ScenarioError);
  await expect(replay(clerks(), { ...repro, level: "free" }, { mode: "best-effort" })).rejects.toThrow(
    ExploreOptionsError,
  );
});
