/** A drain without end is told with the line that goes on, where anything can be seen of it from inside. */
import { expect, test } from "vitest";
import { scenario } from "../sim/scenario.ts";
import { search } from "../sim/search.ts";

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
  ["awaits", /^at (?:\w+\.)?awaits \(repro\/livelock\.test\.ts:8:/],
  ["ticks", /^at again \(repro\/livelock\.test\.ts:11:/],
  ["microtasks", /^at again \(repro\/livelock\.test\.ts:15:/],
  ["clock", /^at (?:\w+\.)?clock \(repro\/livelock\.test\.ts:20:/],
] as const)("search() names the line of an endless drain of %s", async (name, line) => {
  const spinning = scenario("spinning", (world) => {
    world.events("user", [["go", () => void loops[name]?.()]]);
  });
  const result = await search(spinning, { strategy: "first-come" });
  expect(result).toMatchObject({
    outcome: "violated",
    violation: { kind: "livelock", name: "the drain of user:go#1", stack: expect.stringMatching(line) },
  });
});
