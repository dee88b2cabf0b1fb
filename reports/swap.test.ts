import { describe, expect, test } from "vitest";
import type { StackFrame, Swap } from "../repro/swap.ts";
import type { Violation } from "../sim/result.ts";
import { askedLines, breakLines, differsLines } from "./swap.ts";

const options = { color: false, full: false, replayArguments: null, command: "npx microloom" };
const at = (file: string, line: number) => ({ file, line, column: 5 });
const frame = (name: string | null, file: string, line: number, async = false): StackFrame => {
  return { name, at: at(file, line), async };
};

const side = { from: 3, steps: [], more: 0, violation: null };
const violation: Violation = {
  kind: "quiescence",
  name: "all is told",
  detail: "b lies there",
  at: "agent:teardown#1",
};
const swap: Swap = {
  pair: ["user:send b#1", "agent:teardown#1"],
  failing: { ...side, violation },
  passing: side,
  differs: {
    first: null,
    deliveries: { failing: [], passing: ["agent:model#2", "agent:chunk#1", "agent:chunk#2", "agent:end#1"] },
    notes: { failing: [], passing: [{ at: "agent:model#2", event: "told", data: { message: "b" } }] },
  },
  stacks: [
    { delivery: "user:send b#1", frames: [frame(null, "test/agent.test.ts", 9)] },
    {
      delivery: "agent:teardown#1",
      frames: [
        { ...frame("teardown", "test/agent.test.ts", 6), handsOn: true },
        frame("Agent.#drive", "src/agent.ts", 34),
        frame("Agent.send", "src/agent.ts", 12, true),
      ],
    },
  ],
};

describe("askedLines()", () => {
  test("tells where each of the two was asked for, innermost first", () => {
    expect(askedLines(swap, options)).toEqual([
      "  Where the two were asked for:",
      '    "send b" (user)',
      "      at test/agent.test.ts:9:5",
      '    "teardown" (agent)',
      "      at teardown (test/agent.test.ts:6:5)",
      "      at Agent.#drive (src/agent.ts:34:5)",
    ]);
    expect(askedLines(swap, { ...options, full: true }).at(-1)).toBe("      at async Agent.send (src/agent.ts:12:5)");
  });

  test("tells nothing where nothing is known", () => {
    expect(askedLines(null, options)).toEqual([]);
    const unknown = { delivery: "a:b#1", frames: [] };
    expect(askedLines({ ...swap, stacks: [unknown, unknown] }, options)).toEqual([]);
    expect(askedLines({ ...swap, stacks: [unknown, swap.stacks[0]] }, options)[0]).toBe("  Where it was asked for:");
  });
});

describe("breakLines()", () => {
  test("names the code under test, not the port that it calls, then the condition", () => {
    expect(breakLines({ ...violation, declaredAt: at("test/agent.test.ts", 20) }, swap.stacks, null, options)).toEqual([
      "  Break at:",
      '    src/agent.ts:34:5  where "teardown" (agent), the later of the two, is asked for',
      "    test/agent.test.ts:20:5  the condition that does not hold",
    ]);
  });

  test("takes the caller of the port where all is in one file, and the port where it has no caller", () => {
    const [first, then] = swap.stacks;
    const file = "test/agent.test.ts";
    const port = { ...frame("teardown", file, 6), handsOn: true } as const;
    const caller = [frame("Agent.#drive", file, 34), frame("Agent.send", file, 12)];
    const declared = { ...violation, declaredAt: at(file, 20) };
    const broken = (frames: readonly StackFrame[]): string | undefined => {
      return breakLines(declared, [first, { ...then, frames }], null, options)[1];
    };
    expect(broken([port, ...caller])).toContain(`${file}:34:5`);
    expect(broken([port, port, ...caller])).toContain(`${file}:34:5`);
    expect(broken(caller)).toContain(`${file}:34:5`);
    expect(broken([port, frame("body", file, 7, true)])).toContain(`${file}:6:5`);
    expect(broken([port])).toContain(`${file}:6:5`);
    expect(broken([])).toContain(`${file}:20:5  the condition`);
  });

  test("names whoever asked for the first of the two where the later one is a step of the scenario", () => {
    const [declared, call] = swap.stacks;
    const step = { ...declared, step: true } as const;
    expect(breakLines(violation, [call, step], null, options)).toEqual([
      "  Break at:",
      '    src/agent.ts:34:5  where "teardown" (agent), the first of the two, is asked for',
      '    test/agent.test.ts:9:5  where "send b" (user), the later of the two, is asked for',
    ]);
  });

  test("names where an error is thrown, where a drain goes on, and where a wait never ends", () => {
    const thrown: Violation = {
      ...violation,
      kind: "error",
      stack: "at Shop.sell (src/shop.ts:7:9)\nat run (src/x.ts:1:1)",
    };
    expect(breakLines(thrown, null, null, options)).toEqual(["  Break at:", "    src/shop.ts:7:9  where it is thrown"]);
    const spins: Violation = { ...violation, kind: "livelock", stack: "at async src/shop.ts:8:1" };
    expect(breakLines(spins, null, null, options)).toEqual([
      "  Break at:",
      "    src/shop.ts:8:1  where it goes on and on",
    ]);
    const made = { at: at("src/lock.ts", 3), within: null, by: "a" };
    const link = (file: string) => ({ how: "await", at: at(file, 5), made, beside: 0 }) as const;
    const links = [link("node_modules/p-limit/index.js"), link("src/move.ts")];
    const waits = {
      seen: "all",
      waits: [{ who: "a", alike: 0, made: null, links, root: { kind: "code" } }],
      more: 0,
      cycle: [],
    } as const;
    expect(breakLines({ ...violation, kind: "stuck", waits }, null, null, options)).toEqual([
      "  Break at:",
      "    src/move.ts:5:5  where the wait never ends",
    ]);
  });
});

