/**
 * What is told of a failure beside who waits for whom: whose rejection nobody has handled, and the lines of the two that
 * decide, which at level free are jobs. Lines are found by the comments that mark them.
 */
import { describe, expect, test } from "vitest";
import type { EngineName, ExploreOptions, Rejection, SourceLocation } from "../sim/result.ts";
import { type ExploreResult, explore } from "./explore.ts";
import { Sources } from "./hands-on.ts";
import { replay } from "./replay.ts";
import { type AskedStack, stackOf } from "./swap.ts";
import { loweredPrograms, plainPrograms } from "./testing/waiting-programs.ts";

const text = `
return {
  thrown: scenario("thrown", (world) => {
    const fails = async () => {
      await world.delay("a while"); // goes on
      throw "no error";
    };
    world.actor("A", () => void fails());
  }),
  called: scenario("called", (world) => {
    const late = () => new Promise((_, reject) => setTimeout(() => reject("late"), 10)); // rejects
    world.actor("A", () => void late());
  }),
  handler: scenario("handler", (world) => {
    world.actor("A", () => {
      world.delay("a while").then(() => Promise.reject("refused")); // handler
    });
  }),
  opening: scenario("opening", () => {
    Promise.reject("at once"); // at once
  }),
  asks: scenario("asks", (world) => {
    const cell = { value: 0 };
    const read = async () => {
      await world.io("disk:open", () => null);
      const { value } = cell;
      await world.io("disk:read", () => null); // asks
      return value;
    };
    const behind = async () => read();
    const add = async () => {
      cell.value = (await behind()) + 1; // adds
    };
    world.actor("ada", () => add());
    world.actor("bob", async () => {
      await add(); // bob
    });
    world.atQuiescence("both count", () => cell.value === 2);
  }),
  sleeper: scenario("sleeper", (world) => {
    let wake;
    const consume = async () => {
      await null; // looks
      await new Promise((resolve) => (wake = resolve)); // asleep
    };
    const produce = async () => {
      await null;
      await null; // later
      wake?.();
    };
    world.events("user", [["both", () => void [world.settles("consumer", consume()), produce()]]]);
  }),
  later: scenario("later", (world) => {
    let started = false;
    let early = false;
    const first = async () => {
      started = true;
      await null;
      if (early) await new Promise(() => undefined); // for ever
    };
    const second = async () => {
      const begun = started;
      await null;
      early = begun;
    };
    world.events("one", [["first", () => void world.settles("it", first())]]);
    world.events("two", [["second", () => void second()]]);
  }),
  callbacks: scenario("callbacks", (world) => {
    const log = [];
    world.events("user", [["both", () => {
      Promise.resolve().then(() => log.push("a")); // then
      queueMicrotask(() => log.push("b")); // microtask
    }]]);
    world.atQuiescence("in order", () => log.join("") === "ab");
  }),
  nested: scenario("nested", (world) => {
    const log = [];
    const inner = async (name) => {
      await null;
      await null; // inner
      log.push(name);
    };
    const outer = async (name) => await inner(name); // outer
    world.events("user", [["both", () => void [outer("x"), outer("y")]]]);
    world.atQuiescence("in order", () => log.join("") === "xy");
  }),
};
`;
const plain = plainPrograms(text);
const lowered = loweredPrograms(text);

describe("a rejection that nobody handles", () => {
  test.each([
    ["thrown", "A", "A:start#1", "A", "A:a while#1", { after: "goes on" }],
    ["called", "A", "A:start#1", "A", "A:timer 10#1", { at: "rejects" }],
    ["handler", "A", "A:start#1", "A", "A:a while#1", { after: "handler" }],
    ["opening", "the scenario's body", null, "the scenario's body", null, { at: "at once" }],
  ] as const)(
    "says who made the promise, and who rejected it: %s",
    async (name, by, within, rejector, during, where) => {
      const [native, own] = [await rejectionOf(name, "native"), await rejectionOf(name, "microtask")];
      for (const { made, rejected } of [native, own]) {
        expect(made).toMatchObject({ by, within });
        expect(rejected).toMatchObject({ by: rejector, within: during });
      }
      expect(own.made?.at?.line).toBe(native.made?.at?.line);
      // Async hooks do not tell where: the line is known where promises tell of themselves.
      expect(native.rejected).toMatchObject({ at: null, after: null });
      const { at = null, after = null } = own.rejected ?? {};
      expect({ at: marked(at), after: marked(after) }).toEqual({ at: null, after: null, ...where });
    },
  );

  test("is told again when it is replayed", async () => {
    for (const [programs, engine] of [
      [plain, "native"],
      [lowered, "microtask"],
    ] as const) {
      const { violation, repro } = await violated(programs, "thrown", { engine });
      expect(await replay(programs.thrown ?? never(), repro)).toMatchObject({ outcome: "violated", violation });
    }
  });
});

