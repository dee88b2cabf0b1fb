import { expect, test } from "vitest";
import { type Scenario, scenario, type World } from "../sim/scenario.ts";
import { explore } from "./explore.ts";
import { replay } from "./replay.ts";
import { parseRepro, type Repro } from "./repro.ts";
import { formatRepro } from "./repro-file.ts";
import { lostWakeup } from "./testing/lost-wakeup.ts";

type Violated = Extract<Awaited<ReturnType<typeof explore>>, { outcome: "violated" }>;

async function violated(subject: Scenario, options: Parameters<typeof explore>[1] = {}): Promise<Violated> {
  const result = await explore(subject, options);
  if (result.outcome !== "violated") throw new Error(`expected a violation, found ${JSON.stringify(result)}`);
  return result;
}

const withoutChoices = (repro: Repro): Repro => ({ ...repro, choices: null });

/** Fails on the schedule of the repro, and holds when any single thing is taken from it. */
async function expectMinimal(subject: Scenario, repro: Repro): Promise<void> {
  const kept = withoutChoices(repro);
  expect((await replay(subject, kept)).violation?.name).toBe(repro.violates);
  const lesser: Repro[] = [
    ...repro.orderings.map((_, at) => ({ ...kept, orderings: repro.orderings.toSpliced(at, 1) })),
    ...repro.faults.map((_, at) => ({ ...kept, faults: repro.faults.toSpliced(at, 1) })),
    ...repro.data.flatMap((index, at) => (index === 0 ? [] : [{ ...kept, data: repro.data.with(at, 0) }])),
  ];
  for (const less of lesser) expect((await replay(subject, less)).violation?.name).not.toBe(repro.violates);
}

/** Replays the pair in both orders on top of nothing else: one fails, the other holds. */
async function expectPairDecides(subject: Scenario, repro: Repro): Promise<void> {
  const [first, then] = repro.criticalPair ?? ["", ""];
  const kept = withoutChoices(repro);
  expect((await replay(subject, { ...kept, orderings: [{ first, then }] })).outcome).toBe("violated");
  expect((await replay(subject, { ...kept, orderings: [{ first: then, then: first }] })).outcome).toBe("held");
}

async function expectRepeats(subject: Scenario, repro: Repro, times = 100): Promise<void> {
  const again = parseRepro(formatRepro(repro), "the repro");
  for (let time = 0; time < times; time++) {
    const { outcome, violation, firstDifference } = await replay(subject, again);
    expect({ outcome, name: violation?.name, firstDifference }).toEqual({ outcome: "violated", name: repro.violates });
  }
}

function clerk(world: World, name: string, seat: { booked: number }, label = "write"): void {
  world.actor(name, async () => {
    const before = await world.io(`${name}:read`, () => seat.booked);
    await world.io(`${name}:${label}`, () => {
      seat.booked = before + 1;
    });
  });
}

function booking(name: string, body: (world: World, seat: { booked: number }) => void): Scenario {
  return scenario(name, (world) => {
    const seat = { booked: 0 };
    body(world, seat);
    world.atQuiescence("both bookings count", () => seat.booked === 2 || `${seat.booked} counted`);
  });
}

const lostUpdate = booking("two clerks book", (world, seat) => {
  clerk(world, "ann", seat);
  clerk(world, "bob", seat);
});

test("explore() shrinks a lost update to one ordering, which is also the critical pair", async () => {
  const found = await violated(lostUpdate);
  expect(found).toMatchObject({ verdict: "bug", ambiguous: [], seed: "two clerks book" });
  expect(found.violation).toMatchObject({ kind: "quiescence", name: "both bookings count", detail: "1 counted" });
  const { choices, foundBy, ...rest } = found.repro;
  expect(rest).toEqual({
    format: 1,
    scenario: "two clerks book",
    title: "Broken: both bookings count",
    violates: "both bookings count",
    level: "spec",
    verdict: "bug",
    expect: "violation",
    script: [],
    faults: [],
    data: [],
    orderings: [{ first: "bob:read#1", then: "ann:write#1" }],
    criticalPair: ["bob:read#1", "ann:write#1"],
  });
  expect(choices).toMatch(/^ml1:/);
  expect(foundBy).toMatchObject({ seed: "two clerks book", executions: found.executions });
  await expectMinimal(lostUpdate, found.repro);
  await expectPairDecides(lostUpdate, found.repro);
  await expectRepeats(lostUpdate, found.repro);
});

