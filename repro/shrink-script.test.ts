import { expect, test } from "vitest";
import { type Scenario, type ScriptSchema, scenario } from "../sim/scenario.ts";
import { explore } from "./explore.ts";
import { needlessIn } from "./testing/one-less.ts";

type Violated = Extract<Awaited<ReturnType<typeof explore>>, { outcome: "violated" }>;

async function violated(subject: Scenario, script: readonly unknown[]): Promise<Violated> {
  const result = await explore(subject, { script, strategy: "random" });
  if (result.outcome !== "violated") throw new Error(`expected a violation, found ${JSON.stringify(result)}`);
  expect(await needlessIn(subject, result.repro)).toEqual([]);
  return result;
}

/** Each word a delivery of one user; `write` takes as long as the scheduler likes, and a `close` before its end is wrong. */
function disk(name: string, schema: ScriptSchema): Scenario {
  return scenario(name, { script: schema }, (world, script) => {
    let writing = 0;
    let torn = false;
    const act = (word: unknown): void => {
      if (word === "close") torn ||= writing > 0;
      if (word !== "write") return;
      writing++;
      void world.io("disk:write", () => writing--);
    };
    world.events(
      "user",
      script.map((word) => [String(word), () => act(word)]),
    );
    world.always("nothing is torn", () => !torn);
  });
}

const anyWords: ScriptSchema = { parse: (json) => (Array.isArray(json) ? json : []) };
const words = ["look", "write", "look", "write", "close", "look", "close"];

test("explore() shrinks the script of a failure and counts the executions apart", async () => {
  const { repro, extra } = await violated(disk("a disk", anyWords), words);
  expect(repro.script).toEqual(["write", "close"]);
  expect(repro.orderings).toEqual([{ first: "user:close#1", then: "disk:write#1" }]);
  expect(repro.criticalPair).toEqual(["user:close#1", "disk:write#1"]);
  expect(extra?.script).toBeGreaterThan(0);
  expect(extra?.script).toBeLessThanOrEqual(1_000);
});

test("explore() takes no script that the scenario's schema refuses", async () => {
  const twoLooks: ScriptSchema = {
    parse(json) {
      const list: readonly unknown[] = Array.isArray(json) ? json : [];
      if (list.filter((word) => word === "look").length < 2) throw new Error("expected two looks");
      return list;
    },
  };
  const { repro } = await violated(disk("a disk to look at", twoLooks), words);
  expect([...repro.script].sort()).toEqual(["close", "look", "look", "write"]);
});

test("explore() leaves one step, because a script without any is no script", async () => {
  const subject = scenario("always wrong", { script: anyWords }, (world) => world.always("never", () => false));
  expect((await violated(subject, ["a", "b", "c"])).repro.script).toHaveLength(1);
});

test("explore() simplifies the steps that are left", async () => {
  const subject = scenario("a list", { script: anyWords }, (world, script) => {
    world.always("no item x", () => !JSON.stringify(script).includes('"x"'));
  });
  const { repro } = await violated(subject, [{ say: "a" }, { items: ["y", "x", "z"], loud: true }]);
  expect(repro.script).toEqual([{ items: ["x"] }]);
});

test("explore() keeps the script where none was given, and the same bytes every time", async () => {
  const subject = disk("a disk again", anyWords);
  expect((await violated(subject, words)).repro).toEqual((await violated(subject, words)).repro);
  const own = scenario("no script", (world) => world.always("never", () => false));
  const result = await explore(own);
  expect(result).toMatchObject({ outcome: "violated", repro: { script: [] }, extra: { script: 0 }, swap: null });
});
