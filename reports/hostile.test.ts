/** What is told comes from strangers: a report cannot fail, keeps its lines, and nothing in it can forge one. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type ExploreResult, explore } from "../repro/explore.ts";
import type { Repro } from "../repro/repro.ts";
import type { Swap } from "../repro/swap.ts";
import type { Telling } from "../repro/telling.ts";
import type { Execution, TraceStep } from "../sim/execution.ts";
import type { ViolationKind, WaitGraph } from "../sim/result.ts";
import { scenario } from "../sim/scenario.ts";
import { hostile, nastyText } from "../sim/testing/hostile.ts";
import { renderExplore, renderReplay } from "./console.ts";
import { lineLimit, lineWidth } from "./lines.ts";

type Violated = Extract<ExploreResult, { readonly outcome: "violated" }>;

const options = { color: false, full: false, replayArguments: "late.json", command: "npx microloom" };
const invisible = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/u;

const place = fc.record({ file: nastyText, line: fc.nat(), column: fc.nat() });
const kind = fc.constantFrom<ViolationKind>("always", "quiescence", "error", "stuck", "livelock", "liveness");
const name = fc.oneof(
  nastyText,
  nastyText.map((label) => `user:${label}#1`),
);
const note = fc.record({ event: nastyText, data: hostile.map((make) => make) });
const waits: fc.Arbitrary<WaitGraph> = nastyText.chain((who) =>
  place.map((at): WaitGraph => {
    const made = { at, within: who, by: who };
    const wait = {
      who,
      alike: 3,
      made,
      links: [{ how: "await", at, made, beside: 1 }],
      root: { kind: "open", delivery: who },
    } as const;
    const what = [{ name: who, at }];
    const kept = { by: who.length % 2 === 0 ? "drain" : "deliveries", what, starved: [who, who] } as const;
    return { seen: "all", waits: Array.from({ length: 20 }, () => wait), more: 9, cycle: [who, who], kept };
  }),
);
const repro: fc.Arbitrary<Repro> = fc.record({
  format: fc.constant(1 as const),
  scenario: nastyText,
  title: nastyText,
  violates: nastyText,
  level: fc.constantFrom("spec", "jitter"),
  verdict: fc.constantFrom("bug", "fragile"),
  expect: fc.constant("violation"),
  script: fc.array(fc.oneof(fc.jsonValue(), fc.record({ type: nastyText, id: nastyText })), { maxLength: 30 }),
  faults: fc.array(fc.record({ at: name, kind: fc.constantFrom("fail", "late", "hang", "partial", "crash") })),
  data: fc.array(fc.nat(), { maxLength: 20 }),
  orderings: fc.array(fc.record({ first: name, then: name }), { maxLength: 50 }),
  criticalPair: fc.option(fc.tuple(name, name)),
  choices: fc.option(nastyText),
  foundBy: fc.record({ strategy: fc.constant("placement"), seed: nastyText, executions: fc.nat() }),
});
const bareFrame = fc.record({ name: fc.option(nastyText), at: place, async: fc.boolean() });
const frame = fc.oneof(
  bareFrame,
  bareFrame.map((each) => ({ ...each, handsOn: true as const })),
);
const frames = fc.array(frame, { maxLength: 5 });
const stack = fc.record({ delivery: name, frames });
const swapSteps = fc.array(fc.record({ name, tick: fc.nat(3), fault: fc.constant(null), notes: fc.constant([]) }), {
  maxLength: 20,
});
const telling: fc.Arbitrary<Telling> = fc.record({
  pair: fc.option(fc.tuple(stack, stack)),
  struck: fc.array(fc.record({ delivery: name, frames, kind: fc.constantFrom("fail", "hang", "partial", "crash") })),
  choices: fc.array(fc.record({ label: nastyText, index: fc.nat(), value: nastyText, frames })),
  notes: fc.array(fc.record({ at: fc.option(name), event: nastyText, data: hostile.map((make) => make) })),
  notesBefore: fc.nat(),
});
const swapPlace = fc.record({
  step: fc.nat(),
  name: fc.option(name),
  note: fc.option(note),
  possible: fc.array(name, { maxLength: 3 }),
});
const sides = <T>(each: fc.Arbitrary<T>) =>
  fc.record({ failing: fc.array(each, { maxLength: 5 }), passing: fc.array(each, { maxLength: 5 }) });
const swap: fc.Arbitrary<Swap> = fc
  .record({
    pair: fc.tuple(name, name),
    stacks: fc.tuple(stack, stack),
    differs: fc.record({
      first: fc.option(
        fc.record({ kind: fc.constantFrom("note", "possible", "step"), failing: swapPlace, passing: swapPlace }),
      ),
      deliveries: sides(name),
      notes: sides(fc.record({ at: name, event: nastyText, data: hostile.map((make) => make) })),
    }),
    steps: fc.tuple(swapSteps, swapSteps),
  })
  .map(({ steps: [failing, passing], ...told }) => {
    const side = { from: 1, more: 0, violation: null };
    return { ...told, failing: { ...side, steps: failing }, passing: { ...side, steps: passing } };
  });
const told: fc.Arbitrary<Violated> = fc.record<Violated>({
  outcome: fc.constant("violated"),
  violation: fc.record(
    {
      kind,
      name: nastyText,
      detail: nastyText,
      at: fc.option(name),
      stack: nastyText,
      why: nastyText,
      declaredAt: place,
      waits,
    },
    { requiredKeys: ["kind", "name", "detail", "at"] },
  ),
  verdict: fc.constantFrom("bug", "fragile"),
  repro,
  swap: fc.option(swap),
  telling: fc.option(telling),
  executions: fc.nat(),
  reached: fc.constant({ goals: {}, missing: [] }),
  races: fc.constant({ pairs: 0, bothOrders: 0, oneOrder: [] }),
  seed: nastyText,
  ambiguous: fc.array(nastyText, { maxLength: 5 }),
});

/** Notes hold what the makers make, which fast-check itself must not see. */
function made(value: Violated): Violated {
  const { swap, telling } = value;
  return {
    ...value,
    ...(swap == null ? {} : { swap: withMadeNotes(swap) }),
    ...(telling == null ? {} : { telling: { ...telling, notes: telling.notes.map(make) } }),
  };
}

