/** A drain without end is told with the line that goes on, where anything can be seen of it from inside. */
import { expect, test } from "vitest";
import { scenario } from "../sim/scenario.ts";
import { search } from "../sim/search.ts";
import { explore } from "./explore.ts";
import { replay } from "./replay.ts";

const loops: Readonly<Record<string, (() => unknown) | undefined>> = {
  async awaits() {
    for (;;) await null;
  },
  ticks() {
    const again = (): void => process.nextTick(again);
    again();
  },
  microtasks() {
    const again = (): void => queueMicrotask(again);
    again();
  },
  clock() {
    const start = Date.now();
    while (Date.now() === start);
  },
};

test.each([
  ["awaits", /^at (?:\w+\.)?awaits \(repro\/livelock\.test\.ts:10:/],
  ["ticks", /^at again \(repro\/livelock\.test\.ts:13:/],
  ["microtasks", /^at again \(repro\/livelock\.test\.ts:17:/],
  ["clock", /^at (?:\w+\.)?clock \(repro\/livelock\.test\.ts:22:/],
] as const)("search() names the line of an endless drain of %s", async (name, line) => {
  // Not in the first-come order, which is watched closely and given more time before it is suspected.
  const spinning = scenario("spinning", (world) => {
    let open = false;
    world.events("user", [["go", () => open && void loops[name]?.()]]);
    world.events("door", [["open", () => (open = true)]]);
  });
  const result = await search(spinning);
  expect(result).toMatchObject({
    outcome: "violated",
    violation: { kind: "livelock", name: "the drain of user:go#1", stack: expect.stringMatching(line) },
  });
});

test("explore() tells whom an endless drain keeps waiting, and what it starves", async () => {
  const spinning = scenario("starving", (world) => {
    let open = false;
    let served = (): void => undefined;
    const turn = new Promise<void>((resolve) => (served = resolve));
    world.actor("guest", () => turn);
    world.events("user", [
      [
        "go",
        async () => {
          void world.io("shop:serve", () => served());
          if (open) for (;;) await null;
        },
      ],
    ]);
    world.events("door", [["open", () => (open = true)]]);
  });
  const result = await explore(spinning);
  if (result.outcome !== "violated") throw new Error(result.outcome);
  const { violation, repro } = result;
  expect(violation.waits).toEqual({
    seen: "none",
    waits: [{ who: "guest", alike: 0, made: null, links: [], root: { kind: "unknown" } }],
    more: 0,
    cycle: [],
    kept: {
      by: "drain",
      what: [{ name: "the drain of user:go#1", at: { file: "repro/livelock.test.ts", line: 56, column: 30 } }],
      starved: ["shop:serve#1"],
    },
  });
  expect((await replay(spinning, repro)).violation).toEqual(violation);
});
