import { describe, expect, test } from "vitest";
import { defaultPolicy } from "../../../core/lease/state.ts";
import type { LeaseSighting } from "../history.ts";
import { parentChildExclusive } from "./leases.ts";
import { refusedForCause } from "./refusals.ts";
import { spawnAllOrNothing } from "./spawns.ts";

function told(...sightings: readonly LeaseSighting[]): string | undefined {
  return spawnAllOrNothing.violation({ policy: defaultPolicy, sightings });
}

function requested(call: string, path: string): LeaseSighting {
  const footprint = { kind: "file", path } as const;
  return { seen: "requested", call, owner: "run", footprint, needsApproval: false, aborted: false, atMs: 0 };
}

function granted(call: string): LeaseSighting {
  return { seen: "granted", call, fence: null };
}

function released(call: string): LeaseSighting {
  return { seen: "released", call, fence: null };
}

function spawning(child: string, ...paths: readonly string[]): LeaseSighting {
  return { seen: "spawning", child, owner: "run", paths };
}

function spawned(child: string): LeaseSighting {
  return { seen: "spawned", child, fence: null };
}

function spawnRefused(child: string, reason: string, path: string | null, holder: string | null): LeaseSighting {
  return { seen: "spawn-refused", child, reason, path, holder };
}

function refused(call: string, reason: string, path: string | null, holder: string | null): LeaseSighting {
  return { seen: "refused", call, reason, path, holder };
}

const inOwnWords = { inOwnWords: true, path: null, holder: null, reason: "taken" } as const;
/** A call writes `src`, and a child was refused that wanted `docs` as well. */
const halfFree = [
  requested("c1", "src"),
  granted("c1"),
  spawning("k1", "docs", "src"),
  spawnRefused("k1", "root-writing", "src", "c1"),
] as const;
const allFree = [...halfFree, released("c1")] as const;

describe("spawnAllOrNothing sees what a refused child keeps", () => {
  const kept: Readonly<Record<string, readonly [readonly LeaseSighting[], string]>> = {
    "from a call": [
      [...halfFree, requested("c2", "docs/b.md"), refused("c2", "child-writing", "docs/b.md", "k1")],
      "c2 was refused because of k1, which has nothing",
    ],
    "from another child": [
      [...halfFree, spawning("k2", "docs"), spawnRefused("k2", "child-conflict", "docs", "k1")],
      "k2 was refused because of k1, which has nothing",
    ],
    "from itself: its name": [
      [...allFree, spawning("k1", "docs"), spawnRefused("k1", "duplicate-child", null, null)],
      "k1 is said to be there; it was refused",
    ],
    "from a call that waits for it": [[...halfFree, requested("c2", "docs/b.md")], "c2 waits where only k1 is"],
    "from a call, where the refusal names nobody": [
      [...allFree, requested("c2", "docs"), { seen: "refused", call: "c2", ...inOwnWords }],
      "c2 was refused where only k1 is, which was refused itself",
    ],
    "from a child, where the refusal names nobody": [
      [...allFree, spawning("k2", "docs"), { seen: "spawn-refused", child: "k2", ...inOwnWords }],
      "k2 was refused where only k1 is, which was refused itself",
    ],
    "after another child has finished that had been in its way": [
      [
        ...[spawning("k2", "src"), spawned("k2"), spawning("k1", "docs", "src")],
        spawnRefused("k1", "child-conflict", "src", "k2"),
        { seen: "finished", child: "k2", fence: null },
        ...[requested("c2", "docs"), refused("c2", "child-writing", "docs", "k1")],
      ],
      "c2 was refused because of k1, which has nothing",
    ],
    "while its own refusal is under way": [
      [
        ...[requested("c1", "src"), granted("c1"), spawning("k1", "docs", "src")],
        ...[requested("c2", "docs"), refused("c2", "child-writing", "docs", "k1")],
        spawnRefused("k1", "root-writing", "src", "c1"),
      ],
      "c2 was refused because of k1, which has nothing",
    ],
  };
  test.each(Object.entries(kept))("%s", (_, [sightings, text]) => {
    expect(told(...sightings)).toContain(text);
  });
});

