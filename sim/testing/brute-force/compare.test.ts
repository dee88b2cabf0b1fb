/** The test of the test: a search that has holes is reported, whichever kind they are of. */
import fc from "fast-check";
import { beforeAll, expect, test } from "vitest";
import { Random, streamSeed } from "../../random.ts";
import type { Visited } from "./by-strategy.ts";
import { byClass, type Classes } from "./classes.ts";
import { subjectOf } from "./code.ts";
import { cutsOff, differences } from "./compare.ts";
import { type Dependent, dependsOn } from "./depends.ts";
import { everyOrder } from "./every-order.ts";
import { programs } from "./programs.ts";
import type { Told } from "./told.ts";

const subjects = fc.sample(programs(60), { numRuns: 40, seed: 3 });
const random = new Random(streamSeed("planted holes", "schedule"));

const classesOfAll: Classes[] = [];

beforeAll(async () => {
  for (const program of subjects) {
    const all = (await everyOrder(subjectOf(program), 500)) ?? [];
    if (!all.some(cutsOff)) classesOfAll.push(byClass(all));
  }
});

/** What a search without a fault would have visited: some execution of each class. */
function visitedOnce(classes: Classes): Visited {
  const executions = [...classes.values()].flatMap((members) => members[random.below(members.length)] ?? []);
  return { executions, exhausted: { classes: classes.size, of: "classes", blocked: 0 } };
}

function kinds(classes: Classes, executions: readonly Told[], counts: Partial<Visited["exhausted"]> = {}): string[] {
  const exhausted = { classes: executions.length, of: "classes" as const, blocked: 0, ...counts };
  return [...new Set(differences(classes, { executions, exhausted }).map(({ what }) => what))].sort();
}

test("differences() reports each planted hole, and nothing else", () => {
  let programsWithSeveral = 0;
  for (const classes of classesOfAll) {
    const { executions } = visitedOnce(classes);
    expect(differences(classes, visitedOnce(classes))).toEqual([]);
    const at = random.below(executions.length);
    const dropped = executions.toSpliced(at, 1);
    const [again] = executions.slice(at);
    if (again === undefined) continue;
    // Twice, and said so; blocked, and said so; twice, and counted as another class.
    expect(kinds(classes, [...executions, again], { classes: classes.size })).toEqual(["twice"]);
    expect(kinds(classes, [...executions, again], { classes: classes.size, blocked: 1 })).toEqual([]);
    expect(kinds(classes, [...executions, again])).toEqual(["certificate", "twice"]);
    expect(kinds(classes, executions, { classes: classes.size - 1 })).toEqual(["certificate"]);
    expect(differences(classes, { executions, exhausted: null })).toEqual([{ what: "certificate", detail: "none" }]);
    if (classes.size < 2) continue;
    programsWithSeveral++;
    expect(kinds(classes, dropped)).toContain("missing");
    // One class too few in what there is is one too many in what was visited.
    const key = [...classes.keys()][at];
    expect(kinds(new Map([...classes].filter(([other]) => other !== key)), executions)).toContain("unknown");
  }
  expect(programsWithSeveral).toBeGreaterThan(15);
});

test("differences() reports the search that takes a reader and a writer for independent", () => {
  const withoutReads = ({ touches, observed, ...rest }: Dependent): Dependent => ({
    ...rest,
    touches: touches === null ? null : { writes: touches.writes ?? [] },
    observed: { reads: [], writes: observed.writes },
  });
  const weak = (one: Dependent, other: Dependent): boolean => dependsOn(withoutReads(one), withoutReads(other));
  let reported = 0;
  for (const classes of classesOfAll) {
    const fewer = byClass([...classes.values()].flat(), weak);
    const { executions } = visitedOnce(fewer);
    expect(kinds(classes, executions)).toEqual(fewer.size < classes.size ? ["missing"] : []);
    if (fewer.size < classes.size) reported++;
  }
  expect(reported).toBeGreaterThan(5);
});

test("differences() reports the search that misses a kind of violation", () => {
  let reported = 0;
  for (const classes of classesOfAll) {
    const { executions } = visitedOnce(classes);
    const held = executions.filter(({ execution: { violation } }) => violation === null);
    if (held.length === executions.length) continue;
    reported++;
    expect(kinds(classes, held)).toContain("violation");
  }
  expect(reported).toBeGreaterThan(1);
});