describe("the lines of whoever asked", () => {
  test("are the same on both engines, with the functions that wait for that one", async () => {
    const of = async (programs: typeof plain, engine: EngineName) => {
      return frames((await violated(programs, "asks", { engine })).telling?.pair ?? []);
    };
    const native = await of(plain, "native");
    expect(await of(lowered, "microtask")).toEqual(native);
    expect(native.flat()).toEqual(expect.arrayContaining(["read 'asks'", "async add 'adds'"]));
  });

  test("are those of the awaits, where the two are async functions that go on", async () => {
    const { telling, violation } = await violated(lowered, "sleeper", { level: "free" });
    expect(names(telling?.pair)).toEqual(["user:await produce#2", "user:await consume#1"]);
    expect(innermost(telling?.pair)).toEqual(["later", "looks"]);
    const [wait] = violation.waits?.waits ?? [];
    expect(wait).toMatchObject({
      who: "consumer",
      made: { by: "user", within: "user:both#1" },
      root: { kind: "code" },
    });
    expect(wait?.links.map(({ at }) => marked(at))).toEqual(["asleep"]);
  });

  test("of what a job makes say whose drain it belongs to, whoever came in between", async () => {
    const { violation, verdict } = await violated(lowered, "later", { level: "free" });
    expect(verdict).toBe("unordered");
    const [link] = violation.waits?.waits[0]?.links ?? [];
    expect(link).toMatchObject({ how: "await", made: { by: "one", within: "one:first#1" } });
    expect(marked(link?.at ?? null)).toBe("for ever");
  });

  test("are those of then() and queueMicrotask(), where the two are callbacks", async () => {
    const { telling } = await violated(lowered, "callbacks", { level: "free" });
    expect(innermost(telling?.pair).sort()).toEqual(["microtask", "then"]);
  });

  test("of an async function that goes on are followed by who waits for it, and by nobody who has returned", async () => {
    const { telling } = await violated(lowered, "nested", { level: "free" });
    for (const told of frames(telling?.pair ?? [])) expect(told).toContain("async outer 'outer'");
    for (const { frames } of telling?.pair ?? []) expect(frames).toHaveLength(2);
  });

  test("of a job begin with a line that waits, though it looks as if it only handed on", () => {
    const by = (() => new Error())();
    const [handsOn] = stackOf("user:await inner#1", { by, step: false }, new Sources()).frames;
    expect(handsOn).toMatchObject({ handsOn: true });
    const [stands] = stackOf("user:await inner#1", { by, step: false, stands: true }, new Sources()).frames;
    expect(stands).not.toHaveProperty("handsOn");
  });
});

type Violated = Extract<ExploreResult, { outcome: "violated" }>;

async function violated(programs: typeof plain, name: string, options: ExploreOptions): Promise<Violated> {
  const result = await explore(programs[name] ?? never(), { executions: 200, ...options });
  if (result.outcome !== "violated") throw new Error(`"${name}" ${result.outcome}: ${JSON.stringify(result)}`);
  return result;
}

async function rejectionOf(name: string, engine: EngineName): Promise<Rejection> {
  const { violation } = await violated(engine === "native" ? plain : lowered, name, { engine });
  expect(violation).toMatchObject({ kind: "error", name: "unhandled rejection" });
  return violation.rejection ?? never();
}

function names(pair: readonly AskedStack[] | null | undefined): readonly string[] {
  return (pair ?? []).map(({ delivery }) => delivery);
}

function innermost(pair: readonly AskedStack[] | null | undefined): (string | null)[] {
  return (pair ?? []).map(({ frames }) => marked(frames[0]?.at ?? null));
}

function frames(pair: readonly AskedStack[]): string[][] {
  return pair.map(({ frames }) =>
    frames.map(({ name, at, async }) => `${async ? "async " : ""}${name ?? "nameless"} '${marked(at)}'`),
  );
}

/** The comment of a line, or its number. */
function marked(at: SourceLocation | null): string | null {
  if (at === null) return null;
  expect(at.file).toMatch(/^repro\/testing\/(?:plain|lowered)-programs\.js$/);
  return /\/\/ (.*)$/.exec(text.split("\n")[at.line - 1] ?? "")?.[1] ?? String(at.line);
}

function never(): never {
  throw new Error("No such program, or nothing was told");
}
