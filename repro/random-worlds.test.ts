/** The whole way from a search to a replay, over random async programs on the real engine. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { type Scenario, scenario, type World } from "../sim/scenario.ts";
import { explore } from "./explore.ts";
import { replay } from "./replay.ts";
import type { Repro } from "./repro.ts";
import { formatRepro } from "./repro-file.ts";
import { needlessIn } from "./testing/one-less.ts";

type Op =
  | { readonly kind: "io"; readonly label: string; readonly mayFail: boolean }
  | { readonly kind: "delay" }
  | { readonly kind: "timer"; readonly ms: number }
  | { readonly kind: "ticks"; readonly count: number }
  | { readonly kind: "look" }
  | { readonly kind: "choose"; readonly count: number }
  | { readonly kind: "fork"; readonly ops: readonly Op[] };

const { ops } = fc.letrec<{ op: Op; ops: readonly Op[] }>((tie) => ({
  ops: fc.array(tie("op"), { minLength: 1, maxLength: 4 }),
  op: fc.oneof(
    { maxDepth: 2 },
    fc.record({ kind: fc.constant("io"), label: fc.constantFrom("read", "write"), mayFail: fc.boolean() }),
    fc.record({ kind: fc.constant("delay") }),
    fc.record({ kind: fc.constant("timer"), ms: fc.integer({ min: 1, max: 3 }) }),
    fc.record({ kind: fc.constant("ticks"), count: fc.integer({ min: 1, max: 4 }) }),
    fc.record({ kind: fc.constant("look") }),
    fc.record({ kind: fc.constant("choose"), count: fc.integer({ min: 2, max: 3 }) }),
    fc.record({ kind: fc.constant("fork"), ops: tie("ops") }),
  ),
}));
const flows = fc.array(ops, { minLength: 2, maxLength: 3 });

/** What the flows do leaves a log; the planted violation is a certain order of three pairs of its entries. */
function worldOf(actors: readonly (readonly Op[])[], events: readonly (readonly Op[])[], planted: number): Scenario {
  return scenario("a random world", (world) => {
    const log: string[] = [];
    const busy = new Set<string>();
    const run = (name: string, list: readonly Op[]): Promise<void> => perform(world, log, busy, name, list);
    for (const [index, list] of actors.entries()) world.actor(`a${index}`, () => run(`a${index}`, list));
    world.events(
      "user",
      events.map((list, index) => [`e${index}`, () => run(`e${index}`, list)]),
    );
    world.atQuiescence("the order is another one", () => {
      const entries = [...new Set(log)].sort();
      const place = (index: number): number => log.indexOf(entries[(index * 7 + planted) % entries.length] ?? "");
      const code = Number(place(1) > place(2)) + 2 * Number(place(3) > place(5)) + 4 * Number(place(4) < place(6));
      return entries.length < 4 || code !== planted % 8;
    });
  });
}

async function perform(
  world: World,
  log: string[],
  busy: Set<string>,
  name: string,
  list: readonly Op[],
): Promise<void> {
  for (const [at, op] of list.entries()) {
    switch (op.kind) {
      case "io":
        await world
          .io(op.label, () => log.push(`${name} ${op.label}`), { mayFail: op.mayFail })
          .catch(() => log.push(`${name} failed`));
        break;
      case "delay":
        await world.delay();
        break;
      case "timer":
        await new Promise((resolve) => setTimeout(resolve, op.ms));
        break;
      case "ticks":
        busy.add(name);
        for (let tick = 0; tick < op.count; tick++) await null;
        busy.delete(name);
        log.push(`${name} ${at}`);
        break;
      case "look":
        log.push(`${name} sees ${[...busy].length}`);
        break;
      case "choose":
        log.push(
          `${name} ${world.choose(
            "option",
            Array.from({ length: op.count }, (_, index) => index),
          )}`,
        );
        break;
      case "fork":
        void perform(world, log, busy, `${name}.${at}`, op.ops);
    }
  }
}

test("explore() and replay() agree on every failure of random worlds", { timeout: 240_000 }, async () => {
  const level = fc.constantFrom("spec" as const, "jitter" as const);
  const strategy = fc.constantFrom("portfolio" as const, "random" as const);
  let violations = 0;
  await fc.assert(
    fc.asyncProperty(
      flows,
      fc.array(ops, { maxLength: 2 }),
      fc.nat(),
      level,
      strategy,
      async (actors, events, planted, level, strategy) => {
        const subject = worldOf(actors, events, planted);
        const result = await explore(subject, { level, strategy, executions: 200 });
        if (result.outcome === "held") return;
        if (result.outcome !== "violated") throw new Error(JSON.stringify(result));
        violations++;
        const { repro } = result;
        expect(await replay(subject, repro)).toMatchObject({ outcome: "violated", unmet: [], neverAppeared: [] });
        const followed: Repro = { ...repro, choices: null };
        expect(await replay(subject, followed)).toMatchObject({ outcome: "violated", unmet: [], neverAppeared: [] });
        expect(await needlessIn(subject, repro)).toEqual([]);
        expect(repro.criticalPair === null).toBe(
          repro.orderings.length === 0 && repro.faults.every(({ kind }) => kind !== "late"),
        );
        const again = await explore(worldOf(actors, events, planted), { level, strategy, executions: 200 });
        expect(again.outcome === "violated" ? formatRepro(again.repro) : again.outcome).toBe(formatRepro(repro));
      },
    ),
    { numRuns: 40, endOnFailure: true },
  );
  expect(violations).toBeGreaterThan(5);
});
