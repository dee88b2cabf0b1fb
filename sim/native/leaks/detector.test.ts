import { readFile } from "node:fs";
import { describe, expect, test } from "vitest";
import { scenario } from "../../scenario.ts";
import { search } from "../../search.ts";

const endless: Readonly<Record<string, () => unknown>> = {
  awaits: async () => {
    for (;;) await null;
  },
  microtasks: () => {
    const again = (): void => queueMicrotask(again);
    again();
  },
  ticks: () => {
    const again = (): void => process.nextTick(again);
    again();
  },
};
const leaking = scenario("leaks", () => readFile(import.meta.filename, () => undefined));

describe("LeakDetector", () => {
  // To be terminated inside of a hook would be the end of all hooks in this process.
  test.each(Object.entries(endless))("still sees a leak after an endless loop of %s was ended", async (_, loop) => {
    const ended = await search(
      scenario("endless", (world) => world.events("user", [["go", () => void loop()]])),
      { strategy: "first-come" },
    );
    expect(ended).toMatchObject({ outcome: "violated", violation: { kind: "livelock" } });
    expect(await search(leaking)).toMatchObject({ outcome: "leaked" });
  });
});