function make<T extends { readonly data: unknown }>(note: T): T {
  return { ...note, data: typeof note.data === "function" ? note.data() : note.data };
}

function withMadeNotes(swap: Swap): Swap {
  const { notes } = swap.differs;
  return {
    ...swap,
    differs: { ...swap.differs, notes: { failing: notes.failing.map(make), passing: notes.passing.map(make) } },
  };
}

describe("renderExplore()", () => {
  test("keeps to forty lines of bounded width, and nothing in them is invisible", () => {
    fc.assert(
      fc.property(nastyText, told, (scenario, drawn) => {
        const lines = renderExplore(scenario, made(drawn), options);
        expect(lines.length).toBeLessThanOrEqual(lineLimit);
        for (const line of lines) {
          expect(line.length).toBeLessThanOrEqual(lineWidth);
          expect(line).not.toMatch(invisible);
        }
        expect(lines.join("\n")).toContain("Why it matters: ");
        expect(lines.join("\n")).toContain("Replay it: npx microloom replay late.json");
      }),
      { numRuns: 200, seed: 1 },
    );
  });

  test("looks at the ends of what is huge", () => {
    const huge = `a:${"x".repeat(10_000_000)}#1`;
    const [drawn] = fc.sample(told, { numRuns: 1, seed: 8 });
    if (drawn === undefined) throw new Error("fast-check drew nothing");
    const orderings = Array.from({ length: 1_000 }, () => ({ first: huge, then: huge }));
    const violation = { ...drawn.violation, name: huge, detail: huge, at: huge, why: huge, stack: huge };
    const repro = { ...drawn.repro, orderings, criticalPair: [huge, huge] as const, script: [huge] };
    const lines = renderExplore(huge, { ...made(drawn), violation, repro, ambiguous: [huge] }, options);
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(lineWidth);
    expect(lines[1]).toMatch(/^ {2}a:x+…x+#1 \((?:always|quiescence|error|stuck|livelock|liveness)\): a:x+…x+#1$/);
  });

  test("tells in full as much as there is, and no line of it is without bound", () => {
    fc.assert(
      fc.property(nastyText, told, (scenario, drawn) => {
        for (const line of renderExplore(scenario, made(drawn), { ...options, full: true })) {
          expect(line.length).toBeLessThanOrEqual(2_000);
          expect(line).not.toMatch(invisible);
        }
      }),
      { numRuns: 60, seed: 2 },
    );
  });

  test("puts no colours but its own into a line", () => {
    fc.assert(
      fc.property(nastyText, told, (scenario, drawn) => {
        const result = made(drawn);
        const colored = renderExplore(scenario, result, { ...options, color: true });
        // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
        const bare = colored.map((line) => line.replaceAll(/\u001b\[(?:1|2|22|31|39)m/g, ""));
        expect(bare).toEqual(renderExplore(scenario, result, options));
      }),
      { numRuns: 60, seed: 3 },
    );
  });

  test("tells ten thousand steps with their notes, a line each", () => {
    const values = fc.sample(hostile, { numRuns: 200, seed: 4 }).map((make) => make());
    const steps = Array.from({ length: 10_000 }, (_, at): TraceStep => {
      const name = `user:step#${at + 1}`;
      const data = values[at % values.length];
      return {
        name,
        possible: [name, "user:other#1"],
        chosen: 0,
        tick: at % 3,
        fault: at % 7 === 0 ? "hang" : null,
        nowMs: 0,
        askedBy: null,
        source: "user",
        touches: null,
        observed: { reads: [], writes: [] },
        cancelled: [],
        notes: [{ event: "saw", data }],
      };
    });
    const execution: Execution = {
      opening: [{ event: "begun", data: undefined }],
      steps,
      violation: null,
      data: [],
      faults: [],
      ambiguous: [],
      left: [],
    };
    const [drawn] = fc.sample(told, { numRuns: 1, seed: 5 });
    if (drawn === undefined) throw new Error("fast-check drew nothing");
    const lines = renderExplore("x", made(drawn), { ...options, full: true, execution });
    const from = lines.indexOf("  Every step:");
    expect(lines.slice(from + 1, from + 4)).toEqual([
      "      begun",
      "        1. user:step#1  (1 of 2 possible, hang)",
      expect.stringMatching(/^ {11}saw/),
    ]);
    expect(lines.length - from).toBe(2 + 2 * steps.length);
  });

  test("tells ten thousand orderings as a sentence and a count", () => {
    const [drawn] = fc.sample(told, { numRuns: 1, seed: 6 });
    if (drawn === undefined) throw new Error("fast-check drew nothing");
    const ordered = (then: (at: number) => string) => {
      const orderings = Array.from({ length: 10_000 }, (_, at) => ({ first: `a:x#${at + 1}`, then: then(at) }));
      const repro = { ...drawn.repro, orderings, faults: [], data: [], script: [] };
      return renderExplore("x", { ...made(drawn), repro, ambiguous: orderings.map(({ then }) => then) }, options);
    };
    expect(ordered(() => "b:y#1")).toContain(
      '    1. "x" (a), the second "x" (a), the third "x" (a) and 9997 more came before "y" (b).',
    );
    expect(ordered((at) => `b:y#${at + 1}`)).toContain("    and 9,997 more like these; --full shows all");
  });
});

describe("renderReplay()", () => {
  test("keeps to forty lines of bounded width, and nothing in them is invisible", () => {
    fc.assert(
      fc.property(nastyText, told, (scenario, drawn) => {
        const { repro, violation, telling } = made(drawn);
        const seen = { violation, ...(telling == null ? {} : { telling }) };
        const result = { outcome: "violated", met: [], unmet: [], neverAppeared: [], ...seen } as const;
        const lines = renderReplay(scenario, repro, result, options);
        expect(lines.length).toBeLessThanOrEqual(lineLimit);
        for (const line of lines) {
          expect(line.length).toBeLessThanOrEqual(lineWidth);
          expect(line).not.toMatch(invisible);
        }
      }),
      { numRuns: 100, seed: 9 },
    );
  });
});

describe("explore()", () => {
  test("tells of everything that can be thrown", async () => {
    for (const make of fc.sample(hostile, { numRuns: 40, seed: 7 })) {
      const subject = scenario("throws", (world) => {
        world.events("user", [
          [
            "go",
            () => {
              throw make();
            },
          ],
        ]);
      });
      const result = await explore(subject, { executions: 2 });
      if (result.outcome !== "violated") throw new Error(result.outcome);
      const lines = renderExplore("throws", result, options);
      expect(lines.length).toBeLessThanOrEqual(lineLimit);
      for (const line of lines) expect(line).not.toMatch(invisible);
    }
  });
});
