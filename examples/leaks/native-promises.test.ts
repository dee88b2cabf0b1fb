import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { StubEngine, withRealm } from "../../sim/microtask/realm/testing/in-realm.ts";
import { runtime } from "../../sim/microtask/runtime.ts";
import { describeLeaks, type Leak, LeakDetector, type Watch } from "../../sim/native/leaks/detector.ts";
import { lowered } from "../../sim/testing/lowered.ts";
import { nativePromises, newer } from "./native-promises.ts";

const { microtasks } = runtime;
const lines = readFileSync(new URL("native-promises.ts", import.meta.url), "utf8").split("\n");
const here = Object.entries({ ...nativePromises, ...("fromAsync" in Array ? newer : {}) });

/** Runs code as an execution of the microtask engine, and says what has escaped. */
function leaksOf(code: () => unknown, watch: Watch, nativePromises: "usual" | "leak" = "leak"): readonly Leak[] {
  const detector = new LeakDetector();
  detector.nativePromises = nativePromises;
  const engine = new StubEngine({ leaked: detector.record.bind(detector) });
  withRealm(engine, () => {
    microtasks.begin({
      ran: () => {},
      enqueued: () => {},
      unhandled: () => {},
      uncaught: () => {},
      foreign: detector.record.bind(detector, "foreign promise", undefined),
      importing: detector.record.bind(detector, "dynamic import", undefined),
    });
    engine.live = true;
    detector.begin(watch);
    try {
      code();
      microtasks.drain();
    } finally {
      engine.live = false;
      microtasks.end();
      detector.detach();
    }
  });
  detector.end();
  return detector.leaks();
}

describe("native promises on the microtask engine", () => {
  test.each(here)("are a leak at the line of: %s", (name, code) => {
    for (const watch of ["origins", "resources"] as const) {
      const [leak] = leaksOf(code, watch);
      const line = lines.findIndex((text) => text.endsWith(`// leaks: ${name}`)) + 1;
      expect(leak).toMatchObject({
        kind: name.split(",")[0],
        where: { file: "examples/leaks/native-promises.ts", line },
      });
    }
  });

  test.each(Object.entries(nativePromises))("are none on the native engine: %s", (_, code) => {
    expect(leaksOf(code, "resources", "usual")).toEqual([]);
  });

  test("lowered code that imports dynamically leaks where it does", () => {
    const code = lowered<() => unknown>(import.meta.url, "return () => import('node:zlib').catch(() => 0);");
    const [leak] = leaksOf(code, "origins");
    expect(leak).toMatchObject({ kind: "dynamic import", where: { file: "examples/leaks/native-promises.test.ts" } });
  });

  test("lowered code that awaits a promise of before leaks, and its own promises do not", () => {
    const ready = Promise.resolve();
    const waits = lowered<(promise: unknown) => unknown>(
      import.meta.url,
      "return async (p) => { await null; await p; };",
    );
    const kinds = leaksOf(() => waits(ready), "origins").map(({ kind }) => kind);
    expect([...new Set(kinds)]).toEqual(["foreign promise"]);
    expect(leaksOf(() => waits(Promise.resolve()), "origins")).toEqual([]);
  });

  test("each says what to do", () => {
    const fixes = here.map(([, code]) => describeLeaks(leaksOf(code, "resources")));
    for (const fix of fixes) expect(fix).toMatch(/^[\w. ]+ outside of the scheduler's hands: .{20}/);
    expect(fixes[0]).toContain("microloom/vite or node --import microloom/loader");
  });

  test("promises of the engine's own are no leak", () => {
    const code = () => Promise.all([Promise.resolve().then(() => 1), new Promise(() => {})]);
    expect(leaksOf(code, "origins")).toEqual([]);
  });
});