describe("differsLines()", () => {
  test("tells what was on one side only", () => {
    expect(differsLines(swap, options)).toEqual([
      "  What differs:",
      '    only when it holds, the second "model" (agent), "chunk" (agent), the second "chunk" (agent) and 1 more came',
      '    only when it holds, told {"message":"b"} was noted',
    ]);
    expect(differsLines(null, options)).toEqual([]);
  });

  test("tells the first difference where both sides did the same things", () => {
    const none = { failing: [], passing: [] };
    const place = { step: 4, name: "a:x#1", note: null, possible: ["a:x#1", "b:y#1"] };
    const other = { ...place, name: "b:y#1", note: { event: "sold", data: 2 }, possible: [] };
    const told = (kind: "note" | "possible" | "step", passing = other): string[] => {
      return differsLines(
        { ...swap, differs: { first: { kind, failing: place, passing }, deliveries: none, notes: none } },
        options,
      );
    };
    expect(told("note").slice(1)).toEqual([
      '    when it fails, "x" (a) notes nothing more',
      '    when it holds, "y" (b) notes sold 2',
    ]);
    expect(told("possible").slice(1)).toEqual([
      '    when it fails, step 4 could be "x" (a), "y" (b)',
      "    when it holds, step 4 could be nothing",
    ]);
    expect(told("step").slice(1)).toEqual([
      '    when it fails, step 4 is "x" (a)',
      '    when it holds, step 4 is "y" (b)',
    ]);
    const end = differsLines(
      {
        ...swap,
        differs: {
          first: { kind: "step", failing: { ...place, name: null }, passing: other },
          deliveries: none,
          notes: none,
        },
      },
      options,
    );
    expect(end[1]).toBe("    when it fails, nothing comes after step 3");
    expect(differsLines({ ...swap, differs: { first: null, deliveries: none, notes: none } }, options)[1]).toBe(
      "    nothing but the failure itself: no other delivery came, and nothing else was noted",
    );
  });

  test("tells the order of both sides where nothing else differs, in short", () => {
    const steps = (...names: string[]) => names.map((name) => ({ name, tick: 0, fault: null, notes: [] }));
    const [a, b] = [steps("ada:read#1", "bob:read#1", "ada:write#1"), steps("ada:read#1", "ada:write#1", "bob:read#1")];
    const many = steps(...Array.from({ length: 9 }, (_, index) => `bob:write#${index + 1}`));
    const told = (full: boolean): string[] =>
      differsLines(
        {
          ...swap,
          failing: { ...side, steps: [...a, ...many], more: 5 },
          passing: { ...side, from: 1, steps: b },
          differs: { first: null, deliveries: { failing: [], passing: [] }, notes: { failing: [], passing: [] } },
        },
        { ...options, full },
      );
    expect(told(false)).toEqual([
      "  What differs:",
      "    the order alone: no other delivery came, and nothing else was noted",
      '    when it fails: … "read" (ada), "read" (bob), "write" (ada), "write" (bob), the second "write" (bob), the third "write" (bob) and 11 more',
      '    when it holds: "read" (ada), "write" (ada), "read" (bob)',
    ]);
    expect(told(true)[2]).toContain("and 5 more");
  });
});