test("explore() writes the same bytes twice, and finds the same from every seed", async () => {
  const once = formatRepro((await violated(lostUpdate)).repro);
  expect(formatRepro((await violated(lostUpdate)).repro)).toBe(once);
  for (const seed of ["a", "b", "c", "d", "e"]) {
    const { repro } = await violated(lostUpdate, { seed, strategy: "random" });
    expect(repro.orderings).toHaveLength(1);
    await expectMinimal(lostUpdate, repro);
    expect(repro.criticalPair).not.toBeNull();
  }
});

test("explore() tells a failure of the first-come schedule without orderings or a pair", async () => {
  const subject = scenario("it throws at once", (world) => {
    world.events("user", [
      ["go", () => world.note("gone")],
      [
        "throw",
        () => {
          throw new Error("boom");
        },
      ],
    ]);
  });
  const found = await violated(subject);
  expect(found.violation).toMatchObject({ kind: "error", detail: "Error: boom", at: "user:throw#1" });
  expect(found.violation.stack).toContain("explore.test.ts");
  expect(found.repro).toMatchObject({ orderings: [], faults: [], data: [], criticalPair: null, verdict: "bug" });
  expect(found.repro.foundBy.executions).toBe(1);
  await expectRepeats(subject, found.repro, 10);
});

const peek = scenario("a look into an open drawer", (world) => {
  let open = false;
  let seen = false;
  world.events("user", [
    [
      "open",
      async () => {
        for (let tick = 0; tick < 6; tick++) {
          open = tick >= 3;
          await null;
        }
        open = false;
      },
    ],
    [
      "look",
      () => {
        seen ||= open;
      },
    ],
  ]);
  world.always("nobody looks into the open drawer", () => !seen);
});

test("explore() tells a race that needs a late arrival as fragile, with its anchor in the pair", async () => {
  expect((await explore(peek, { executions: 200 })).outcome).toBe("held");
  const found = await violated(peek, { level: "jitter" });
  expect(found).toMatchObject({ verdict: "fragile", repro: { level: "jitter", orderings: [], data: [] } });
  expect(found.repro.faults).toEqual([{ at: "user:look#1", kind: "late", arg: expect.any(Number) }]);
  expect(found.repro.criticalPair).toEqual(["user:open#1", "user:look#1"]);
  await expectMinimal(peek, found.repro);
  await expectRepeats(peek, found.repro);
});

test("explore() calls a bug a bug, also when the level is jitter", async () => {
  for (const seed of ["a", "b", "c", "d", "e"]) {
    const { repro } = await violated(lostUpdate, { level: "jitter", seed, strategy: "random" });
    expect(repro).toMatchObject({ level: "spec", verdict: "bug", faults: [] });
    await expectMinimal(lostUpdate, repro);
    await expectRepeats(lostUpdate, repro, 3);
  }
});

test("explore() finds an actor that is stuck, and who should have come first", async () => {
  const { repro, violation } = await violated(lostWakeup);
  expect(violation).toMatchObject({ kind: "stuck", name: "consumer" });
  expect(repro).toMatchObject({ title: "Stuck: consumer", criticalPair: ["producer:make#1", "consumer:think#1"] });
  await expectMinimal(lostWakeup, repro);
  await expectPairDecides(lostWakeup, repro);
  await expectRepeats(lostWakeup, repro, 10);
});

// Needs a fault, a choice of data and an ordering at once.
const threefold = scenario("a retry after a stop", (world) => {
  let stopped = false;
  let wrong = false;
  const retries = world.choose("retries", [0, 1]);
  world.actor("agent", async () => {
    for (let attempt = 0; attempt <= retries; attempt++) {
      try {
        await world.io("agent:write", () => null, { mayFail: true });
        return;
      } catch {
        if (attempt < retries) wrong ||= stopped;
      }
    }
  });
  world.events("user", [
    [
      "stop",
      () => {
        stopped = true;
      },
    ],
  ]);
  world.always("no retry after a stop", () => !wrong);
});

test("explore() keeps the fault, the data and the ordering that only together fail", async () => {
  const { repro } = await violated(threefold, { strategy: "random" });
  expect(repro.faults).toEqual([{ at: "agent:write#1", kind: "fail" }]);
  expect(repro.orderings).toEqual([{ first: "user:stop#1", then: "agent:write#1" }]);
  expect(repro.data).toEqual([1]);
  expect(repro.criticalPair).toEqual(["user:stop#1", "agent:write#1"]);
  await expectMinimal(threefold, repro);
  await expectRepeats(threefold, repro, 10);
});

test("explore() answers held as the search does", async () => {
  const result = await explore(
    scenario("nothing to break", (world) => world.actor("one", () => world.delay("pause"))),
    { executions: 10 },
  );
  expect(result).toMatchObject({ outcome: "held", ambiguous: [], reached: { goals: {}, missing: [] } });
});
