/** Who waits for whom is told by both engines, and what is told is the same: of one text, as it is and lowered. */
import { describe, expect, test } from "vitest";
import type { EngineName, SourceLocation, Wait, WaitGraph } from "../sim/result.ts";
import type { Scenario } from "../sim/scenario.ts";
import { explore } from "./explore.ts";
import { loweredPrograms, plainPrograms, waitingPrograms } from "./testing/waiting-programs.ts";

describe("wait-for graph of both engines", () => {
  const plain = plainPrograms(waitingPrograms);
  const lowered = loweredPrograms(waitingPrograms);

  // Not here: who awaits a promise of before the execution, which is a leak on the microtask engine.
  test.each(Object.keys(plain))("is the same of: %s", async (name) => {
    const [native, own] = [await graphOf(plain[name], "native"), await graphOf(lowered[name], "microtask")];
    expect(own.seen).toBe("all");
    expect(told(own, waitingPrograms)).toEqual(told(native, waitingPrograms));
  });
});

/** By name, what both tell; what stands after `native` and `own` is told by one of them. */
const knowsMore = `
const never = () => new Promise(() => undefined); // never
return {
  "for await of an async generator": scenario("generator", (world) => {
    async function* items() {
      yield await world.delay("one");
      await never(); // in the generator
    }
    world.actor("A", async () => {
      for await (const item of items()) world.note("item", item); // the loop
    });
  }),
  "yield* of an async generator": scenario("delegating", (world) => {
    async function* inner() {
      yield 1;
      await never(); // in the inner one
    }
    async function* outer() {
      yield* inner(); // hands on
    }
    world.actor("A", async () => {
      const items = outer();
      await items.next();
      void items.next(); // asked before
      await items.next(); // asks
    });
  }),
  "for await of a list": scenario("list", (world) => {
    world.actor("A", async () => {
      for await (const item of [1, never()]) world.note("item", item); // the loop
    });
  }),
  "a promise of one's own class": scenario("own class", (world) => {
    world.actor("A", async () => {
      await null;
      await new (class extends Promise {})(() => undefined); // own
    });
  }),
};
`;

describe("wait-for graph of the microtask engine", () => {
  const plain = plainPrograms(knowsMore);
  const lowered = loweredPrograms(knowsMore);
  const unknown = "the native engine sees no further";

  test.each([
    [
      "for await of an async generator",
      "the loop",
      "one",
      "await 'in the generator' (made 'never' by A in A:one#1) | code",
    ],
    [
      "yield* of an async generator",
      "asks",
      "start",
      "await 'hands on' (made 'hands on' by A in A:start#1) | await 'in the inner one' (made 'never' by A in A:start#1) | code",
    ],
    ["for await of a list", "the loop", "start", "then 'the loop' (made 'never' by A in A:start#1) | code"],
    ["a promise of one's own class", "own", "start", "resolved with nowhere (made 'own' by A in A:start#1) | code"],
  ])(`knows more of: %s; ${unknown}`, async (name, line, during, more) => {
    const begin = (graph: WaitGraph): string =>
      told(graph, knowsMore).waits[0]?.split(" | ").slice(2).join(" | ") ?? "";
    const first = `await '${line}' (made '${line}' by A in A:${during}#1)`;
    expect(begin(await graphOf(plain[name], "native"))).toBe(`${first} | unknown`);
    expect(begin(await graphOf(lowered[name], "microtask"))).toBe(`${first} | ${more}`);
  });
});

async function graphOf(made: Scenario | undefined, engine: EngineName): Promise<WaitGraph> {
  if (made === undefined) throw new Error("No such program");
  const result = await explore(made, { engine, executions: 200 });
  if (result.outcome !== "violated") throw new Error(`"${made.name}" ${result.outcome}: ${JSON.stringify(result)}`);
  if (result.violation.waits === undefined) throw new Error(`"${made.name}" has no wait-for graph`);
  return result.violation.waits;
}

/** With the comments that stand at the lines; columns are those of the text that runs. */
function told({ seen, waits, more, cycle, kept }: WaitGraph, text: string) {
  const lines = text.split("\n");
  const marked = (at: SourceLocation | null): string => {
    if (at === null) return "nowhere";
    expect(at.file).toMatch(/^repro\/testing\/(?:plain|lowered)-programs\.js$/);
    return `'${/\/\/ (.*)$/.exec(lines[at.line - 1] ?? "")?.[1] ?? at.line}'`;
  };
  const promise = ({ at, by, within }: NonNullable<Wait["made"]>): string => `made ${marked(at)} by ${by} in ${within}`;
  const brief = ({ who, alike, links, made, root }: Wait): string => {
    const way = links.map(({ how, at, made, beside }) => {
      return `${how} ${marked(at)} (${promise(made)}${beside === 0 ? "" : `, and ${beside} more`})`;
    });
    const end = "who" in root ? ` ${root.who}` : "delivery" in root ? ` ${root.delivery}` : "";
    const own = made === null ? "nothing known" : promise(made);
    return [`${who} and ${alike} more`, own, ...way, `${root.kind}${end}`].join(" | ");
  };
  return {
    ...{ seen, more, cycle, waits: waits.map(brief) },
    kept: kept?.what.map(({ name, at }) => `${name} ${marked(at)}`),
    starved: kept?.starved,
  };
}
