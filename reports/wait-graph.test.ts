import { describe, expect, test } from "vitest";
import type { MadePromise, Wait, WaitGraph, WaitRoot } from "../sim/result.ts";
import { isExplained, waitLines } from "./wait-graph.ts";

const at = (file: string, line: number) => ({ file, line, column: 1 });
const made = (line: number, by: string, within: string | null = `${by}:want f2#1`): MadePromise => ({
  at: at("src/lock.ts", line),
  within,
  by,
});

function waits(who: string, maker: string, root: WaitRoot = { kind: "code" }): Wait {
  return {
    who,
    alike: 0,
    made: made(1, who),
    links: [
      { how: "await", at: at("src/move.ts", 12), made: made(7, who), beside: 0 },
      { how: "await", at: at("src/lock.ts", 9), made: made(8, maker), beside: 0 },
    ],
    root,
  };
}

const deadlock: WaitGraph = { seen: "all", waits: [waits("A", "B"), waits("B", "A")], more: 0, cycle: ["A", "B"] };

describe("waitLines()", () => {
  test("tells where each waits and what is at the root, and names the circle", () => {
    expect(waitLines(deadlock, false)).toEqual([
      "  Wait-for graph:",
      "    A waits at src/move.ts:12 for a promise made by B at src/lock.ts:8 in the drain of B:want f2#1, which nobody has settled",
      "    B waits at src/move.ts:12 for a promise made by A at src/lock.ts:8 in the drain of A:want f2#1, which nobody has settled",
      "    in a circle: A → B → A; each waits for a promise that the next one made",
    ]);
  });

  test("tells every promise on the way in full", () => {
    expect(waitLines({ ...deadlock, waits: [waits("A", "B")], cycle: [] }, true)).toEqual([
      "  Wait-for graph:",
      "    A waits at src/move.ts:12 for a promise made at src/lock.ts:7 in the drain of A:want f2#1",
      "      which waits at src/lock.ts:9 for a promise made by B at src/lock.ts:8 in the drain of B:want f2#1, which nobody has settled",
    ]);
  });

  test("tells in full who called the line that made the last one", () => {
    const [wait] = [waits("A", "B")];
    const links = wait.links.map((link) => ({
      ...link,
      made: { ...link.made, calledBy: ["at ask (src/a.ts:3:5)", "at src/b.ts:1:1"] },
    }));
    const graph = { ...deadlock, waits: [{ ...wait, links }], cycle: [] };
    expect(waitLines(graph, true).slice(-2)).toEqual([
      "        called by ask (src/a.ts:3:5)",
      "        called by src/b.ts:1:1",
    ]);
    expect(waitLines(graph, false).join()).not.toContain("called by");
  });

  test.each<[WaitRoot, string]>([
    [{ kind: "hung", delivery: "disk:read#1" }, ": disk:read#1, which was made to hang"],
    [{ kind: "open", delivery: "disk:read#1" }, ": disk:read#1, which has not come"],
    [{ kind: "cancelled", delivery: "a:timer 5#1" }, ": a:timer 5#1, which was cancelled"],
    [{ kind: "foreign" }, ", which waits for one that is older than the execution"],
    [{ kind: "unknown" }, "; what that waits for is not known"],
  ])("says of the root %o what is known", (root, words) => {
    const [, line] = waitLines({ ...deadlock, waits: [waits("A", "A", root)], cycle: [] }, false);
    expect(line).toBe(
      `    A waits at src/move.ts:12 for a promise made at src/lock.ts:8 in the drain of A:want f2#1${words}`,
    );
  });

  test("takes eight lines at most unless asked for all, and escapes names", () => {
    const names = Array.from({ length: 20 }, (_, index) => `a\n${index}`);
    const crowd: WaitGraph = {
      seen: "part",
      waits: names.map((who) => ({ ...waits(who, who), alike: 9 })),
      more: 800,
      cycle: names,
    };
    const lines = waitLines(crowd, false);
    expect(lines).toHaveLength(8);
    expect(lines[0]).toBe("  Wait-for graph, as far as async hooks have seen it:");
    expect(lines[1]).toMatch(/^ {4}a ⏎ 0 and 9 more wait at /);
    expect(lines[7]).toBe("    … 950 more unsettled; --full shows more");
    for (const line of [...lines, ...waitLines(crowd, true)]) expect(line).not.toMatch(/\p{Cc}/u);
    expect(waitLines(crowd, true).at(-1)).toBe("    … 800 more unsettled");
  });

  test("tells who keeps coming, and who never gets his turn", () => {
    const what = [
      { name: "service:poll", at: at("src/poll.ts", 3) },
      { name: "lib:timer 5", at: null },
    ];
    const kept = { by: "deliveries", what, starved: ["lib:timer 60000#1"] } as const;
    const open: Wait = waits("A", "A", { kind: "open", delivery: "service:poll#9" });
    expect(waitLines({ ...deadlock, waits: [open], cycle: [], kept }, false).slice(2)).toEqual([
      "    over and over: service:poll, asked for at src/poll.ts:3; lib:timer 5",
      "    starved: lib:timer 60000#1, which never comes",
    ]);
    expect(waitLines({ seen: "all", waits: [], more: 0, cycle: [], kept }, false)).toHaveLength(3);
    expect(waitLines({ seen: "none", waits: [], more: 0, cycle: [], kept }, false)).toEqual([
      "  Wait-for graph:",
      "    over and over: service:poll, asked for at src/poll.ts:3; lib:timer 5",
      "    starved: lib:timer 60000#1, which never comes",
    ]);
  });

  test("tells whom a drain without end keeps waiting", () => {
    const wait = (who: string): Wait => ({ who, alike: 0, made: null, links: [], root: { kind: "unknown" } });
    const what = [{ name: "the drain of service:fetch#1", at: at("src/spin.ts", 7) }];
    const kept = { by: "drain", what, starved: ["user:stop#1", "user:send#1"] } as const;
    const graph: WaitGraph = { seen: "none", waits: [wait("A"), wait("B")], more: 3, cycle: [], kept };
    expect(waitLines(graph, false)).toEqual([
      "  Wait-for graph:",
      "    on and on: the drain of service:fetch#1, at src/spin.ts:7",
      "    A, B and 3 more wait until it ends, and it does not",
      "    starved: user:stop#1, user:send#1, which never come",
    ]);
    expect(waitLines({ ...graph, waits: [], more: 0, kept: { ...kept, starved: [] } }, false)).toHaveLength(2);
  });

  test("says that nothing is known without hooks", () => {
    const blind: WaitGraph = {
      seen: "none",
      waits: ["A", "B"].map((who) => ({ who, alike: 0, made: null, links: [], root: { kind: "unknown" } })),
      more: 3,
      cycle: [],
    };
    expect(waitLines(blind, false)).toEqual([
      "  Wait-for graph: only who waits is known (A, B and 3 more), because async hooks cannot be used in this process",
    ]);
  });
});

describe("isExplained()", () => {
  const explained = (root: WaitRoot, more: Partial<WaitGraph> = {}): boolean =>
    isExplained({ ...deadlock, waits: [waits("A", "A", root)], cycle: [], ...more });

  test("is true where it is known what everybody waits for, or that they wait in a circle", () => {
    expect(isExplained(deadlock)).toBe(true);
    expect(explained({ kind: "code" })).toBe(true);
    expect(explained({ kind: "hung", delivery: "disk:read#1" })).toBe(true);
    expect(explained({ kind: "cancelled", delivery: "a:timer 5#1" })).toBe(true);
    expect(explained({ kind: "unknown" }, { cycle: ["A", "B"] })).toBe(true);
  });

  test("is false where it may be something outside", () => {
    expect(explained({ kind: "unknown" })).toBe(false);
    expect(explained({ kind: "foreign" })).toBe(false);
    expect(explained({ kind: "code" }, { seen: "part" })).toBe(false);
    expect(explained({ kind: "code" }, { seen: "none" })).toBe(false);
    expect(explained({ kind: "code" }, { waits: [] })).toBe(false);
    expect(isExplained(undefined)).toBe(false);
  });
});