test("spawnAllOrNothing sees nothing where others are in the way, or a child was refused for nothing", () => {
  expect(told(...halfFree, requested("c2", "docs/b.md"), granted("c2"))).toBeUndefined();
  expect(told(...allFree, spawning("k2", "docs"), spawned("k2"))).toBeUndefined();
  // It has been spawned since.
  const there = [...allFree, spawning("k1", "docs"), spawned("k1")] as const;
  expect(told(...there, requested("c2", "docs"), refused("c2", "child-writing", "docs", "k1"))).toBeUndefined();
  expect(told(...there, spawning("k1", "docs"), spawnRefused("k1", "duplicate-child", null, null))).toBeUndefined();
  // A scheduler that refuses for reasons of its own while somebody writes; others know why it should not.
  expect(told(...halfFree, requested("c2", "docs"), { seen: "refused", call: "c2", ...inOwnWords })).toBeUndefined();
  const meanwhile = [released("c1"), { seen: "refused", call: "c2", ...inOwnWords }] as const;
  expect(told(...halfFree, requested("c2", "docs"), ...meanwhile)).toBeUndefined();
  const always = [spawning("k1", "docs"), { seen: "spawn-refused", child: "k1", ...inOwnWords }] as const;
  expect(
    told(...always, spawning("k2", "docs"), { seen: "spawn-refused", child: "k2", ...inOwnWords }),
  ).toBeUndefined();
});

describe("a spawn without an answer", () => {
  const judged = (...sightings: readonly LeaseSighting[]) =>
    [parentChildExclusive, spawnAllOrNothing, refusedForCause].flatMap(
      (promise) => promise.violation({ policy: defaultPolicy, sightings }) ?? [],
    );
  const turnedAwayBy = (child: string) =>
    [requested("c1", "src"), refused("c1", "child-writing", "src", child)] as const;
  const turnedAway = turnedAwayBy("k1");
  const letIn = [requested("c1", "src"), granted("c1")] as const;
  const isRefused = spawnRefused("k1", "root-writing", "src", "c1");

  test("may be decided before or after a call that comes meanwhile", () => {
    expect(judged(spawning("k1", "src"), ...turnedAway, spawned("k1"))).toEqual([]);
    expect(judged(spawning("k1", "src"), ...letIn, isRefused)).toEqual([]);
    expect(judged(spawning("k1", "src"), ...letIn, released("c1"), spawned("k1"))).toEqual([]);
  });

  test("is decided one way: not both, and not neither", () => {
    expect(judged(spawning("k1", "src"), ...letIn, spawned("k1"))).toEqual([
      "k1 was spawned on src, where c1 writes or is about to",
      "k1 was accepted; it should have been refused for root-writing, src is held by c1",
    ]);
    const neither = judged(spawning("k1", "src"), ...turnedAway, isRefused);
    expect(neither).toEqual([
      "c1 was refused because of k1, which has nothing",
      "c1 was refused for child-writing, and nothing is in its way",
    ]);
    expect(judged(spawning("k1", "src"), spawnRefused("k1", "root-writing", "src", "c9"))).toEqual([
      "k1 was refused for root-writing, and nothing is in its way",
    ]);
  });

  test("may be refused for what has ended since, and not for what has never been", () => {
    const ended = [...letIn, spawning("k1", "src"), released("c1"), requested("c2", "docs")] as const;
    expect(judged(...ended, granted("c2"), isRefused)).toEqual([]);
    expect(judged(...ended, granted("c2"), spawnRefused("k1", "root-writing", "src", "c2"))).toEqual([
      "k1 was refused for root-writing, and nothing is in its way",
    ]);
  });

  test("is one of eight that have none yet", () => {
    const all = Array.from({ length: 8 }, (_, at) => ({ child: `k${at}`, path: at % 2 === 0 ? "src" : `docs/${at}` }));
    const answers = all.map(({ child, path }) =>
      path === "src" && child !== "k0" ? spawnRefused(child, "child-conflict", "src", "k0") : spawned(child),
    );
    const asked = all.map(({ child, path }) => spawning(child, path));
    expect(judged(...asked, ...turnedAwayBy("k0"), ...answers)).toEqual([]);
    expect(judged(...asked, ...turnedAwayBy("k2"), ...answers)).not.toEqual([]);
  });

  test("is told from another one of the same child", () => {
    const again = { ...spawning("k1", "docs"), attempt: 2 } as const;
    const answer = { ...spawnRefused("k1", "duplicate-child", null, null), attempt: 2 } as const;
    expect(judged(spawning("k1", "src"), again, spawned("k1"), answer)).toEqual([]);
    expect(judged(spawning("k1", "src"), again, answer, spawned("k1"))).toEqual([]);
    expect(judged(spawning("k1", "src"), again, answer, spawnRefused("k1", "root-writing", "src", "c9"))).not.toEqual(
      [],
    );
  });
});
