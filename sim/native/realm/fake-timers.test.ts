import { mock } from "node:test";
import timers from "node:timers";
import { afterEach, describe, expect, test, vi } from "vitest";
import { scenario } from "../../scenario.ts";
import { search } from "../../search.ts";

const subject = scenario("under fake timers", (world) => void world.delay("x"));
const found = ["setTimeout", "setInterval", "setImmediate", "clearTimeout", "clearInterval", "clearImmediate"].map(
  (key) => ({ key, descriptor: Object.getOwnPropertyDescriptor(globalThis, key) ?? {} }),
);

afterEach(() => {
  vi.useRealTimers();
  mock.timers.reset();
  vi.restoreAllMocks();
  for (const { key, descriptor } of found) Object.defineProperty(globalThis, key, descriptor);
});

async function outcome(explored = search): Promise<string> {
  try {
    return (await explored(subject, { executions: 2 })).outcome;
  } catch (error) {
    return String(error);
  }
}

describe("refuseFakeTimers() refuses the fake timers", () => {
  const fix = "call vi.useRealTimers(), jest.useRealTimers() or clock.uninstall() before";
  const parts = ["Date", "setTimeout", "setInterval", "setImmediate", "queueMicrotask"] as const;

  test("of Vitest", async () => {
    vi.useFakeTimers();
    expect(await outcome()).toBe(
      `FakeTimersError: Cannot explore "under fake timers" while setTimeout belongs to a fake clock: ${fix}`,
    );
    vi.useRealTimers();
    expect(await outcome()).toBe("held");
  });

  test.each(parts)("of Vitest, where only %s is fake", async (part) => {
    vi.useFakeTimers({ toFake: [part] });
    expect(await outcome()).toContain(`while ${part} belongs to a fake clock: ${fix}`);
  });

  test("of Vitest, where only the date is set", async () => {
    vi.setSystemTime(5);
    expect(await outcome()).toContain("while Date is not the platform's own: call vi.useRealTimers(), mock.timers");
  });

  test.each(["setTimeout", "setInterval", "setImmediate", "Date"] as const)("of node:test, %s", async (part) => {
    mock.timers.enable({ apis: [part] });
    expect(await outcome()).toContain(`while ${part} is mocked by node:test: call mock.timers.reset() before`);
    mock.timers.reset();
    expect(await outcome()).toBe("held");
  });

  test("of Jest's legacy kind", async () => {
    for (const { key } of found) Reflect.set(globalThis, key, vi.fn());
    expect(await outcome()).toContain("while timers are Jest's legacy fakes: call jest.useRealTimers() before");
  });

  test.each([
    ["Vitest", () => vi.useFakeTimers(), "clock.uninstall()"],
    ["node:test", () => mock.timers.enable({ apis: ["setImmediate"] }), "mock.timers.reset()"],
    ["a fake Date", () => vi.setSystemTime(5), "whatever gives Date back"],
  ])("of %s that were installed when this package was loaded", async (_, install, named) => {
    vi.resetModules();
    install();
    try {
      const loaded = await import("../../search.ts");
      vi.useRealTimers();
      mock.timers.reset();
      expect(await outcome(loaded.search)).toMatch(/FakeTimersError: .*: microloom was loaded while /);
      expect(await outcome(loaded.search)).toContain(`${named} before it is imported`);
    } finally {
      // Nobody else must get what was loaded here.
      vi.resetModules();
    }
  });
});

describe("refuseFakeTimers() does not refuse", () => {
  test("the timers of a browser-like environment, another function that returns a number", async () => {
    const real = timers.setTimeout;
    const environment = { setTimeout: (callback: () => void, ms?: number): number => Number(real(callback, ms)) };
    Reflect.set(globalThis, "setTimeout", environment.setTimeout.bind(environment));
    expect(await outcome()).toBe("held");
  });

  test("a spy on one of them", async () => {
    vi.spyOn(globalThis, "setTimeout");
    expect(await outcome()).toBe("held");
  });

  test("a function with a property that happens to be called clock", async () => {
    const real = globalThis.setTimeout;
    Reflect.set(globalThis, "setTimeout", Object.assign(real.bind(globalThis), { clock: "wall" }));
    expect(await outcome()).toBe("held");
  });
});
